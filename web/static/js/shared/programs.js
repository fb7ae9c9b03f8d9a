// The dialog of the programs that use the table's API: their tokens, listed, made and revoked by the arbiter.

import { get } from "./api.js";
import { attempt, sayWhy } from "./attempt.js";
import { copyField } from "./copying.js";
import { button, form, html, segments, submitButton, textField } from "./dom.js";
import { t } from "./language.js";
import { colourOf } from "./players.js";
import { askToConfirm, openSheet } from "./sheet.js";
import { formatMoment } from "./text.js";

/** @import { Player, TokenInfo } from "./types.d.ts" */

const LONGEST = 60;
const SEAT = "seat:";

/**
 * Shows the tokens that there are, and what makes another one.
 * @param {Player[]} players of the game that is on
 */
export async function openPrograms(players) {
  /** @type {TokenInfo[] | null} */
  const tokens = await get("tokens").catch(sayWhy);
  if (!tokens) return;
  const again = () => openPrograms(players);
  openSheet(
    t("Connect an app"),
    html("p", { class: "soft" }, t("Another program looks or acts here with a token of its own.")),
    tokens.length > 0 &&
      html(
        "ul",
        { class: "programs" },
        tokens.map((token) => tokenItem(token, again)),
      ),
    tokenForm(players, again),
  );
}

/**
 * @param {TokenInfo} token
 * @param {() => unknown} onRevoked
 */
function tokenItem(token, onRevoked) {
  const revoke = () => attempt(`tokens/${token.id}/revocation`).then(onRevoked);
  const words = t("{name} can do nothing here any more.", { name: token.name });
  const ask = () => askToConfirm(t("Revoke the token?"), words, t("Revoke"), revoke);
  return html(
    "li",
    {},
    html("strong", {}, token.name),
    html("span", {}, token.scopes.map(scopeWords).join(", ")),
    html("span", { class: "soft" }, useWords(token)),
    button(t("Revoke"), ask, { "aria-label": `${t("Revoke")}: ${token.name}` }),
  );
}

/**
 * Says what a token is good for.
 * @param {string} scope
 */
export function scopeWords(scope) {
  if (scope === "arbiter") return t("Is the arbiter");
  if (!scope.startsWith(SEAT)) return t("Looks");
  return t("Plays {player}", { player: colourOf(scope.slice(SEAT.length)) });
}

/** @param {TokenInfo} token */
function useWords({ made, used }) {
  const words = { made: formatMoment(new Date(made)), used: used ? formatMoment(new Date(used)) : "" };
  return used ? t("Made {made}, last used {used}", words) : t("Made {made}, never used", words);
}

/**
 * @param {Player[]} players
 * @param {() => unknown} onDone
 */
function tokenForm(players, onDone) {
  const name = textField({
    name: "program",
    maxlength: LONGEST,
    "aria-label": t("Name of the program"),
    placeholder: t("Name of the program"),
    required: true,
  });
  let chosen = "read";
  const scopes = ["read", ...players.map((player) => SEAT + player), "arbiter"];
  /** @type {[string, string][]} */
  const choices = scopes.map((scope) => [scope, scopeWords(scope)]);
  const make = async () => {
    /** @type {(TokenInfo & { token: string }) | null} */
    const made = await attempt("tokens", { name: name.value, scopes: [chosen] });
    if (made) showSecret(made, onDone);
  };
  return form(
    make,
    { class: "program-form" },
    html("h3", {}, t("Another program")),
    name,
    segments("scope", choices, chosen, (scope) => (chosen = scope), {
      role: "group",
      "aria-label": t("What it may do"),
    }),
    players.length > 0 &&
      html(
        "p",
        { class: "soft" },
        t("A seat is valid for all games here; where pieces are hidden, for this game only."),
      ),
    submitButton(t("Make a token")),
  );
}

/**
 * Shows a new token, which nobody can show again.
 * @param {TokenInfo & { token: string }} made
 * @param {() => unknown} onDone
 */
function showSecret({ name, token }, onDone) {
  openSheet(
    t("The token of {name}", { name }),
    html("p", {}, t("Copy it now: it is shown this once. Whoever has it may use it.")),
    copyField(t("Token"), token, 2),
    button(t("Done"), onDone),
  );
}
