// Elements made in one expression: `html("p", { class: "soft" }, "Hello")`. Text goes in as text, never as markup.

/** @import { Attributes, Child } from "./types.d.ts" */

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * Makes an HTML element. Attributes that are null or false are left out; `on…` are handlers.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes<HTMLElementTagNameMap[Tag]>} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Makes an SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes<SVGElementTagNameMap[Tag]>} [attributes]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {Attributes<any>} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    } else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...nodes(children));
  return element;
}

/**
 * Flattens children and leaves out those that are nothing.
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  const flat = /** @type {any[]} */ (children).flat(Infinity);
  return flat.filter((child) => child || child === 0);
}

/**
 * Makes a row of buttons or fields, which wraps.
 * @param {Child[]} children
 */
export function row(...children) {
  return html("div", { class: "row" }, children);
}

/**
 * Makes a group of fields under a name.
 * @param {Child} legend
 * @param {Child[]} content
 */
export function fieldset(legend, ...content) {
  return html("fieldset", {}, html("legend", {}, legend), content);
}

/**
 * @param {Child} words
 * @param {(event: MouseEvent) => unknown} onclick
 * @param {Attributes<HTMLButtonElement>} [attributes]
 */
export function button(words, onclick, attributes = {}) {
  return html("button", { type: "button", class: "button", onclick, ...attributes }, words);
}

/**
 * Makes the button that sends a form.
 * @param {string} words
 * @param {Attributes<HTMLButtonElement>} [attributes]
 */
export function submitButton(words, attributes = {}) {
  return html("button", { type: "submit", class: "button strong", ...attributes }, words);
}

/**
 * Makes a form that the page answers itself.
 * @param {(event: SubmitEvent) => unknown} onSubmit
 * @param {Attributes<HTMLFormElement>} attributes
 * @param {Child[]} children
 */
export function form(onSubmit, attributes, ...children) {
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    return onSubmit(event);
  };
  return html("form", { onsubmit, ...attributes }, children);
}

/**
 * Makes a field for a line of text, which the browser neither fills in nor spells.
 * @param {Attributes<HTMLInputElement>} attributes
 */
export function textField(attributes) {
  return html("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
}

/**
 * Makes a list of which one is chosen.
 * @param {[value: string | number, words: Child][]} choices
 * @param {string | number} chosen
 * @param {(value: string) => unknown} onChoose
 * @param {Attributes<HTMLSelectElement>} [attributes]
 */
export function select(choices, chosen, onChoose, attributes = {}) {
  return html(
    "select",
    { onchange: ({ currentTarget }) => onChoose(currentTarget.value), ...attributes },
    choices.map(([value, words]) => html("option", { value, selected: value === chosen }, words)),
  );
}

/**
 * Makes buttons of which one is pressed.
 * @template T
 * @param {string} name
 * @param {[value: T, words: string][]} choices
 * @param {T} chosen
 * @param {(value: T) => void} onChoose
 * @param {Attributes<HTMLDivElement>} [attributes]
 */
export function segments(name, choices, chosen, onChoose, attributes = {}) {
  const segment = (/** @type {[value: T, words: string]} */ [value, words]) => {
    const checked = value === chosen;
    const onchange = () => onChoose(value);
    const field = html("input", {
      type: "radio",
      name,
      value: String(value),
      checked,
      onchange,
    });
    return html("label", {}, field, html("span", {}, words));
  };
  return html("div", { class: "segments", ...attributes }, choices.map(segment));
}

/**
 * Returns the element of the page's template with this id.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`this page has no #${id}`);
  return element;
}

/**
 * Returns the element with this id, which is of this kind.
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} kind
 * @returns {E}
 */
export function elementOf(id, kind) {
  const element = byId(id);
  if (!(element instanceof kind)) throw new Error(`#${id} is no ${kind.name}`);
  return element;
}

/**
 * Replaces the children. A form with a name that is among the old and the new ones keeps what was typed into it,
 * and the cursor: news may come while somebody types.
 * @param {Element} element
 * @param {Child[]} children
 */
export function replaceContent(element, ...children) {
  const typed = [...element.querySelectorAll("form")].filter(({ name }) => name).map(typedInto);
  keepFocus(element, () => element.replaceChildren(...nodes(children)));
  for (const { name, values, focused } of typed) {
    const again = [...element.querySelectorAll("form")].find((found) => found.name === name);
    for (const [field, value] of values) {
      const input = again?.elements.namedItem(field);
      if (!(input instanceof HTMLInputElement)) continue;
      input.value = value;
      if (field === focused) input.focus();
    }
  }
}

/**
 * Changes the content of an element. A button that had the focus keeps it, if there is one like it again.
 * @param {Element} element
 * @param {() => void} change
 */
export function keepFocus(element, change) {
  const { activeElement } = document;
  const name =
    activeElement instanceof HTMLButtonElement && element.contains(activeElement) && nameOf(activeElement);
  change();
  if (!name || activeElement?.isConnected) return;
  const again = [...element.querySelectorAll("button")].find((found) => nameOf(found) === name);
  again?.focus({ preventScroll: true });
}

/** @param {HTMLButtonElement} named */
function nameOf(named) {
  return named.getAttribute("aria-label") || named.textContent;
}

/** @param {HTMLFormElement} filled */
function typedInto(filled) {
  const { activeElement } = document;
  const focused =
    activeElement instanceof HTMLInputElement && filled.contains(activeElement) && activeElement.name;
  const values = [...filled.elements]
    .filter((field) => field instanceof HTMLInputElement)
    .map((field) => /** @type {[string, string]} */ ([field.name, field.value]));
  return { name: filled.name, values, focused };
}

/** What each element was last filled with by `showIfChanged`. */
const shownKeys = new WeakMap();

/**
 * Replaces the children only when what they show (`key`) has changed: screen readers and scrolling stay calm.
 * Returns whether they were replaced.
 * @param {Element} element
 * @param {unknown} key
 * @param {() => Child} make
 */
export function showIfChanged(element, key, make) {
  const text = JSON.stringify(key);
  if (shownKeys.get(element) === text) return false;
  shownKeys.set(element, text);
  replaceContent(element, make());
  return true;
}
