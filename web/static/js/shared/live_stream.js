// A live stream: one EventSource, reopened whenever it has been silent or the device slept.

const CHECK_EVERY_MS = 1_000;
/** The server gives a sign of life every 15 s. */
const LONGEST_SILENCE_MS = 25_000;
/** A stream that reopens within this time is no news. */
const LOST_AFTER_MS = 2_000;
/** When this much time passes between two checks, the device slept. */
const SLEPT_AFTER_MS = 10_000;
const REOPEN_CLOSED_AFTER_MS = 3_000;
/** A page that becomes visible reopens a stream that has been silent for this long. */
const STALE_AFTER_MS = 1_000;

/**
 * @typedef {object} StreamHandlers
 * @property {Record<string, (data: any) => unknown>} on what is called for each kind of event, with its JSON
 * @property {(seconds: number) => unknown} onTime is called with the server's time, in seconds since 1970
 * @property {(isConnected: boolean) => unknown} onConnection
 */

export class LiveStream {
  /** @param {StreamHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {EventSource | null} */
    this.source = null;
    this.heardAt = 0;
    this.checkedAt = Date.now();
    /** When the connection was lost; 0 while it stands. */
    this.lostAt = 0;
    document.addEventListener("visibilitychange", () => this.#wake());
    addEventListener("pageshow", (event) => event.persisted && this.reopen());
    addEventListener("online", () => this.reopen());
    for (const sign of ["offline", "unreached"]) addEventListener(sign, () => this.#doubt());
    addEventListener("pagehide", () => this.source?.close());
    setInterval(() => this.#check(), CHECK_EVERY_MS);
    this.reopen();
  }

  reopen() {
    this.source?.close();
    this.heardAt = Date.now();
    const source = new EventSource("/api/v1/events");
    this.source = source;
    for (const [kind, handler] of Object.entries(this.handlers.on)) {
      source.addEventListener(kind, (event) => {
        this.#hear();
        handler(JSON.parse(/** @type {MessageEvent} */ (event).data));
      });
    }
    source.addEventListener("beat", (event) => {
      this.#hear();
      this.handlers.onTime(Number(event.data));
    });
    source.addEventListener("error", () => this.#lose());
  }

  #hear() {
    this.heardAt = Date.now();
    this.lostAt = 0;
    this.handlers.onConnection(true);
  }

  #lose() {
    this.lostAt ||= Date.now();
  }

  /** Opens the stream anew where it may be cut: one that is says nothing of it by itself. */
  #doubt() {
    if (this.lostAt) return;
    this.#lose();
    this.reopen();
  }

  #check() {
    const now = Date.now();
    const hasSlept = now - this.checkedAt > SLEPT_AFTER_MS;
    const silence = now - this.heardAt;
    this.checkedAt = now;
    if (document.visibilityState === "hidden" && !hasSlept) return;
    if (hasSlept) this.reopen();
    else if (silence > LONGEST_SILENCE_MS) {
      this.#lose();
      this.reopen();
    } else if (this.source?.readyState === EventSource.CLOSED && silence > REOPEN_CLOSED_AFTER_MS) {
      this.reopen();
    }
    if (this.lostAt && now - this.lostAt > LOST_AFTER_MS) this.handlers.onConnection(false);
  }

  #wake() {
    if (document.visibilityState !== "visible") return;
    const isStale = Date.now() - this.heardAt > STALE_AFTER_MS;
    if (isStale || this.source?.readyState !== EventSource.OPEN) this.reopen();
  }
}
