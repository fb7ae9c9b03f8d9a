// A seat's link, scanned by a phone. Its token is in the address's fragment, which browsers send to no server.

import { post, reasonOf } from "../shared/api.js";
import { byId, elementOf } from "../shared/dom.js";
import { t } from "../shared/language.js";

const token = location.hash.slice(1);

if (!token) byId("words").textContent = t("This address has no code: scan the code on the display.");
const take = elementOf("take", HTMLButtonElement);
take.hidden = !token;
take.addEventListener("click", async () => {
  try {
    await post("session/seat", { token });
    location.replace("/");
  } catch (error) {
    byId("words").textContent = reasonOf(error);
  }
});
take.disabled = false; // a tap before would have been lost
