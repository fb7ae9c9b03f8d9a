// The dialog in which the arbiter chooses what the companion sees the board with.

import { get, post, reasonOf } from "./api.js";
import { attempt, sayWhy } from "./attempt.js";
import { button, form, html, row, submitButton, textField } from "./dom.js";
import { t } from "./language.js";
import { sensorName } from "./sensor_names.js";
import { complain, isSheetOpen, openSheet } from "./sheet.js";
import { keep, recall } from "./storage.js";
import { asSentence, capital } from "./text.js";

/** @import { FoundBoard, FoundBoards, SourceStatus } from "./types.d.ts" */

const START = "./run --host 0.0.0.0 --tls self";

/** Where this window notes that what sees the board is to be tested, once a game is on. */
const UNTESTED = "board-companion.untested";

/** The page to go on to once what was asked for here sees the board; '' where nothing was. */
let awaited = "";

/** Goes on once something else sees the board: where it was asked for here, to set it up. */
export function goOnWithEyes() {
  if (awaited) goOn(awaited);
  else location.reload();
}

/**
 * Tells whether a phone that was asked for here sends pictures now, and did not before.
 * @param {SourceStatus[]} before
 * @param {SourceStatus[]} now
 */
export function isPhoneThere(before, now) {
  const sends = (/** @type {SourceStatus[]} */ sources) =>
    sources.some(({ name, state }) => name === "phone" && state !== "lost");
  return awaited !== "" && !sends(before) && sends(now);
}

/**
 * Goes on to a page, and has the board tested before play.
 * @param {string} path
 */
function goOn(path) {
  keep("sessionStorage", UNTESTED, true); // where nothing is kept, the menu has the test too
  location.assign(path);
}

/** Tells whether something was chosen here to see the board with, and was not tested yet. */
export const isUntested = () => recall("sessionStorage", UNTESTED) !== null;

/** Tells once, after something was chosen here to see the board with, that it is to be tested. */
export function takeUntested() {
  const found = isUntested();
  if (found) keep("sessionStorage", UNTESTED, null);
  return found;
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
      way(t("A board with sensors"), t("Chessnut, Millennium, or a grid of your own."), findBoards),
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
 * Sees the board with this source from now on, and goes on: a camera is set up first.
 * @param {string} source
 * @param {string} [next] the page to go on to
 */
async function lookThrough(source, next = "/setup") {
  const isReal = source !== "virtual";
  awaited = isReal ? next : ""; // the table may tell of it before it answers
  if (!(await attempt("eyes", { source }))) awaited = "";
  else if (isReal) goOn(next);
  else {
    takeUntested();
    location.assign("/");
  }
}

/** Looks for boards with sensors that are plugged in, and shows them. */
async function findBoards() {
  const title = t("A board with sensors");
  const looking = html("p", { role: "status" }, t("Looking for what is plugged in. It takes some seconds…"));
  openSheet(title, looking);
  /** @type {FoundBoards | string} */
  const found = await post("eyes/search").catch(reasonOf);
  if (!looking.isConnected || !isSheetOpen()) return; // it was closed meanwhile
  if (typeof found === "string") complain(found);
  const boards = typeof found === "string" ? [] : found.boards;
  openSheet(
    title,
    boards.length > 0 && html("div", { class: "eyes" }, boards.map(boardItem)),
    !boards.some(({ source }) => source) && notFound(),
    row(button(t("Search again"), findBoards)),
  );
}

/**
 * Shows a board that was found: to choose, or with what keeps it from being chosen.
 * @param {FoundBoard} board
 */
function boardItem({ source, words, trouble, used }) {
  if (used) return way(sensorName(source, []), t("In use: go on with it."), () => goOn("/"));
  if (!trouble) return way(capital(words), t("Use this board"), () => lookThrough(source, "/"));
  return html(
    "p",
    { class: "button way unfit" },
    html("strong", {}, capital(words)),
    html("span", { class: "soft" }, asSentence(trouble)),
  );
}

/** Says what to do where no board is found that could be used. */
function notFound() {
  const steps = [
    t("Plug the board in by USB, and switch it on. A board by Bluetooth alone cannot be used."),
    t(
      "Chessnut: no other program may use it, and Linux has to allow it: put the file {file} into {folder}.",
      {
        file: "hardware/pi/board-companion.rules",
        folder: "/etc/udev/rules.d",
      },
    ),
    t("Millennium, and a grid of your own: you have to be in the group {group}.", { group: "dialout" }),
  ];
  return [
    html("p", {}, t("No board with sensors is found that could be used now.")),
    html(
      "ol",
      { class: "for-phone" },
      steps.map((words) => html("li", {}, words)),
    ),
  ];
}

function askAddress() {
  const address = textField({
    name: "address",
    type: "url",
    required: true,
    placeholder: "rtsp://192.168.1.20:554/stream",
  });
  openSheet(
    t("A camera in the network"),
    form(
      () => lookThrough(`camera:${address.value.trim()}`),
      {},
      html("label", { class: "field" }, t("Its address"), address),
      submitButton(t("Use this camera")),
    ),
  );
}

/** Opens the window whose browser becomes the camera: one that is hidden would see nothing. */
function openWindow() {
  awaited = "/setup";
  open("/phone", "camera", "popup,width=420,height=640");
}

/** Shows the code that makes a phone the camera, or what is missing for that. */
async function showPhone() {
  /** @type {{ link: string, reachable: boolean, secure: boolean } | null} */
  const found = await get("phone").catch(sayWhy);
  if (!found) return;
  openSheet(t("Use a phone as camera"), found.reachable && found.secure ? code(found.link) : missing());
}

/** @param {string} link */
function code(link) {
  awaited = "/setup";
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
