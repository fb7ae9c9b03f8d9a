// A seat's link, scanned by a phone: its token is in the address's fragment, which no server sees by itself.

import { post } from "./api.js";
import { byId } from "./dom.js";

const token = location.hash.slice(1);
if (!token) byId("words").textContent = "This address has no code: scan the code on the display.";
byId("take").hidden = !token;
byId("take").addEventListener("click", async () => {
  try {
    await post("session/seat", { token });
    location.replace("/");
  } catch (error) {
    byId("words").textContent = error.message;
  }
});
