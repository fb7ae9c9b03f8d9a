"""Profiles are named, listed, put in use, taken out as files and in again, and thrown away."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from web_clients import Client, serving
from web_pages import expect, visit

from companion.core.board import load_board
from companion.core.game import GameError
from companion.games.text import read_game
from companion.table.table import Table
from vision.calibration.calibrate import calibrate
from vision.calibration.profile import Profile, load_profile
from vision.known.example import Example
from vision.sources.virtual import VirtualTable
from web import Services, Settings, create_app
from web.runtime.camera_setup import CameraSetup
from web.runtime.profile_library import LONGEST_NAME, ProfileLibrary, tidy_name


@pytest.fixture(scope="module")
def learned() -> Profile:
    """What a camera over the start position of Triune learns."""
    from random import Random

    game = read_game("triune")
    start = game.start()
    looks = dict(game.rules.look(start))
    image = VirtualTable(load_board("triune"), Random(5)).picture(looks)
    return calibrate(game.board, game.head, game.rules.looks(start), [Example(image, looks)])


class Case:
    """A workbench with a profile in use, a clock, and a note of what was told."""

    def __init__(self, folder: Path, profile: Profile) -> None:
        self.folder, self.now, self.told = folder, 1_700_000_000.0, 0
        folder.mkdir()
        self.bench = CameraSetup(lambda camera: None, folder, self._tell, lambda: self.now)
        self.library: ProfileLibrary = self.bench.library
        self.library.put(profile)

    def _tell(self) -> None:
        self.told += 1

    def listed(self) -> list[tuple[str, float, bool]]:
        return [(v.name, v.made, v.used) for v in self.library.profiles()]


@pytest.fixture
def case(tmp_path: Path, learned: Profile) -> Case:
    return Case(tmp_path / "profiles", learned)


@pytest.fixture
def client(table: Table, case: Case) -> Client:
    return Client(create_app(table, services=Services(camera_setup=case.bench)))


def test_a_profile_is_named_and_used_again(case: Case, learned: Profile) -> None:
    assert case.listed() == [("", 1.7e9, True)]
    case.library.keep("triune", "  by   day ")
    assert case.listed() == [("by day", 1.7e9, True)]
    case.now += 60
    case.library.put(learned)
    assert case.listed() == [("", 1.7e9 + 60, True), ("by day", 1.7e9, False)]
    assert case.library.use("by day") == "triune"
    assert case.listed() == [("by day", 1.7e9, True)]
    assert load_profile(case.folder / "triune.json").game == "triune"
    assert case.told == 3


def test_a_name_is_taken_until_it_is_given_up(case: Case, learned: Profile) -> None:
    case.library.keep("triune", "club")
    case.now += 60
    case.library.put(learned)
    with pytest.raises(GameError, match="already"):
        case.library.keep("triune", "club")
    assert len(case.listed()) == 2
    case.library.keep("triune", "club", replace=True)
    assert case.listed() == [("club", 1.7e9 + 60, True)]
    case.library.remove("club")
    assert case.listed() == [("", 1.7e9 + 60, True)]


def test_a_profile_goes_out_and_comes_in_unchanged(client: Client, case: Case) -> None:
    case.library.keep("triune", 'Vereinsbrett ½ "A"')
    [kept] = client.get("/api/v1/setup/profiles").get_json()["profiles"]
    assert (kept["title"], kept["kept"], kept["used"]) == ("Triune", True, True)
    answer = client.get(f"/api/v1/setup/profiles/{kept['name']}")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    profile = json.loads(answer.data)
    taken = client.post("/api/v1/setup/profiles", {"profile": profile})
    assert taken.get_json() == {"name": f"{kept['name']} (2)"}
    again = json.loads(client.get(f"/api/v1/setup/profiles/{kept['name']} (2)").data)
    assert {**again, "name": kept["name"]} == profile
    assert client.post(f"/api/v1/setup/profiles/{kept['name']}/deletion").status_code == 200
    assert [p["name"] for p in client.get("/api/v1/setup/profiles").get_json()["profiles"]] == [again["name"]]


def test_a_full_disk_keeps_no_profile_and_says_so(
    client: Client, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    profile = json.loads(client.get("/api/v1/setup/boards/triune").data)
    monkeypatch.setattr(os, "fsync", refuse)
    answer = client.post("/api/v1/setup/profiles", {"profile": profile, "name": "club"})
    assert (answer.status_code, "the disk is full" in answer.get_json()["error"]) == (503, True)
    assert [path.name for path in case.folder.rglob("*") if path.is_file()] == ["triune.json"]


def test_one_that_nobody_named_is_saved_and_takes_the_files_name(client: Client) -> None:
    profile = json.loads(client.get("/api/v1/setup/boards/triune").data)
    taken = client.post("/api/v1/setup/profiles", {"profile": profile, "name": "from the club"})
    assert taken.get_json() == {"name": "from the club"}


@pytest.mark.parametrize("name", ["", "  ", ".hidden", "a/b", "a\\b", "..", "x" * 41, "a\x00b", "tab\u202e"])
def test_what_is_no_name(client: Client, case: Case, name: str) -> None:
    answer = client.post("/api/v1/setup/names", {"board": "triune", "name": name})
    assert (answer.status_code, "name" in answer.get_json()["error"]) == (409, True)
    assert not (case.folder / "kept").exists()


@given(st.text(max_size=LONGEST_NAME + 5))
def test_a_name_never_leaves_its_folder(name: str) -> None:
    try:
        tidy = tidy_name(name)
    except GameError:
        return
    path = Path("/shelf/kept") / f"{tidy}.json"
    assert path.resolve().parent == Path("/shelf/kept")
    assert len(path.name.encode()) < 250
    assert tidy_name(tidy) == tidy


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("profiles/nobody/use", {}), ("profiles/nobody/deletion", {}), ("profiles/..%2ftriune/use", {}),
        ("names", {"board": "../triune", "name": "x"}), ("names", {"board": "chess", "name": "x"}),
    ],
)  # fmt: skip
def test_what_is_not_there(client: Client, case: Case, path: str, body: object) -> None:
    answer = client.post(f"/api/v1/setup/{path}", body)
    assert answer.status_code in (404, 409)
    assert "\n" not in answer.get_json()["error"]
    assert case.listed() == [("", 1.7e9, True)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "else"}, "no profile"), ({"looks": 7}, "damaged"), ({"board": "chess"}, "not played on"),
        ({"game": "triune board=/etc/passwd"}, "command line"), ({"name": "../../x"}, "a name has"),
        ({"examples": []}, "examples must not be empty"), ({"examples": [{}]}, "examples[0].picture"),
        ({"models": 7}, "models must be a list"),
    ],
)  # fmt: skip
def test_what_is_not_taken_in(client: Client, case: Case, change: dict[str, Any], words: str) -> None:
    profile = json.loads(client.get("/api/v1/setup/boards/triune").data)
    answer = client.post("/api/v1/setup/profiles", {"profile": {**profile, **change}})
    assert (answer.status_code, words in answer.get_json()["error"]) == (409, True)
    assert case.listed() == [("", 1.7e9, True)]


def test_a_file_laid_there_by_hand_is_a_kept_profile(case: Case) -> None:
    case.library.keep("triune", "club")
    old = json.loads((case.folder / "triune.json").read_text())
    plain = {key: value for key, value in old.items() if key not in ("name", "made")}
    (case.folder / "kept" / "club.json").unlink()
    (case.folder / "kept" / "by hand.json").write_text(json.dumps(plain))
    case.library.use("by hand")
    assert [(name, used) for name, _, used in case.listed()] == [("by hand", True)]


def test_a_file_that_is_no_profile_is_passed_over(case: Case) -> None:
    blank = '{"game": " ", "board": "triune"}'
    for n, text in enumerate(("", "[]", "{", "[" * 100_000, '{"game": 7}', blank)):
        (case.folder / f"x{n}.json").write_text(text)
    assert case.listed() == [("", 1.7e9, True)]


@pytest.mark.parametrize("text", ["{", '{"game": "triune", "board": "triune"}', "[" * 100_000])
def test_a_damaged_file_is_neither_used_nor_named(client: Client, case: Case, text: str) -> None:
    case.library.keep("triune", "club")
    used = (case.folder / "triune.json").read_text()
    (case.folder / "kept" / "club.json").write_text(text)
    answer = client.post("/api/v1/setup/profiles/club/use", {})
    assert (answer.status_code, "calibrate" in answer.get_json()["error"]) == (409, True)
    assert (case.folder / "triune.json").read_text() == used
    (case.folder / "triune.json").write_text(text)
    answer = client.post("/api/v1/setup/names", {"board": "triune", "name": "by night"})
    assert (answer.status_code, "\n" in answer.get_json()["error"]) == (409, False)
    assert sorted(path.name for path in case.folder.rglob("*.*")) == ["club.json", "triune.json"]


@pytest.mark.browser
def test_profiles_by_touch(browser: Any, table: Table, case: Case, tmp_path: Path) -> None:
    app = create_app(table, Settings(port=0, streams=8), Services(camera_setup=case.bench))
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup")
        page.faults.clear()  # there is no camera here: its picture is missing
        expect(page.locator("#steps")).to_contain_text("The camera is set up already: Triune")
        page.tap("#profiles")
        page.tap("text=Name it…")
        page.fill("#sheet input", "by day")
        page.tap("text=Keep it")
        expect(page.locator(".profile strong")).to_have_text("by day")
        with page.expect_download() as saving:
            page.tap("text=Save as a file")
        assert saving.value.suggested_filename == "by day.json"
        file = tmp_path / "at night.json"
        file.write_text(json.dumps({**json.loads(Path(saving.value.path()).read_text()), "name": ""}))
        page.set_input_files("input[type=file]", file)
        expect(page.locator(".profile")).to_have_count(2)
        used = page.locator(".profile", has=page.locator(".tag")).locator("strong")
        expect(used).to_have_text("at night")
        page.locator(".profile", has_text="by day").get_by_text("Use", exact=True).tap()
        expect(used).to_have_text("by day")
        page.locator(".profile", has_text="at night").get_by_text("Delete…").tap()
        page.get_by_text("Delete", exact=True).tap()
        expect(page.locator(".profile strong")).to_have_text("by day")
        (tmp_path / "photo.json").write_text("no JSON")
        page.set_input_files("input[type=file]", tmp_path / "photo.json")
        expect(page.locator("#sheet .wrong")).to_have_text("This file is no profile.")
        page.tap("text=Close")
        expect(page.locator(".said")).to_contain_text("reads by “by day” now")
        page.context.close()
