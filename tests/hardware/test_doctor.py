"""What the doctor finds, with devices that are not there."""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from companion.sensing.observation import Observation, Sighting
from companion.sensing.sources import SourceError
from companion.store.store import Store
from firmware_bridge.line.link import PortError
from firmware_bridge.setup.grid_setup import GridStatus, Spot
from hardware import doctor
from hardware.doctor import Check, report
from hardware.panel import PanelError
from hardware.running import RunningSource

NOW = 1_800_000_000.0
GOOD = GridStatus(board="triune", sensor="reed", words="", spots={"a1": Spot(None, felt=False)}, wires={})
BAD = replace(GOOD, spots={"a1": Spot(None, felt=False, verdict="dead")})


def states(findings: Iterable[Check]) -> dict[str, str]:
    return {finding.what: finding.state for finding in findings}


def raising(error: Exception) -> Callable[..., Any]:
    def fails(*_: object) -> Any:
        raise error

    return fails


def test_versions() -> None:
    def version(name: str) -> str:
        if name in ("flask", "chess"):
            raise metadata.PackageNotFoundError(name)
        return "1.0"

    assert states(doctor.check_versions()) == {"system": "ok", "libraries": "ok"}
    found = list(doctor.check_versions(version))
    assert states(found) == {"system": "ok", "libraries": "broken", "chess": "missing"}
    assert "flask" in found[1].words


@pytest.mark.parametrize(
    ("settings", "words", "expected"),
    [
        ("", "", {}),
        ('[hall]\nbroker = "mqtt://hall"\nboard = "Hall A/7"\n', "", {"hall": "ok"}),
        ('[hall]\nbroker = "mqtt://hall"\nboard = "Hall A/7"\n', "nobody answers", {"hall": "warn"}),
        ('[hall]\nbroker = "nonsense"\nboard = "Hall A/7"\n', "", {"hall": "broken"}),
    ],
)
def test_a_hall_is_joined_where_one_is_named(
    tmp_path: Path, settings: str, words: str, expected: dict[str, str]
) -> None:
    (tmp_path / "config.toml").write_text(settings)
    found = list(doctor.check_hall(tmp_path, lambda hall: words))
    assert states(found) == expected
    assert all(words in check.words for check in found)


class Space(NamedTuple):
    free: int


@pytest.mark.parametrize(("free", "state"), [(80 * 10**9, "ok"), (500 * 10**6, "warn"), (10**6, "broken")])
def test_disk(tmp_path: Path, free: int, state: str) -> None:
    assert states(doctor.check_disk(tmp_path, lambda _: Space(free))) == {"disk": state}
    assert not list(tmp_path.iterdir())


def test_disk_that_cannot_be_written(tmp_path: Path) -> None:
    assert states(doctor.check_disk(tmp_path / "missing")) == {"disk": "broken"}


def test_games(tmp_path: Path) -> None:
    assert [f.words for f in doctor.check_games(tmp_path)] == ["none stored yet"]
    store = Store(tmp_path / "games.sqlite")
    store.begin("triune", {}, NOW)
    store.close()
    (found,) = doctor.check_games(tmp_path)
    assert found == ("ok", "games", "1 stored, the file is whole")


