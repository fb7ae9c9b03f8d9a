"""The training of the occlusion network: what its tables and examples are; its steps lower the loss."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from vision.hands import WIDTH
from vision.occlusion.network import COARSE
from vision.training.occlusion.__main__ import main
from vision.training.occlusion.examples import Examples
from vision.training.occlusion.tables import DRAWN, is_rendered, photographed, rendered
from vision.training.occlusion.wooden import wooden

CROP = (176, 176)


@pytest.fixture(scope="module")
def examples() -> Examples:
    rng = np.random.default_rng(3)
    return Examples([wooden(rng) for _ in range(2)], seed=5)


def photographs(folder: Path) -> Path:
    """Three pictures of chess: two of one view, one whose corners are not known."""
    corners = {"SW": [10, 70], "SE": [90, 70], "NE": [90, 10], "NW": [10, 10]}
    moved = {name: [x + 1, y] for name, (x, y) in corners.items()}
    pictures = []
    for n, where in enumerate((corners, moved, None)):
        cv2.imwrite(str(folder / f"{n}.png"), np.full((80, 100, 3), 40 * n, np.uint8))
        pictures.append({"file": f"{n}.png", "game": "chess", "corners": where})
    (folder / "truth.json").write_text(json.dumps({"pictures": pictures}))
    return folder


def test_pictures_of_one_view_are_one_table(tmp_path: Path) -> None:
    first, other = photographed(photographs(tmp_path))
    assert [i.shape for i in first.images] == [(DRAWN * 4 // 5, DRAWN, 3)] * 2
    assert first.corners.tolist()[0] == [DRAWN * 0.1, DRAWN * 0.7]
    assert (len(other.images), other.places) == (1, 8.0)
    assert not is_rendered(tmp_path)


def test_a_rendered_sequence_gives_its_views_without_hands(shared: Path) -> None:
    folder = min((shared / "scenes").glob("*/truth.json")).parent
    truth = json.loads((folder / "truth.json").read_text())
    assert is_rendered(folder)
    assert sum(len(t.images) for t in rendered(folder)) == sum(not i["hand"] for i in truth["images"])


def test_a_drawn_board_is_the_same_for_a_seed() -> None:
    one, two = (wooden(np.random.default_rng(8)) for _ in range(2))
    assert (one.corners == two.corners).all()
    assert (np.stack(one.images) == np.stack(two.images)).all()
    assert len({i.tobytes() for i in one.images}) == 4


def test_examples_are_what_the_network_is_given(examples: Examples) -> None:
    covers = []
    for _ in range(8):
        example = examples.draw(CROP)
        small = CROP[0] // COARSE, CROP[1] // COARSE
        assert example.inputs.shape == (8, *CROP)
        assert example.cover.shape == example.weight.shape == small
        assert {a.dtype for a in example} == {np.dtype(np.float32)}
        assert 0 <= example.cover.min() <= example.cover.max() <= 1
        covers.append(example.cover.max())
    assert 0 < np.count_nonzero(covers) < len(covers)


def test_a_mirrored_frame_keeps_its_corners_and_its_cover(examples: Examples) -> None:
    for pair in (examples.frame() for _ in range(8)):
        assert pair.frame.shape[1] == DRAWN == 2 * WIDTH
        assert pair.cover.shape == pair.frame.shape[:2]
        assert {k.shape for k in pair.known} == {pair.frame.shape}
        assert (pair.corners.mean(axis=0) > 0).all()
        assert (pair.corners.mean(axis=0) < pair.frame.shape[1::-1]).all()


@pytest.mark.parametrize("arguments", [["nowhere"], ["--examples", "1"], ["--steps", "-1"], ["."]])
def test_a_wrong_command_is_refused_in_words(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "Error: " in result.output


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_steps_lower_the_loss_and_opencv_reads_the_same_numbers(examples: Examples, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from vision.training.occlusion import fit
    from vision.training.occlusion.export import export
    from vision.training.occlusion.store import ExampleStore

    store = ExampleStore(16)
    for n in range(16):
        store.put(n, examples.draw(CROP))
    store.save(tmp_path / "examples.npz")
    store = ExampleStore.load([tmp_path / "examples.npz"])

    def loss(net: fit.Occlusion) -> float:
        x, wanted, weight = store.batch(np.arange(16), np.random.default_rng(0))
        with torch.no_grad():
            return float(fit.loss_of(net.train()(x), wanted, weight))

    net = fit.new_net(1)
    before = loss(net)
    assert not list(fit.fit(net, store, 6, 1))
    assert loss(net) < before
    export(net, tmp_path / "net.onnx")
    x, _, _ = store.batch(np.arange(1), np.random.default_rng(0))
    reader = cv2.dnn.readNetFromONNX(str(tmp_path / "net.onnx"))
    reader.setInput(x.numpy())
    with torch.no_grad():
        assert np.allclose(reader.forward(), net.eval()(x).numpy(), atol=1e-3)
