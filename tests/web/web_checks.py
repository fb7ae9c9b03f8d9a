"""What is asked of every sight: no text cut or over another, nothing that moves when a picture arrives, no
barrier that axe-core finds; and its words."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

AXE = "axe-core@4.14.1"
SERIOUS = """async (past) => {
  // Each rule has its impact; those of the others would be half of all work.
  const others = axe._audit.rules.filter(({ impact }) => impact !== 'serious' && impact !== 'critical');
  const rules = Object.fromEntries(others.map(({ id }) => [id, { enabled: false }]));
  const options = { resultTypes: ['violations'], preload: false, rules };
  const shown = document.querySelector('dialog[open]') || document; // what is behind cannot be used
  const { violations } = await axe.run(past ? { exclude: [past] } : shown, options);
  return violations
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}"""
SLACK = 2
"""Pixels by which letters may stand out of their boxes, as slanted ones do."""
FAULTS = r"""(slack) => {
  const LETTERS = 0.2; // above and below a line's letters its box is empty by this share
  const root = document.querySelector('dialog[open]') || document.body;
  const isShown = (element) => { // not what is folded away either
    const how = { opacityProperty: true, visibilityProperty: true };
    return element.checkVisibility(how) && !element.closest('.hidden, svg');
  };
  const isFloating = (element) => ['fixed', 'sticky'].includes(getComputedStyle(element).position);
  const withParents = (element) => (element ? [element, ...withParents(element.parentElement)] : []);
  const nameOf = (element, text) => {
    const classes = [...element.classList].map((word) => '.' + word).join('');
    return `${element.tagName.toLowerCase()}${classes} "${text.trim()}"`;
  };

  const faults = new Set(), seen = [];
  const check = (element, text, { left, right, top, bottom }) => {
    const parents = withParents(element), trim = LETTERS * (bottom - top);
    const shown = { left, right, top: top + trim, bottom: bottom - trim };
    const blame = (what) => faults.add(`${what}: ${nameOf(element, text)}`);
    if (left < -slack || right > innerWidth + slack) blame('outside');
    for (const parent of parents) {
      if (parent === document.body) break;
      const { overflowX, overflowY } = getComputedStyle(parent), edge = parent.getBoundingClientRect();
      const isBeside = left < edge.left - slack || right > edge.right + slack;
      const isAcross = shown.top < edge.top - slack || shown.bottom > edge.bottom + slack;
      if (isBeside && (overflowX !== 'visible' || parent.matches('.button'))) blame('cut at the side');
      if (isAcross && (overflowY === 'hidden' || parent.matches('.button'))) blame('cut below');
      if (overflowY === 'visible') continue;
      shown.top = Math.max(shown.top, edge.top);
      shown.bottom = Math.min(shown.bottom, edge.bottom);
    }
    if (shown.bottom - shown.top > slack && !parents.some(isFloating)) seen.push({ element, text, shown });
  };

  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode, element = node.parentElement, range = document.createRange();
    if (!node.data.trim() || !isShown(element)) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) check(element, node.data, box);
    if (!element.closest('button, .button') || element.closest('.moves')) continue; // moves may be long
    for (const { 0: word, index } of node.data.matchAll(/[^\s-]+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => top));
      const isMarked = /[⟦⟧]/.test(word); // the marks of the pseudo-language take room that no word needs
      if (lines.size > 1 && !isMarked) faults.add(`broken within a word: ${nameOf(element, node.data)}`);
    }
  }
  for (const [n, { element, text, shown }] of seen.entries()) {
    for (const other of seen.slice(0, n)) {
      const across = Math.min(shown.right, other.shown.right) - Math.max(shown.left, other.shown.left);
      const down = Math.min(shown.bottom, other.shown.bottom) - Math.max(shown.top, other.shown.top);
      if (element === other.element || across <= slack || down <= slack) continue;
      faults.add(`${nameOf(element, text)} lies over ${nameOf(other.element, other.text)}`);
    }
  }
  for (const picture of root.querySelectorAll('img')) {
    if (!isShown(picture)) continue;
    const empty = picture.cloneNode(), { width, height } = picture.getBoundingClientRect();
    empty.removeAttribute('src'); // a copy would keep what is drawn
    empty.loading = 'lazy';
    empty.src = `/static/icons/icon.svg?${Math.random()}`;
    picture.replaceWith(empty);
    const bare = empty.getBoundingClientRect();
    empty.replaceWith(picture);
    if (bare.width === width && bare.height === height) continue;
    faults.add(`moves what is tapped, once it arrives: ${nameOf(picture, picture.alt)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.add('the page scrolls sideways');
  return [...faults];
}"""

WORDS = """() => {
  const isShown = (element) => element.checkVisibility() && !element.closest('code, script, style');
  const shown = [...document.body.querySelectorAll('*')].filter(isShown);
  const own = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
  const attributes = ['aria-label', 'title', 'placeholder', 'alt'];
  return [
    document.title,
    ...shown.flatMap((element) => [
      ...own(element).map((node) => node.data),
      ...attributes.map((name) => element.getAttribute(name) || ''),
    ]),
  ].filter((words) => words.trim());
}"""


@cache
def axe_source() -> str:
    """Returns the source of axe-core, fetched once through npm into the virtual environment."""
    folder = Path(sys.prefix) / "axe"
    source = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not source.exists():
        if shutil.which("npm") is None:
            pytest.skip("axe-core comes through npm, which is not installed")
        # Several processes test at once: each fetches its own, and the first that has it puts it in place.
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=sys.prefix) as own:
            command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", own, AXE]
            if subprocess.run(command, capture_output=True).returncode:
                pytest.skip("npm could not fetch axe-core: is there a network?")
            with contextlib.suppress(OSError):  # another process was first
                (Path(own) / "node_modules").rename(folder / "node_modules")
    return source.read_text()


def text_faults(page: Any) -> list[str]:
    """Returns what is wrong with the texts that are shown: cut off, over another, beside the page."""
    found: list[str] = page.evaluate(FAULTS, SLACK)
    return found


def barriers(page: Any, past: str = "") -> list[str]:
    """Returns what axe-core calls serious or critical, elsewhere than where this selector says."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe_source())
    found: list[str] = page.evaluate(SERIOUS, past)
    return found


def words_shown(page: Any) -> list[str]:
    """Returns the words on a page: what is shown, its title, what is told of pictures, buttons and fields."""
    found: list[str] = page.evaluate(WORDS)
    return found
