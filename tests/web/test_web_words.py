"""All that the server tells people is said by a catalogue: games are played in a language that marks it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_clients import Client

from companion import games
from companion.language import LANGUAGES
from companion.table.desk import Desk
from companion.table.table import Table
from tests.languages import untranslated
from tests.stores import open_store
from web import Services, Settings, create_app

SPOKEN = {
    "about", "advice", "asks", "caption", "error", "goal", "labels", "label", "legend", "line", "notice",
    "outcome", "prompt", "reason", "said", "text", "title", "verdict", "words",
}  # fmt: skip
"""The keys of JSON under which people find words; elsewhere are codes, places, moves, people's own words."""
OWN = {"TRID", "PGN", "PDN", "FEN"}
"""Words that no catalogue needs to have."""
DATA = re.compile(r"'⟪[^⟪⟫⟦⟧]*⟫'|\(⟪[A-Z0-9, -]+⟫\)|exported as ⟪[^⟪⟫⟦⟧]*⟫")
"""What somebody wrote, in quotes, the numbers of rules, and the names of files' forms."""
PLIES, TRIES = 12, 3
WRONG = ("pass", "end", "out", "keep", "a1-a1", "a1-h8", "e2e5", "zz", "=KK", "@a1", "+a1", "b7")


@pytest.fixture
def reader(tmp_path: Path, pseudo_language: str) -> Iterator[Client]:
    """A browser on the machine itself, whose language marks what a catalogue gave."""
    path = tmp_path / "games.db"
    with Table(Desk(open_store(path))) as table:
        settings = Settings(think_seconds=0.5)  # for a hint that takes all the time that it is given
        client = Client(create_app(table, settings, Services(store=open_store(path))))
        client.http.set_cookie("language", pseudo_language, domain="localhost")
        yield client


def spoken(data: Any, is_spoken: bool = False) -> Iterator[str]:
    """Yields the texts for people in some JSON."""
    if isinstance(data, str) and is_spoken:
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from spoken(value, key in SPOKEN)
    elif isinstance(data, list):
        for value in data:
            yield from spoken(value, is_spoken)


def bare(data: Any) -> Iterator[str]:
    """Yields the texts of some JSON with words that no catalogue gave."""
    return (text for text in spoken(data) if untranslated(DATA.sub("", text), OWN))


class Listener:
    """Gathers what is not translated of all that a client is told."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.found: set[str] = set()

    def get(self, path: str) -> Any:
        return self.hear(self.client.get(f"/api/v1/{path}"))

    def post(self, path: str, **body: object) -> Any:
        return self.hear(self.client.post(f"/api/v1/{path}", body))

    def hear(self, answer: Any) -> Any:
        data = json.loads(answer.data) if answer.data and answer.is_json else {}
        self.found.update(bare(data))
        return data


def play(listener: Listener, chance: random.Random) -> None:
    """Plays a while, tries what is not allowed, and takes moves back."""
    for ply in range(PLIES):
        state = listener.get("state")
        for action in chance.sample(WRONG, TRIES):
            listener.get(f"judge?action={action.replace('+', '%2B')}")
            if ply % 8 == 0:
                listener.post("actions", action=action)
        if not state["legal"] or state["state"] == "over":
            break
        action = chance.choice(state["legal"])["action"]
        if "?" in action:
            action = "=K222333444tT"
        listener.post("actions", action=action)
        if ply % 10 == 9:
            listener.post("takebacks", count=1)
            listener.get("state")
            listener.post("redos")


def correct(listener: Listener) -> None:
    """Corrects the position in ways that cannot be, and in one that can."""
    state = listener.get("state")
    game, pieces = state["game"], dict(state["pieces"])
    for look in game["palette"]:
        for place in list(pieces)[:2]:
            listener.post("corrections", looks={**pieces, place: look}, turn=state["turn"])
    listener.post("corrections", looks={**pieces, "zz": "red"}, turn=state["turn"])
    listener.post("corrections", looks=pieces, turn="nobody")


@pytest.mark.parametrize("name", games.installed())
def test_all_that_a_game_tells_is_translated(reader: Client, name: str) -> None:
    listener, chance = Listener(reader), random.Random(name)
    listener.post("games", game=name, options={}, names={}, clock="10+5")
    play(listener, chance)
    correct(listener)
    if len(listener.get("state")["game"]["players"]) > 1:
        listener.post("draws/offer", player=listener.get("state")["turn"])
        listener.post("draws/decline", player=listener.get("state")["turn"])
        listener.post("resignations", player=listener.get("state")["turn"])
    listener.get("advice")
    listener.get("state")
    listener.post("results", winner=listener.get("state")["game"]["players"][0])
    listener.get("state")
    for path in ("games", "records", "records/1", "records/7", "records/1/export/none", "board"):
        listener.get(path)
    assert not listener.found, "\n".join(sorted(listener.found))


@pytest.mark.parametrize("name", games.installed())
def test_how_a_game_is_played_is_told_by_catalogues(reader: Client, name: str) -> None:
    listener = Listener(reader)
    assert listener.get(f"tutorials/{name}")["rules"]
    assert not listener.found, "\n".join(sorted(listener.found))


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("name", games.installed())
def test_how_a_game_is_played_is_wholly_in_each_language(home: Client, name: str, language: str) -> None:
    path = f"/api/v1/tutorials/{name}"
    english, told = (home.get(path, headers={"Accept-Language": code}).json for code in ("en", language))
    texts, others = tuple(spoken(english)), tuple(spoken(told))
    assert len(texts) == len(others) > len(english["rules"]) + len(english["topics"])
    same = {text for text, other in zip(texts, others, strict=True) if text == other}
    assert {text for text in same if " " in text} <= {games.rules(name).title}  # single words may be alike


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_score_sheet_comes_in_the_language_of_the_display(home: Client, language: str) -> None:
    path = "/api/v1/records/1/export/pdf"
    sheets = [home.get(path, headers={"Accept-Language": code}).data for code in ("en", language)]
    assert sheets[0] != sheets[1]
    assert sheets[1].startswith(b"%PDF")
