"""The training: what its tables say, what is asked about them, and that its steps lower the loss."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.core.board import load_board
from companion.core.game import EMPTY
from vision.known.layout import PlaceLayout
from vision.reading.crops import HEIGHT, WIDTH, Crops
from vision.reading.gallery import Gallery
from vision.reading.network import VECTOR
from vision.reading.sight import BRIGHTEST
from vision.training.places import drawn, photographs
from vision.training.places.__main__ import main
from vision.training.places.batches import HIDDEN, NOTHING, NOVEL, Batch, PixelStore
from vision.training.places.episodes import Episode, composition, episode
from vision.training.places.sequences import Rendered
from vision.training.places.tables import COVERED, FULL, MARGIN, UNKNOWN, CropTable, matches
from vision.virtual.render import overlook

SIDE = 6
LOOKS = ("red/solid", "red/marked", "blue/solid", "blue/marked")
SEEDS = range(12)


def made(frames: int = 3, name: str = "drawn.small.1.0") -> CropTable:
    """Pieces are squares of one colour, with a stripe for the face; on the last of some frames is a hand."""
    rng = np.random.default_rng(5)
    points = np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE)), axis=-1).reshape(-1, 2).astype(float)
    looks = np.array([[rng.choice([EMPTY, *LOOKS]) for _ in points] for _ in range(frames)], "<U10")
    hands = np.arange(frames) == (frames - 1 if frames > 2 else -1)
    looks[hands, :3] = COVERED, UNKNOWN, UNKNOWN
    empty = rng.integers(90, 110, (len(points), HEIGHT + 2 * MARGIN, WIDTH + 2 * MARGIN, 3)).astype(np.uint8)
    colours = np.repeat(empty[None], frames, axis=0)
    for frame, place in np.argwhere(np.isin(looks, LOOKS)):
        owner, face = looks[frame, place].split("/")
        colours[frame, place, 25:50, 20:45] = (20, 20, 170) if owner == "red" else (170, 20, 20)
        if face == "marked":
            colours[frame, place, 35:40, 20:45] = 220
    return CropTable(name, colours, empty, np.zeros_like(empty[..., 0]), looks, hands, points, 1.0)


@pytest.fixture(scope="module")
def table() -> CropTable:
    return made()


def episodes(table: CropTable) -> list[Episode]:
    return [e for seed in SEEDS if (e := episode(table, np.random.default_rng(seed)))]


def test_a_table_is_read_back_as_it_was_saved(table: CropTable, tmp_path: Path) -> None:
    table.save(tmp_path)
    again = CropTable.load(tmp_path / "drawn.small.1.0.npz")
    assert (again.name, again.source, again.unit) == (table.name, "drawn.small", 1.0)
    assert (again.looks == table.looks).all()
    assert (again.colours == table.colours).all()
    assert (again.hands == table.hands).all()


def test_neighbours_are_beside_and_cornerwise(table: CropTable) -> None:
    assert table.near.sum(axis=1).min() == 4
    assert table.near.sum(axis=1).max() == 9


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("rendered", True),
        ("rendered.trid", True),
        ("rendered.*.1*", True),
        ("rendered.*.2*", False),
        ("rendered.*.*.1", False),
        ("photo", False),
        ("rendered.tri", False),
    ],
)
def test_a_pattern_chooses_tables(pattern: str, expected: bool) -> None:
    assert matches("rendered.trid.101.0", pattern) == expected


def test_an_episode_teaches_and_asks_about_different_frames(table: CropTable) -> None:
    for e in episodes(table):
        assert not {p.frame for p in e.examples} & {p.frame for p in e.questions}
        assert not any(table.hands[p.frame] for p in e.examples)


@pytest.mark.parametrize("frames", [1, 3])
def test_an_episode_says_what_its_places_show(frames: int) -> None:
    table = made(frames)
    assert len(episodes(table)) > len(SEEDS) / 2
    for e in episodes(table):
        assert [table.looks[p] for p in e.examples] == list(e.names)
        assert [table.looks[p] for p in e.questions] == list(e.truths)
        assert UNKNOWN not in e.truths
        assert not {COVERED, UNKNOWN} & set(e.names)
        assert EMPTY in e.names
        assert not set(e.withheld) & set(e.names)


def test_in_one_frame_other_places_are_asked_about_than_shown() -> None:
    for e in episodes(made(1)):
        assert not set(e.examples) & set(e.questions)


def test_looks_are_withheld_now_and_then(table: CropTable) -> None:
    withheld = [len(e.withheld) for e in episodes(table)]
    assert 0 < sum(withheld) < 2 * len(withheld)


def test_a_table_without_pieces_has_no_episode() -> None:
    table = made(1)
    table.looks[:] = EMPTY
    assert not episodes(table)


def test_a_batch_says_of_each_crop_what_its_episode_says(table: CropTable) -> None:
    other = made(3, "drawn.small.2.0")
    store = PixelStore.of([other, table])
    some = episodes(table)
    batch = Batch.of(store, [(1, e) for e in some])
    assert (store.colours[batch.crops.colours[0]] == table.colours[some[0].examples[0]]).all()
    for n, e in enumerate(some):
        named = batch.classes[n][batch.classes[n] != NOTHING].tolist()
        assert [e.looks[number] for number in named] == list(e.names)
        shown = batch.crops.colours[batch.shown[n, : len(named)]]
        assert (table.colours[tuple(np.array(e.examples).T)] == store.colours[shown]).all()
        wanted = batch.wanted[n][batch.wanted[n] != NOTHING].tolist()
        for number, truth in zip(wanted, e.truths, strict=True):
            known = number < len(e.looks) and e.looks[number] == truth
            assert {HIDDEN: truth == COVERED, NOVEL: truth not in e.looks}.get(
                number, known or truth in e.withheld
            )
        assert {int(x) for x in batch.crops.episode[batch.asked[n, : len(wanted)]]} == {n}


def test_what_is_withheld_is_put_together_of_the_examples(table: CropTable) -> None:
    e = next(e for e in episodes(table) if e.withheld and set(e.withheld) & set(e.truths))
    batch = Batch.of(PixelStore.of([table]), [(0, e)])
    assert (np.abs(batch.recipes[0]).sum(axis=1) > 0).sum() == len(e.withheld)
    assert batch.recipes[0].sum(axis=1) == pytest.approx(1)
    assert batch.wanted.max() >= batch.counts[0]


def test_crops_are_changed_in_the_same_way_for_a_seed(table: CropTable) -> None:
    torch = pytest.importorskip("torch")
    from vision.training.places.augment import Pixels

    store = PixelStore.of([table])
    crops = Batch.of(store, [(0, e) for e in episodes(table)]).crops
    (one, covered, unknown), (two, *_) = (Pixels(store, 4).planes(crops) for _ in range(2))
    assert torch.equal(one, two)
    assert one.shape == (len(crops.colours), 7, HEIGHT, WIDTH)
    assert one.max() <= np.float32(BRIGHTEST)
    assert one[:, 3:].min() >= 0
    assert covered.any()
    assert unknown.any()
    assert not (covered & unknown).any()
    assert not (covered | unknown)[torch.from_numpy(~crops.is_asked)].any()


def test_plain_planes_are_the_middles_of_crops(table: CropTable) -> None:
    pytest.importorskip("torch")
    from vision.training.places.augment import Pixels

    store = PixelStore.of([table])
    crops = Batch.of(store, [(0, episodes(table)[0])]).crops
    planes = Pixels(store, 0).plain(crops).numpy()
    crop = store.colours[crops.colours[1], MARGIN:-MARGIN, MARGIN:-MARGIN] / FULL
    assert np.allclose(planes[1, :3].transpose(1, 2, 0), crop)
    assert (planes[:, 6] == 0).all()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (slice(0, 0), (False, False)),
        (slice(0, 9), (False, False)),
        (slice(0, 20), (False, True)),
        (slice(0, 56), (True, False)),
        (slice(12, 40), (True, False)),
    ],
)
def test_what_is_laid_over_a_place_covers_it_or_makes_it_unknown(
    rows: slice, expected: tuple[bool, bool]
) -> None:
    torch = pytest.importorskip("torch")
    from vision.training.places.augment import hidden

    mask = torch.zeros((1, HEIGHT, WIDTH), dtype=torch.bool)
    mask[:, rows] = True
    assert tuple(part.item() for part in hidden(mask)) == expected


@pytest.mark.parametrize(
    ("names", "look"),
    [
        (["white", "black", "white+T", "white", "black"], "black+T"),
        (["red/solid", "red/marked", "blue/solid", "blue/solid"], "blue/marked"),
        (["+T", "white", "white+A", "black+A"], "black+T"),
    ],
)
def test_a_look_is_composed_as_the_gallery_composes_it(names: list[str], look: str) -> None:
    vectors = np.random.default_rng(1).normal(0, 3, (len(names), VECTOR)).astype(np.float32)
    weights = composition(names, look)
    assert weights is not None
    gallery = Gallery.of((*dict.fromkeys(names), look), [(vectors, names)])
    assert np.allclose(weights @ vectors, gallery.composed(look), atol=1e-4)


def test_a_look_with_a_part_never_seen_is_not_composed() -> None:
    assert composition(["white", "black", "white+T"], "red+T") is None


def test_drawn_places_under_a_hand_are_covered_and_those_beside_it_unknown() -> None:
    board = load_board("chess")
    layout, view = PlaceLayout.of(board, parts=False), overlook(board, size=(320, 240))
    hidden = np.zeros((240, 320), bool)
    x, y = view.pixels([board.where("d4")])[0].astype(int)
    hidden[y - 16 : y + 10, x - 12 : x + 13] = True
    shot = drawn.Shot(np.zeros((240, 320, 3), np.uint8), {"d4": "white", "e2": "black"}, hidden)
    frame = shot.frame(Crops(layout, view, MARGIN))
    assert frame.hand
    assert frame.looks["d4"] == COVERED
    assert frame.looks["e2"] == "black"
    assert UNKNOWN in frame.looks.values()
    assert list(frame.looks.values()).count(COVERED) < 5


def test_drawn_tables_are_made_once_and_the_same_for_a_seed(tmp_path: Path) -> None:
    command = ["make", "--drawn", "1", "--out", str(tmp_path / "tables")]
    made = CliRunner().invoke(main, command)
    assert made.exit_code == 0
    assert CliRunner().invoke(main, command).output == ""
    for n, again in enumerate(drawn.tables(0)):
        table = CropTable.load(tmp_path / "tables" / f"{again.name}.npz")
        assert table.name == f"{table.source}.0.{n}"
        assert (table.colours == again.colours).all()
        assert (table.looks == again.looks).all()
        assert bool(table.doubt.max()) == bool(n)  # the second is without a picture of the empty board
        assert len(set(table.looks[0].tolist())) > 2


@pytest.mark.parametrize(
    ("game", "count", "corner", "absent"),
    [
        ("draughts10", 100, "j10", "k1"),
        ("go", 361, "T19", "I1"),
        ("chess", 64, "h8", "i1"),
    ],
)
def test_boards_of_photographs_have_the_places_of_their_sets(
    game: str, count: int, corner: str, absent: str
) -> None:
    board = photographs.board_of(game)
    assert len(board.sites) == count
    assert corner in board.sites
    assert absent not in board.sites


def test_every_place_of_a_position_is_on_its_board(shared: Path) -> None:
    for truth in (shared / "photos").glob("*/truth.json"):
        for picture in photographs.photographs(truth.parent):
            assert set(picture.position) <= set(photographs.board_of(picture.game).sites)


def test_the_picture_with_most_of_every_colour_comes_first(tmp_path: Path) -> None:
    corners = {"SW": [0, 9], "SE": [9, 9], "NE": [9, 0], "NW": [0, 0]}
    moved = {name: [x + 5, y] for name, (x, y) in corners.items()}
    some = [(corners, {"a1": "white"}), (moved, {}), (corners, {"a1": "white", "b1": "black"})]
    pictures = [
        {"file": f"{n}.jpg", "game": "chess", "size": [10, 10], "corners": where, "position": position}
        for n, (where, position) in enumerate(some)
    ]
    (tmp_path / "truth.json").write_text(json.dumps({"pictures": [*pictures, {"corners": None}]}))
    found = photographs.groups(photographs.photographs(tmp_path))
    assert [[p.file.stem for p in group] for group in found] == [["2", "0"], ["1"]]


def picture_set(folder: Path, *entries: dict[str, object]) -> Path:
    """A set of pictures of a grey checkered board, each with what an entry says of it."""
    y, x = np.mgrid[0:200, 0:200]
    board = np.where(((x - 20) // 20 + (y - 20) // 20) % 2, 190, 90).astype(np.uint8)
    board[(np.minimum(x, y) < 20) | (np.maximum(x, y) >= 180)] = 140
    pictures = [{"file": f"{n}.png", "game": "chess", **entry} for n, entry in enumerate(entries)]
    for entry in pictures:
        cv2.imwrite(str(folder / str(entry["file"])), cv2.merge([board] * 3))
    (folder / "truth.json").write_text(json.dumps({"pictures": pictures}))
    return folder


def corners(turned: int = 0) -> dict[str, list[float]]:
    square = [[19.5, 179.5], [179.5, 179.5], [179.5, 19.5], [19.5, 19.5]]
    names = ("SW", "SE", "NE", "NW")
    return {name: square[(n + turned) % 4] for n, name in enumerate(names)}


def test_places_of_which_nothing_is_said_are_not_known(tmp_path: Path) -> None:
    looks = {"a1": "white", "b1": "black", "c1": EMPTY}
    folder = picture_set(tmp_path, {"size": [200, 200], "corners": corners(), "looks": looks})
    (found,) = photographs.tables(folder)
    counts = {str(k): int(v) for k, v in zip(*np.unique(found.looks, return_counts=True), strict=True)}
    assert counts == {"white": 1, "black": 1, EMPTY: 1, UNKNOWN: 61}


def test_pictures_by_a_camera_that_moved_are_put_straight_together(tmp_path: Path) -> None:
    some = ({"a1": "white", "h8": "black"}, {"a2": "white", "h8": "black"})
    entries = [
        {"size": [200, 200], "corners": corners(2 * n), "position": position}
        for n, position in enumerate(some)
    ]
    found = {t.name: t for t in photographs.tables(picture_set(tmp_path, *entries))}
    straight = found[f"photo.{tmp_path.name}.straight.0"]
    assert len(straight.looks) == 2
    middle = straight.colours[:, :, 34:44, 24:34].mean((2, 3, 4))
    assert np.abs(middle[0] - middle[1]).max() < 8


def test_crossings_without_names_are_a_table(tmp_path: Path) -> None:
    sites = [[30.0 + 20 * i, 30.0 + 20 * j, "black" if i == j else EMPTY] for i in range(5) for j in range(5)]
    entry = {"size": [200, 200], "corners": None, "position": None, "sites": sites, "step": 20.0}
    (found,) = photographs.tables(picture_set(tmp_path, entry))
    assert found.name == f"photo.{tmp_path.name}.0.0"
    assert sorted(found.looks[0].tolist()) == ["black"] * 5 + [EMPTY] * 20
    assert found.unit == pytest.approx(1)


def test_a_rendered_hand_covers_places_and_makes_those_beside_unknown(shared: Path) -> None:
    for truth in sorted((shared / "scenes").glob("*/truth.json")):
        scene = Rendered.load(truth.parent)
        for entry in scene.entries:
            looks = scene.labels(entry)
            assert set(entry.get("hidden_by_hand") or []) == {
                p for p, look in looks.items() if look == COVERED and p in scene.board.sites
            }
            assert set(looks) <= set(scene.layout.places)
        assert np.allclose(
            scene.view.pixels([*scene.board.sites.values()]).mean(axis=0),
            np.mean([*scene.truth["views"][0]["sites"].values()], axis=0),
            atol=1.0,
        )


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit", "--data", ".", "--out", "x.pt"],
        ["fit", "--data", ".", "--out", "x.pt", "--steps", "1", "--minutes", "1"],
        ["fit", "--data", ".", "--out", "x.pt", "--steps", "1"],
        ["score", "--data", ".", "--weights", "nothing.pt"],
        ["make", "--photos", "nowhere", "--out", "x"],
    ],
)
def test_a_wrong_command_is_refused_in_words(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "Error: " in result.output


def test_steps_lower_the_loss_and_are_repeatable(table: CropTable) -> None:
    pytest.importorskip("torch")
    from vision.training.places import fit
    from vision.training.places.augment import Pixels

    def losses(seed: int) -> list[float]:
        store = PixelStore.of([table])
        net, batch = fit.new_net(seed), fit.Draw(store, fit.TableChoice.of([table]), 9, 6).batch(0)
        before, _ = fit.loss_of(net, Pixels(store, 0), batch)
        reports = list(fit.fit(net, [table], seed, fit.for_steps(10), rate=0.01, episodes=6))
        after, _ = fit.loss_of(net, Pixels(store, 0), batch)
        return [before.item(), after.item(), reports[-1].loss]

    first = losses(1)
    assert first[1] < 0.9 * first[0]
    assert losses(1) == first


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_opencv_reads_the_same_numbers(table: CropTable, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from vision.training.places import export, fit
    from vision.training.places.augment import Pixels

    net = fit.new_net(2)
    list(fit.fit(net, [table], 2, fit.for_steps(2), episodes=2))
    export.export(net, tmp_path / "places.onnx")
    store = PixelStore.of([table])
    planes = Pixels(store, 0).plain(Batch.of(store, [(0, episodes(table)[0])]).crops).numpy()
    reader = cv2.dnn.readNetFromONNX(str(tmp_path / "places.onnx"))
    reader.setInput(planes)
    out = reader.forward()
    with torch.no_grad():
        vectors, piece, covered = (v.numpy() for v in net.eval()(torch.from_numpy(planes)))
        scale = net.scale.sqrt().item()
        expected = [
            *(vectors * scale).T,
            piece,
            piece + net.new_bias.item(),
            covered + net.covered_bias.item(),
        ]
    assert np.allclose(out, np.stack(expected, axis=1), atol=1e-4)


def test_a_score_asks_about_frames_without_hands_but_the_first(table: CropTable) -> None:
    pytest.importorskip("torch")
    from vision.training.places import fit, score

    net = fit.new_net(0)
    list(fit.fit(net, [table], 0, fit.for_steps(1), episodes=2))
    (result,) = score.scores(net, [table]).values()
    assert result.frames == 1
    assert result.places == SIDE * SIDE
    assert net.training
