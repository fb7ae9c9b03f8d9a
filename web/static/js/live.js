// The live stream: one EventSource, reopened whenever it has been silent or the device slept.

import { setTime } from "./clock.js";

const SILENCE = 40_000; // the server gives a sign of life every 15 s
const PATIENCE = 2_000; // a stream that reopens at once is no news

export function connect(onState, onLink) {
  let source = null;
  let heard = 0;
  let ticked = Date.now();
  let lostSince = 0;

  const alive = () => {
    heard = Date.now();
    lostSince = 0;
    onLink(true);
  };
  const lost = () => (lostSince ||= Date.now());

  function open() {
    source?.close();
    heard = Date.now();
    source = new EventSource("/api/v1/events");
    source.addEventListener("state", (event) => {
      alive();
      onState(JSON.parse(event.data));
    });
    source.addEventListener("beat", (event) => {
      alive();
      setTime(Number(event.data));
    });
    source.addEventListener("error", lost);
  }

  function look() {
    const now = Date.now();
    const slept = now - ticked > 10_000;
    ticked = now;
    if (document.visibilityState === "hidden" && !slept) return;
    if (slept || now - heard > SILENCE) {
      if (!slept) lost();
      open();
    } else if (source?.readyState === EventSource.CLOSED && now - heard > 3_000) open();
    if (lostSince && now - lostSince > PATIENCE) onLink(false);
  }

  const wake = () => {
    if (document.visibilityState === "visible" && (Date.now() - heard > 1_000 || source?.readyState !== 1)) open();
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("online", open);
  addEventListener("pagehide", () => source?.close());
  setInterval(look, 1_000);
  open();
  return { reopen: open };
}
