// The shell of the page for a tablet that is offline for a moment; never the state of a game.

const SHELL = "shell-1";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const shell = pathname === "/" || pathname.startsWith("/static/") || pathname === "/manifest.webmanifest";
  if (event.request.method === "GET" && origin === location.origin && shell) event.respondWith(fresh(event.request));
});

// The network first, so that an update is never held back; the copy only when there is no network.
async function fresh(request) {
  const shell = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await shell.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await shell.match(request);
    if (kept) return kept;
    throw error;
  }
}
