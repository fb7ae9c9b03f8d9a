// The page of a device whose camera looks at the board: asks for the camera, and sends what it sees.

import { get, post, reasonOf, Refusal } from "../shared/api.js";
import { byId } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { keepScreenOn } from "../shared/screen_wake.js";
import { sourceWords } from "../shared/sensor_names.js";
import { asSentence } from "../shared/text.js";
import { hold, openCamera, reasonOfCamera } from "./device.js";
import { Sender } from "./sender.js";

/** @import { Seen } from "./sender.js" */

const CONFLICT = 409;
const RETRY_MS = 2000;
/** The ticket of the code that was scanned; '' where none was. Browsers send an address's fragment nowhere. */
const ticket = location.hash.slice(1);

const page = byId("phone");
const words = byId("words");
const start = /** @type {HTMLButtonElement} */ (byId("start"));
const video = /** @type {HTMLVideoElement} */ (byId("video"));

/** @type {Sender | null} */
let sender = null;
/** @type {ReturnType<typeof setTimeout> | undefined} tries later to go on with a camera that was taken away */
let again;
let isReplacing = false;

/**
 * @param {"ready" | "on" | "paused"} state
 * @param {string} text
 * @param {string} [button] the words of the button; '' for none
 */
function show(state, text, button = "") {
  page.dataset.state = state;
  words.textContent = asSentence(text);
  start.hidden = !button;
  start.textContent = button;
}

/** @param {[number, number][]} corners of the board, as shares of the picture */
function drawOutline(corners) {
  const { videoWidth: width, videoHeight: height } = video;
  byId("overlay").setAttribute("viewBox", `0 0 ${width} ${height}`);
  const points = corners.map(([across, down]) => `${across * width},${down * height}`);
  byId("outline").setAttribute("points", points.join(" "));
}

/** Opens the camera, and makes this device the table's camera. */
async function begin() {
  clearTimeout(again);
  try {
    await watch(await openCamera());
  } catch (error) {
    sender?.pause("taken");
    show("ready", reasonOfCamera(error), t("Try again"));
    return;
  }
  await join(isReplacing);
}

/**
 * Shows what the camera sees. Where it is taken away (a call, another program) that is told, and tried again.
 * @param {MediaStream} stream
 */
async function watch(stream) {
  video.srcObject = stream;
  await video.play();
  const [track] = stream.getVideoTracks();
  hold(track);
  track.addEventListener("ended", () => {
    sender?.pause("taken");
    sender = null;
    show("paused", t("The camera was taken away from this page."), t("Use this camera"));
    again = setTimeout(begin, RETRY_MS);
  });
}

/** @param {boolean} replace says whether another phone is to be the camera no more */
async function join(replace) {
  try {
    const { key } = await post("phone", { ...(ticket && { ticket }), replace });
    isReplacing = false;
    sender = new Sender(video, key, { onSent, onTrouble });
    sender.start();
    show("on", t("The board is being looked for…"));
  } catch (error) {
    isReplacing = error instanceof Refusal && error.status === CONFLICT;
    show("ready", reasonOf(error), isReplacing ? t("Use this one instead") : t("Try again"));
  }
}

/** @param {Seen} seen */
function onSent({ status, corners }) {
  drawOutline(corners);
  const said = status && (status.words || sourceWords(status, t("Phone")));
  show("on", said || t("Pictures are sent. Choose a game on the display."));
}

/**
 * @param {unknown} error
 * @param {boolean} isOver tells whether this device is the camera no more
 */
function onTrouble(error, isOver) {
  if (!isOver) {
    show("paused", reasonOf(error));
    return;
  }
  sender = null;
  join(false); // after a restart of the companion nobody is the camera, and this device goes on
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") sender?.pause("hidden");
  else sender?.start();
});
window.addEventListener("pagehide", () => sender?.pause("left"));
start.addEventListener("click", begin);
start.disabled = false; // a tap before would have been lost

if (!navigator.mediaDevices?.getUserMedia) {
  show("ready", t("Browsers give a page their camera only over https: start the companion with --tls self."));
} else {
  keepScreenOn();
  get("session").catch((error) => show("ready", reasonOf(error), t("Use this camera")));
}
