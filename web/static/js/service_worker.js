// The shell of the page for a tablet that is offline for a moment; never the state of a game.

const SHELL = "shell-1";
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldShells().then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const isOurs = new URL(url).origin === worker.location.origin;
  if (method === "GET" && isOurs && isShell(new URL(url).pathname)) event.respondWith(answer(event.request));
});

/** @param {string} path */
function isShell(path) {
  return path === "/" || path === "/manifest.webmanifest" || path.startsWith("/static/");
}

async function deleteOldShells() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)));
}

/**
 * Asks the network first, so that an update is never held back; gives the copy only when there is no network.
 * @param {Request} request
 */
async function answer(request) {
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await keep(request, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await caches.match(request);
    if (kept) return kept;
    throw error;
  }
}

/**
 * Keeps a copy. A tablet whose memory is full keeps none, and shows the page all the same.
 * @param {Request} request
 * @param {Response} copy
 */
async function keep(request, copy) {
  try {
    await (await caches.open(SHELL)).put(request, copy);
  } catch {
    // the page goes on without
  }
}
