import assert from "node:assert/strict";
import { test } from "node:test";

import { formatSeconds, isShort, secondsLeft, shownTime } from "../../../web/static/js/shared/clock_time.js";
import { readSeconds } from "../../../web/static/js/display/clock_tools.js";
import { CLOCK } from "./samples.js";

test("time is short from where tenths are shown", () => {
  assert.deepEqual([10, 9.99, 0].map(isShort), [false, true, true]);
});

test("the running clock runs down after its delay", () => {
  assert.equal(secondsLeft(CLOCK, "red", 1_004), 60);
  assert.equal(secondsLeft(CLOCK, "red", 1_015), 50);
});

test("a clock stops at zero", () => {
  assert.equal(secondsLeft(CLOCK, "red", 9_999), 0);
});

test("a clock that does not run, or is paused, stands", () => {
  assert.equal(secondsLeft(CLOCK, "blue", 1_020), 30);
  assert.equal(secondsLeft({ ...CLOCK, paused: true }, "red", 1_020), 60);
});

test("byo-yomi shows the main time, then what is left of each period", () => {
  const clock = { ...CLOCK, byo_yomi: { red: { periods: 3, seconds: 30 } } };
  const shown = (/** @type {number} */ left) => Object.values(shownTime(clock, "red", left));
  assert.deepEqual(shown(100), [10, 3]);
  assert.deepEqual(shown(90), [30, 3]);
  assert.deepEqual(shown(60.5), [0.5, 3]);
  assert.deepEqual(shown(60), [30, 2]);
  assert.deepEqual(shown(12), [12, 1]);
  assert.deepEqual(shown(0), [0, 0]);
  assert.deepEqual(Object.values(shownTime(clock, "blue", 25)), [25, 0]);
});

test("the arbiter writes minutes, or minutes and seconds", () => {
  assert.deepEqual(["5", " 2:30 ", "0:07", "2.5", "2,25"].map(readSeconds), [300, 150, 7, 150, 135]);
  assert.deepEqual(
    ["", "2:75", "five", "-3", "2:3", "2.5:30", "99999", "1.234"].map(readSeconds),
    Array(8).fill(null),
  );
});

test("time is written in minutes and seconds, and never rounded up", () => {
  assert.equal(formatSeconds(600), "10:00");
  assert.equal(formatSeconds(69.9), "1:09");
  assert.equal(formatSeconds(3_725), "62:05");
});

test("the last seconds are written with tenths", () => {
  assert.equal(formatSeconds(10), "0:10");
  assert.equal(formatSeconds(9.99), "0:09.9");
  assert.equal(formatSeconds(0), "0:00.0");
});
