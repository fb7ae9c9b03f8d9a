"""Every page at four sizes: no text is cut off, and none lies over another, measured by its boxes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_web_axe import PAGES, WIDTHS, standing, walk
from web_pages import SIZES, visit

from companion.table.messages import NewGame
from companion.table.table import Table

pytestmark = pytest.mark.browser
SIZES_OF = {"en": WIDTHS, **dict.fromkeys(("de", "fr", "es"), ("phone", "tablet"))}
"""The sizes that are looked at in each language: beside English the smallest and the usual one.

German has the longest words; French and Spanish are measured by `./test -m soak`."""
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
  }
  for (const [n, { element, text, shown }] of seen.entries()) {
    for (const other of seen.slice(0, n)) {
      const across = Math.min(shown.right, other.shown.right) - Math.max(shown.left, other.shown.left);
      const down = Math.min(shown.bottom, other.shown.bottom) - Math.max(shown.top, other.shown.top);
      if (element === other.element || across <= slack || down <= slack) continue;
      faults.add(`${nameOf(element, text)} lies over ${nameOf(other.element, other.text)}`);
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.add('the page scrolls sideways');
  return [...faults];
}"""


@pytest.mark.parametrize(
    ("style", "fault"),
    {
        "as it should be": ("", ""),
        "too narrow": ("width: 3em; overflow: hidden", "cut at the side"),
        "too low": ("height: 0.4em; overflow: hidden", "cut below"),
        "drawn over the next": ("margin-bottom: -0.7em", "lies over"),
        "wider than the page": ("margin-left: 95vw", "outside"),
        "hidden": ("visibility: hidden; margin-left: 95vw", "scrolls sideways"),
    }.values(),
)
def test_a_fault_is_found(browser: Any, style: str, fault: str) -> None:
    page = browser.new_context().new_page()
    page.set_content(f"<p style='white-space: nowrap; {style}'>A line of words</p><p>And the next</p>")
    page.add_style_tag(content="p { margin: 0 }")
    found = page.evaluate(FAULTS, SLACK)
    assert [fault in words for words in found][:1] == ([True] if fault else []), found
    page.context.close()


@pytest.mark.parametrize(
    "language", ["en", "de", *(pytest.param(each, marks=pytest.mark.soak) for each in ("fr", "es"))]
)
@pytest.mark.parametrize("name", PAGES)
def test_no_text_is_cut_or_lies_over_another(
    browser: Any, table: Table, tmp_path: Path, name: str, language: str
) -> None:
    sight = PAGES[name]
    if sight.game:
        assert table.ask(NewGame(sight.game)).ok
    with standing(table, tmp_path, sight) as address:
        page = visit(browser, f"{address}{sight.path}", locale=language, reduced_motion="reduce")
        walk(page, sight, language)
        page.evaluate("document.fonts.ready.then(() => true)")
        faults = {}
        for size in SIZES_OF[language]:
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            faults[size] = page.evaluate(FAULTS, SLACK)
        assert not any(faults.values()), faults
        page.context.close()
