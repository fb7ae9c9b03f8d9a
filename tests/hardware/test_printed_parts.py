"""The printed parts, exported by OpenSCAD: closed, printable without supports, and of the right measures."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from math import cos, dist, hypot, pi, sqrt
from pathlib import Path
from typing import TypeAlias

import pytest

from companion.core.board import Point, bundled_boards, load_board
from firmware_bridge.line.messages import Sensor
from hardware.discs import Disc
from hardware.magnets import advised, pitch_of
from hardware.mechanics import DRILLS, HallSensorCase, Reed, foot_diameter, sites_mm
from hardware.openscad import export
from hardware.openscad.export import ExportError, Print, jigs, prints

Vertex: TypeAlias = tuple[float, float, float]
Mesh: TypeAlias = list[tuple[Vertex, Vertex, Vertex]]

OPENSCAD = shutil.which("openscad")
NEEDS = pytest.mark.skipif(OPENSCAD is None, reason="no OpenSCAD: 'sudo apt install openscad' brings it")


def all_of(board: str, sensor: Sensor, controller: str, camera: str = "module") -> dict[str, Print]:
    played = load_board(board)
    return {part.name: part for part in prints(played, sensor, controller, camera, advised(played))}


CHESS = all_of("chess", Sensor.REED, "uno")
TERNION = all_of("ternion", Sensor.ANALOGUE, "mega", "hq")
PICO = all_of("rooks", Sensor.DIGITAL, "pico", "webcam")
PARTS = {
    **{f"chess-{name}": part for name, part in CHESS.items()},
    "ternion-jig-1": TERNION["jig-1"],
    "mega-tray": TERNION["case-tray"],
    "hq-plate": TERNION["arm-plate"],
    "pico-tray": PICO["case-tray"],
    "pico-lid": PICO["case-lid"],
    "webcam-plate": PICO["arm-plate"],
    **{f"{board}-foot": all_of(board, Sensor.REED, "uno")["foot-north-up"] for board in ("trid", "ternion")},
}


def test_the_jig_takes_a_longer_and_wider_glass() -> None:
    played = load_board("chess")
    long = {part.name: part for part in prints(played, Sensor.REED, "uno", "module", advised(played), 14.0)}
    assert long["jig-1"].values["glass_d"] == 2.3 > CHESS["jig-1"].values["glass_d"]  # type: ignore[operator]
    assert {**long["jig-1"].values, "glass_d": 1.8} == CHESS["jig-1"].values


@pytest.fixture(scope="module")
def meshes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Mesh]:
    """Of the same sources OpenSCAD makes the same, for a quarter of a minute: that is kept between runs."""
    folder, cache = tmp_path_factory.mktemp("printed"), getattr(request.config, "cache", None)
    kept = cache.mkdir("printed") if cache else folder
    sources = [*sorted(export.FOLDER.glob("*.scad")), Path(export.__file__), Path(str(OPENSCAD)).resolve()]
    digest = sha256(b"".join(file.read_bytes() for file in sources)).hexdigest()[:16]

    def mesh_of(name: str, part: Print) -> Mesh:
        file = kept / f"{name}-{sha256(repr((digest, part)).encode()).hexdigest()[:16]}.stl"
        if not file.exists():
            made = export.export(part._replace(name=name), folder, str(OPENSCAD))
            shutil.copy(made, whole := kept / f"{name}.part")
            whole.replace(file)
        return read_mesh(file)

    return {name: mesh_of(name, part) for name, part in PARTS.items()}


def read_mesh(file: Path) -> Mesh:
    words = (line.split() for line in file.read_text(encoding="ascii").splitlines())
    corners = [(float(w[1]), float(w[2]), float(w[3])) for w in words if w and w[0] == "vertex"]
    return [(corners[i], corners[i + 1], corners[i + 2]) for i in range(0, len(corners), 3)]


def open_edges(mesh: Mesh) -> list[tuple[Vertex, Vertex]]:
    """Returns the edges that do not belong to exactly two triangles which turn the same way."""
    edges = Counter(edge for a, b, c in mesh for edge in ((a, b), (b, c), (c, a)))
    return [(a, b) for (a, b), times in edges.items() if times != 1 or edges[b, a] != 1]


def volume(mesh: Mesh) -> float:
    return sum(_triple(*triangle) for triangle in mesh) / 6


def _triple(a: Vertex, b: Vertex, c: Vertex) -> float:
    across = (b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0])
    return sum(p * q for p, q in zip(a, across, strict=True))


def patches(triangles: Mesh) -> list[set[Vertex]]:
    """Returns the corners of each group of triangles that hang together."""
    groups: list[set[Vertex]] = []
    for triangle in triangles:
        joined = set(triangle)
        apart = []
        for group in groups:
            if group & joined:
                joined |= group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return groups


def overhangs(mesh: Mesh) -> Iterable[tuple[Vertex, Vertex, Vertex]]:
    """Yields the triangles over the bed that look down more steeply than 45 degrees."""
    for a, b, c in mesh:
        u, v = [q - p for p, q in zip(a, b, strict=True)], [q - p for p, q in zip(a, c, strict=True)]
        normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        size = sqrt(sum(side**2 for side in normal))
        if size > 1e-9 and normal[2] / size < -0.72 and max(a[2], b[2], c[2]) > 0.01:
            yield a, b, c


@NEEDS
@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_one_closed_body_on_the_bed(meshes: dict[str, Mesh], name: str) -> None:
    mesh = meshes[name]
    assert not open_edges(mesh)
    assert volume(mesh) > 200
    assert len(patches(mesh)) == 1
    lows, highs = ([f(v[i] for t in mesh for v in t) for i in range(3)] for f in (min, max))
    assert lows[2] == 0
    assert max(high - low for low, high in zip(lows, highs, strict=True)) <= export.BED


@NEEDS
@pytest.mark.parametrize("name", PARTS)
def test_a_part_needs_no_support(meshes: dict[str, Mesh], name: str) -> None:
    """What hangs is a bridge of a few millimetres: over a screw's hole, or the roof of a socket."""
    for patch in patches(list(overhangs(meshes[name]))):
        spans = [max(v[i] for v in patch) - min(v[i] for v in patch) for i in (0, 1)]
        assert min(spans) <= 6


