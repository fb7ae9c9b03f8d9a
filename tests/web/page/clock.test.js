import assert from "node:assert/strict";
import { test } from "node:test";

import { formatSeconds, secondsLeft } from "../../../web/static/js/display/clock.js";

const CLOCK = { left: { red: 60, blue: 30 }, runs: "red", since: 1_000, paused: false, delay: 5 };

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
