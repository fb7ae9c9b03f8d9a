// The dialog in which the arbiter chooses what the companion sees the board with.

import { get, post, reasonOf } from "./api.js";
import { button, html, submitButton } from "./dom.js";
import { t } from "./language.js";
import { complain, openSheet, toast } from "./sheet.js";

const START = "./run --host 0.0.0.0 --tls self";

/** Whether a camera was asked for here. */
let isAwaited = false;

/** Goes on once another camera is in use: where it was asked for here, to set it up. */
export function goOnWithCamera() {
  if (isAwaited) location.assign("/setup");
  else location.reload();
}

/** Shows the ways to see a real board. */
export function chooseEyes() {
  openSheet(
    t("Play on my own board"),
    html("p", { class: "soft" }, t("What shall the companion see your board with?")),
    html(
      "div",
      { class: "eyes" },
      way(t("A phone"), t("Its browser sends what its camera sees."), showPhone),
      way(t("A camera on this computer"), t("A webcam, or the camera of a Pi."), () => lookThrough("camera")),
      way(t("This browser’s camera"), t("In a window of its own, which stays in sight."), openWindow),
      way(t("A camera in the network"), t("By its address: RTSP, MJPEG or pictures."), askAddress),
      way(t("The virtual board"), t("Pieces to move with a finger, without a board."), () =>
        lookThrough("virtual"),
      ),
    ),
  );
}

/**
 * @param {string} words
 * @param {string} line
 * @param {() => unknown} onChoose
 */
function way(words, line, onChoose) {
  return button([html("strong", {}, words), html("span", { class: "soft" }, line)], onChoose, {
    class: "button way",
  });
}

/**
 * Looks through a camera of the companion's from now on, and goes on to set it up.
 * @param {string} source
 */
async function lookThrough(source) {
  try {
    await post("eyes", { source });
    location.assign(source === "virtual" ? "/" : "/setup");
  } catch (error) {
    complain(reasonOf(error));
  }
}

function askAddress() {
  const address = html("input", {
    name: "address",
    type: "url",
    required: true,
    placeholder: "rtsp://192.168.1.20:554/stream",
    autocomplete: "off",
  });
  openSheet(
    t("A camera in the network"),
    html(
      "form",
      {
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          lookThrough(`camera:${address.value.trim()}`);
        },
      },
      html("label", { class: "field" }, t("Its address"), address),
      submitButton(t("Use this camera")),
    ),
  );
}

/** Opens the window whose browser becomes the camera: one that is hidden would see nothing. */
function openWindow() {
  isAwaited = true;
  open("/phone", "camera", "popup,width=420,height=640");
}

/** Shows the code that makes a phone the camera, or what is missing for that. */
async function showPhone() {
  /** @type {{ link: string, reachable: boolean, secure: boolean }} */
  let found;
  try {
    found = await get("phone");
  } catch (error) {
    toast(reasonOf(error));
    return;
  }
  openSheet(t("Use a phone as camera"), found.reachable && found.secure ? code(found.link) : missing());
}

/** @param {string} link */
function code(link) {
  isAwaited = true;
  return [
    html(
      "figure",
      { class: "code" },
      html("img", { src: "/api/v1/phone/qr.svg", alt: t("Code: {words}", { words: t("A phone") }) }),
      html("figcaption", {}, html("a", { href: link }, link)),
    ),
    html(
      "ol",
      { class: "for-phone" },
      html("li", {}, t("Scan the code with the phone. It must be in the same network.")),
      html(
        "li",
        {},
        t(
          "The browser warns once: the certificate is this companion’s own. " +
            "Android: Advanced, then Proceed. iPhone: Show Details, then Visit this website.",
        ),
      ),
      html("li", {}, t("Allow the camera, and stand the phone up over the board.")),
    ),
    html("p", { class: "soft" }, t("As soon as its pictures come, this page goes on.")),
  ];
}

/** Says what a phone needs: browsers give the camera to pages by https alone. */
function missing() {
  return [
    html("p", {}, t("A phone reaches this page, and gives it a camera, when it is started with")),
    html("p", {}, html("code", {}, START)),
  ];
}