def test_an_open_mesh_and_an_overhang_are_found() -> None:
    a, b, c, d = (0.0, 0.0, 5.0), (20.0, 0.0, 5.0), (0.0, 20.0, 5.0), (0.0, 0.0, 25.0)
    body = [(a, c, b), (a, b, d), (b, c, d), (c, a, d)]
    assert not open_edges(body)
    assert volume(body) > 0
    assert open_edges(body[:3])
    assert open_edges([(a, b, c), *body[1:]])
    assert list(overhangs(body)) == body[:1]
    assert len(patches([*body, *[tuple((x + 99, y, z) for x, y, z in t) for t in body]])) == 2  # type: ignore[list-item]


@NEEDS
@pytest.mark.parametrize("board", ["chess", "trid", "ternion"])
def test_a_magnet_goes_into_its_foot(meshes: dict[str, Mesh], board: str) -> None:
    name = "chess-foot-north-up" if board == "chess" else f"{board}-foot"
    corners = {v for t in meshes[name] for v in t}
    magnet, foot = advised(load_board(board)), foot_diameter(load_board(board))
    top = max(z for _, _, z in corners)
    pocket = min(hypot(x, y) for x, y, z in corners if z == top)
    assert 0.05 < pocket * cos(pi / 96) - magnet.diameter / 2 < 0.3
    floor = min(z for x, y, z in corners if 1 < hypot(x, y) < pocket + 0.1 and z > 0)
    assert 0.1 < top - floor - magnet.thickness < 0.4
    assert floor >= 1.2
    assert max(hypot(x, y) for x, y, _ in corners) == pytest.approx(foot / 2, abs=0.01)
    notch = min(hypot(x, y) for x, y, z in corners if hypot(x, y) > pocket + 0.1)
    assert notch - pocket >= 1.2


@pytest.mark.parametrize("board", bundled_boards())
def test_every_boards_foot_is_wide_enough_for_its_magnet(board: str) -> None:
    played = load_board(board)
    assert (foot_diameter(played) - advised(played).diameter - 0.2) / 2 - 0.8 >= 1.2


@NEEDS
def test_one_notch_says_north_and_two_say_south(meshes: dict[str, Mesh]) -> None:
    def notches(name: str) -> int:
        on_bed = [t for t in meshes[name] if all(v[2] == 0 for v in t)]
        deep = {v for t in on_bed for v in t if 12 < hypot(v[0], v[1]) < 13.4 and v[0] > 0}
        sides = [v for v in deep if dist(v, (13.2, 0, 0)) < 0.1]
        return 1 if sides else 2 if deep else 0

    assert notches("chess-foot-north-up") == 1
    assert notches("chess-foot-north-down") == 2


