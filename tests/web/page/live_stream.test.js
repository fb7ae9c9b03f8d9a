import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { LiveStream } from "../../../web/static/js/shared/live_stream.js";

const START_MS = 1_000_000;

/** A stream of events that the test speaks through. */
class FakeEventSource extends EventTarget {
  static OPEN = 1;
  static CLOSED = 2;
  /** @type {FakeEventSource[]} */
  static opened = [];
  readyState = FakeEventSource.OPEN;

  constructor() {
    super();
    FakeEventSource.opened.push(this);
  }

  close() {
    this.readyState = FakeEventSource.CLOSED;
  }

  /**
   * @param {string} kind
   * @param {unknown} data
   */
  send(kind, data) {
    this.dispatchEvent(Object.assign(new Event(kind), { data }));
  }
}

const newDocument = () => Object.assign(new EventTarget(), { visibilityState: "visible" });
let page = new EventTarget();
let fakeDocument = newDocument();
let now = START_MS;
/** @type {() => void} */
let check = () => {};

Object.assign(globalThis, {
  EventSource: FakeEventSource,
  addEventListener: (/** @type {string} */ kind, /** @type {() => void} */ listener) =>
    page.addEventListener(kind, listener),
  setInterval: (/** @type {() => void} */ callback) => (check = callback),
});
Date.now = () => now;

/** @type {unknown[]} */
let log = [];

beforeEach(() => {
  now = START_MS;
  log = [];
  FakeEventSource.opened = [];
  page = new EventTarget();
  fakeDocument = newDocument();
  Object.assign(globalThis, { document: fakeDocument });
  new LiveStream({
    on: { state: (state) => log.push(state) },
    onTime: (seconds) => log.push(seconds),
    onConnection: (isConnected) => log.push(isConnected ? "connected" : "lost"),
  });
});

/** Lets a second pass at a time, as the stream's own check does. @param {number} seconds */
function wait(seconds) {
  for (let i = 0; i < seconds; i++) {
    now += 1_000;
    check();
  }
}

const newest = () => FakeEventSource.opened[FakeEventSource.opened.length - 1];

test("states and the table's time are handed on", () => {
  newest().send("state", '{"state":"empty"}');
  newest().send("beat", "1700000000.25");
  assert.deepEqual(log, ["connected", { state: "empty" }, "connected", 1700000000.25]);
});

test("a stream that is heard every fifteen seconds stays open", () => {
  for (let i = 0; i < 8; i++) {
    wait(15);
    newest().send("beat", "1");
  }
  assert.equal(FakeEventSource.opened.length, 1);
});

test("a silent stream is lost, and opened anew", () => {
  wait(26);
  assert.equal(FakeEventSource.opened.length, 2);
  assert.equal(FakeEventSource.opened[0].readyState, FakeEventSource.CLOSED);
  wait(3);
  assert.deepEqual(log, ["lost"]);
});

test("a stream that comes back at once is no news", () => {
  newest().send("error", "");
  wait(1);
  newest().send("beat", "1");
  wait(10);
  assert.deepEqual(log, ["connected", 1]);
});

test("an error that lasts is told", () => {
  newest().send("error", "");
  wait(3);
  assert.equal(log.at(-1), "lost");
});

test("a stream that the browser gave up is opened anew", () => {
  newest().close();
  wait(4);
  assert.equal(FakeEventSource.opened.length, 2);
});

test("a device that slept opens the stream anew without calling it lost", () => {
  now += 60_000;
  check();
  wait(1);
  assert.equal(FakeEventSource.opened.length, 2);
  assert.deepEqual(log, []);
});

test("a hidden page leaves a silent stream alone, and opens it anew when it is seen again", () => {
  fakeDocument.visibilityState = "hidden";
  wait(60);
  assert.equal(FakeEventSource.opened.length, 1);
  fakeDocument.visibilityState = "visible";
  fakeDocument.dispatchEvent(new Event("visibilitychange"));
  assert.equal(FakeEventSource.opened.length, 2);
});

test("a stream that may be cut is opened anew, once, and told as lost where that fails", () => {
  for (const sign of ["offline", "unreached", "unreached"]) page.dispatchEvent(new Event(sign));
  assert.equal(FakeEventSource.opened.length, 2);
  wait(3);
  assert.deepEqual(log, ["lost"]);
});

test("a request that fails while the stream stands is no news", () => {
  page.dispatchEvent(new Event("unreached"));
  newest().send("beat", "1");
  wait(3);
  assert.deepEqual(log, ["connected", 1]);
});

test("a network that comes back opens the stream anew", () => {
  page.dispatchEvent(new Event("online"));
  assert.equal(FakeEventSource.opened.length, 2);
});