def test_a_damaged_file_of_games(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").write_bytes(b"no database at all" * 100)
    assert states(doctor.check_games(tmp_path)) == {"games": "broken"}


def test_a_damaged_game(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        for _ in range(3):
            store.begin("triune", {}, NOW)
        store._db.execute("UPDATE games SET head = 'half' WHERE id = 2")
    (found,) = doctor.check_games(tmp_path)
    assert (found.state, found.words.partition(";")[0]) == ("broken", "damaged: game 2")


def test_a_file_of_games_with_a_damaged_page(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "games.sqlite")
    db.execute("CREATE TABLE games (id INTEGER PRIMARY KEY, words TEXT)")
    db.executemany("INSERT INTO games (words) VALUES (?)", [("x" * 900,)] * 50)
    db.commit()
    db.close()
    data = bytearray((tmp_path / "games.sqlite").read_bytes())
    data[4096 * 5 : 4096 * 5 + 400] = bytes(400)
    (tmp_path / "games.sqlite").write_bytes(data)
    assert states(doctor.check_games(tmp_path)) == {"games": "broken"}


def test_clock(tmp_path: Path) -> None:
    assert states(doctor.check_clock(tmp_path, 0.0)) == {"clock": "warn"}
    assert states(doctor.check_clock(tmp_path, NOW)) == {"clock": "ok"}
    (tmp_path / "games.sqlite").touch()
    stored = (tmp_path / "games.sqlite").stat().st_mtime
    assert states(doctor.check_clock(tmp_path, stored + 5)) == {"clock": "ok"}
    assert states(doctor.check_clock(tmp_path, stored - 7200)) == {"clock": "warn"}


def test_network() -> None:
    assert states(doctor.check_network("192.168.1.7")) == {"network": "ok"}
    assert states(doctor.check_network("")) == {"network": "warn"}


@pytest.mark.parametrize(
    ("vendor", "product", "port", "found"),
    [
        ("1a86", "7523", "", ["a board with a CH340"]),
        ("10c4", "ea60", "", ["a board with a CP2102"]),
        ("1a86", "7523", "1-1:1.0/ttyUSB0", []),
        ("1a86", "55d4", "1-1:1.0/tty/ttyACM0", []),
        ("2341", "0042", "", []),
        ("2e8a", "0003", "", []),
        ("nonsense", "", "", []),
    ],
)
def test_an_adapter_whose_port_brltty_has_taken_is_named(
    tmp_path: Path, vendor: str, product: str, port: str, found: list[str]
) -> None:
    device = tmp_path / "bus/usb/devices/1-1"
    (device / port).mkdir(parents=True)
    (device / "idVendor").write_text(f"{vendor}\n")
    (device / "idProduct").write_text(f"{product}\n")
    checks = list(doctor.check_adapters(tmp_path))
    assert [check.state for check in checks] == ["warn"] * len(found)
    assert all(
        name in check.words and "brltty" in check.words for name, check in zip(found, checks, strict=True)
    )


@pytest.mark.parametrize(
    ("bits", "found"),
    [
        ("0x0", ["voltage and heat are fine"]),
        ("0x50005", ["the voltage was too low: use the Pi's own supply and a short cable"]),
        ("0x50000", ["the voltage was too low: use the Pi's own supply and a short cable"]),
        ("0x40000", ["the Pi slowed down because of heat: give it air"]),
        ("?", []),
    ],
)
@pytest.mark.parametrize(
    "device",
    [
        "devices/platform/soc/soc:firmware",
        "devices/platform/soc@107c000000/soc@107c000000:firmware",
        "bus/platform/drivers/raspberrypi-firmware/soc@107c000000:firmware",
    ],
)
def test_power(tmp_path: Path, device: str, bits: str, found: list[str]) -> None:
    (tmp_path / device).mkdir(parents=True)
    (tmp_path / device / "get_throttled").write_text(bits + "\n")
    assert [f.words for f in doctor.check_power(tmp_path)] == found


def test_no_word_of_power_where_nothing_tells_of_it(tmp_path: Path) -> None:
    assert not list(doctor.check_power(tmp_path))


def picture(value: int) -> Any:
    return np.full((720, 1280, 3), value, np.uint8)


def test_cameras() -> None:
    pictures = {"camera:0": picture(90), "camera:2": picture(3), "camera:4": None}
    found = list(doctor.check_cameras(lambda: [0, 2, 4], pictures.__getitem__))
    assert states(found) == {"camera:0": "ok", "camera:2": "warn", "camera:4": "warn"}
    assert found[0].words == "1280×720"
    assert states(doctor.check_cameras(list, pictures.__getitem__)) == {"camera": "missing"}
    (lost,) = doctor.check_cameras(lambda: [0], raising(SourceError("another program may be using it")))
    assert lost == ("warn", "camera:0", "another program may be using it")


def test_picamera() -> None:
    assert states(doctor.check_picamera(False, lambda _: picture(90))) == {"picamera": "missing"}
    assert states(doctor.check_picamera(True, lambda _: picture(90))) == {"picamera": "ok"}
    assert states(doctor.check_picamera(True, raising(RuntimeError("no camera")))) == {"picamera": "warn"}


@pytest.mark.parametrize(
    ("port", "test", "state"),
    [
        (lambda: "port", lambda: GOOD, "ok"),
        (lambda: "port", lambda: BAD, "warn"),
        (lambda: "port", raising(PortError("no answer")), "warn"),
        (raising(PortError("no grid on any port")), lambda: GOOD, "missing"),
    ],
)
def test_grid(port: Callable[[], str], test: Callable[[], Any], state: str) -> None:
    assert states(doctor.check_grid(port, test)) == {"grid": state}


@pytest.mark.parametrize(
    ("seen", "state", "words"),
    [
        (Sighting(0.0, "x", Observation(0.0, {}, kinds={"a1": "white/rook"})), "ok", "1 pieces"),
        (Sighting(0.0, "x", None, trouble="no right to use it"), "warn", "no right"),
        (None, "warn", "switched on"),
    ],
)
def test_e_boards(seen: Sighting | None, state: str, words: str) -> None:
    (found,) = doctor.check_eboards(["chessnut"], lambda source: seen)
    assert (found.what, found.state) == ("e-board", state)
    assert words in found.words
    assert list(doctor.check_eboards([], lambda source: seen)) == []


def test_pins() -> None:
    class Factory:
        closed = False

        def close(self) -> None:
            self.closed = True

    factory = Factory()
    assert states(doctor.check_pins(lambda: factory)) == {"pins": "ok"}
    assert factory.closed
    assert states(doctor.check_pins(raising(PanelError("no pins here")))) == {"pins": "missing"}


@pytest.mark.parametrize(
    ("kinds", "status"), [(["ok"], 0), (["ok", "warn", "missing"], 0), (["broken", "ok"], 1), ([], 0)]
)
def test_exit_status(kinds: list[str], status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(Check(kind, "thing", "words") for kind in kinds) == status
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == kinds


def test_the_command_on_this_machine(tmp_path: Path) -> None:
    result = CliRunner().invoke(doctor.doctor, ["--data", str(tmp_path)], standalone_mode=False)
    assert result.exception is None
    kinds = {line.split()[0] for line in result.output.splitlines()}
    assert kinds <= {"ok", "warn", "missing"}
    assert result.return_value == 0


def test_of_a_companion_that_runs_its_devices_are_asked_for_and_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opens(*_: object) -> Any:
        raise AssertionError("a device was opened beside the game")

    monkeypatch.setattr(doctor, "_devices", opens)
    monkeypatch.setattr(
        doctor,
        "running_devices",
        lambda _: [
            RunningSource("serial:", "ok", ""),
            RunningSource("camera:0", "lost", "no camera 0: found none"),
        ],
    )
    found = [
        check for check in doctor._all_checks(tmp_path) if check.what in ("running", "serial:", "camera:0")
    ]
    assert [(check.state, check.what) for check in found] == [
        ("ok", "running"),
        ("ok", "serial:"),
        ("warn", "camera:0"),
    ]
