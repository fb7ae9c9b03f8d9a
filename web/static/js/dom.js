// Small makers of elements: all text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function button(words, onclick, attributes = {}) {
  return h("button", { type: "button", class: "button", onclick, ...attributes }, words);
}

export const byId = (id) => document.getElementById(id);

export const capital = (words) => (words ? words[0].toUpperCase() + words.slice(1) : "");

// Replaces the children only when what they show has changed: screen readers and scrolling stay calm.
const shown = new WeakMap();
export const forget = (element) => shown.delete(element);
export function show(element, key, make) {
  const text = JSON.stringify(key);
  if (shown.get(element) === text) return false;
  shown.set(element, text);
  element.replaceChildren(...[make()].flat(Infinity).filter(Boolean));
  return true;
}