@NEEDS
def test_fences_stand_where_the_board_has_its_sites(meshes: dict[str, Mesh]) -> None:
    """They lie mirrored, since the base lies upside down on them; they clear the case and fit the hole."""
    corners = {v for t in meshes["ternion-jig-1"] for v in t}
    upper = [(x, y) for x, y, z in corners if z > 4]
    sites = [(-x, y) for x, y in jigs(load_board("ternion"))[0]]
    shift = (max(x for x, _ in sites), min(y for _, y in sites))
    hole, hall = DRILLS[Sensor.ANALOGUE], HallSensorCase()
    found = 0
    for sx, sy in sites:
        x, y = sx - shift[0], sy - shift[1]
        fence = [(u - x, v - y) for u, v in upper if dist((u, v), (x, y)) < 10]
        assert max(hypot(u, v) for u, v in fence) <= hole / 2 - 0.1
        west, east = min(u for u, _ in fence), max(u for u, _ in fence)
        assert west + east == pytest.approx(0, abs=0.02)
        inner = min(abs(u) for u, v in fence if v < 1)
        assert 0.05 <= inner - hall.width / 2 <= 0.3
        assert min(v for u, v in fence if v > 0 and abs(abs(u) - inner) < 0.01) > hall.length / 2
        assert min(abs(u) for u, v in fence if v < 0) >= inner  # open to the south, where the legs are
        found += len(fence)
    assert found == len(upper)


@NEEDS
def test_slots_stand_where_the_board_has_its_sites(meshes: dict[str, Mesh]) -> None:
    low = [(x, y) for t in meshes["chess-jig-1"] for x, y, z in t if z == 0]
    sites = jigs(load_board("chess"))[0]
    west, south = min(x for x, _ in sites), min(y for _, y in sites)
    for sx, sy in sites:
        slot = [
            (u - sx + west, v - sy + south) for u, v in low if dist((u, v), (sx - west, sy - south)) < 2.6
        ]
        assert min(hypot(u, v) for u, v in slot) > Reed().width / 2
        assert min(v for _, v in slot) + max(v for _, v in slot) == pytest.approx(0, abs=0.02)
        assert min(u for u, _ in slot) == pytest.approx(-1.2, abs=0.02)
        assert max(u for u, _ in slot) == pytest.approx(DRILLS[Sensor.REED] / 2, abs=0.02)


@pytest.mark.parametrize("board", bundled_boards())
def test_jigs_cover_a_board_and_fit_the_bed(board: str) -> None:
    played = load_board(board)
    for jig in jigs(played):
        assert max(x for x, _ in jig) - min(x for x, _ in jig) <= export.BED - 2 * export.MARGIN
        assert max(y for _, y in jig) - min(y for _, y in jig) <= export.BED - 2 * export.MARGIN
        steps = [dist(a, b) for i, a in enumerate(jig) for b in jig[:i]]
        assert min(steps) == pytest.approx(pitch_of(played), rel=1e-3)
    held = [site for field in export.fields(played) for site in field]
    assert sorted(held) == sorted(sites_mm(played).values())
    for field in export.fields(played):
        assert any(_moved(field) == _moved(jig) for jig in jigs(played))


def _moved(sites: list[Point]) -> set[tuple[int, int]]:
    """Returns a pattern from its first site on, in tenths of a millimetre."""
    x0, y0 = min(sites)
    return {(round((x - x0) * 10), round((y - y0) * 10)) for x, y in sites}


@NEEDS
def test_a_part_that_cannot_be_is_refused_by_its_source(tmp_path: Path) -> None:
    played = load_board("trid")
    (foot, *_) = prints(played, Sensor.REED, "uno", "module", Disc(15, 3))
    with pytest.raises(ExportError, match=r"foot-north-up: .*the foot is too narrow for the magnet"):
        export.export(foot, tmp_path, str(OPENSCAD))


@NEEDS
def test_parts_are_named_as_they_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export.main(["trid", "reed", str(tmp_path / "new"), "--only", "foot"]) == 0
    assert capsys.readouterr().out.split() == [
        str(tmp_path / "new" / f"foot-north-{pole}.stl") for pole in ("up", "down")
    ]


@pytest.mark.parametrize(("args", "words"), [
    (["chess", "reed"], "the following arguments are required: FOLDER"),
    (["nosuch", "reed", "."], "there is no board 'nosuch'"),
    (["chess", "reed", ".", "--only", "hat"], "there is no part 'hat': there are foot-north-up, foot-"),
    (["chess", "reed", ".", "--controller", "esp"], "invalid choice: 'esp'"),
    (["chess", "reed", "."], "there is no openscad: 'sudo apt install openscad' brings it"),
])  # fmt: skip
def test_what_cannot_be_exported_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, args: list[str], words: str
) -> None:
    monkeypatch.setenv("PATH", "")
    assert export.main(args) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


@NEEDS
def test_a_folder_that_cannot_be_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert export.main(["chess", "reed", str(tmp_path / "file" / "in"), "--only", "foot"]) == 2
    assert "Not a directory" in capsys.readouterr().err
