"""A real game on video, from its first frame to mate: `calibrate`, then `watch`, as anybody would type it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

GAME = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"
CORNERS = "507,377 506,10 140,5 137,374"


def companion(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from companion.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


@pytest.mark.soak  # tests/web/test_web_run.py watches the same game on the page
@pytest.mark.parametrize(("frame", "given"), [(0, ("--corners", CORNERS)), (2, ())])
def test_a_real_game_is_refereed(shared: Path, tmp_path: Path, frame: int, given: tuple[str, ...]) -> None:
    video = shared / "photos" / "webcam-chess" / "scholarsmate.avi"
    quiet, profile = tmp_path / "quiet.png", tmp_path / "profile.json"
    source = cv2.VideoCapture(str(video))
    for _ in range(frame + 1):
        _, image = source.read()
    cv2.imwrite(str(quiet), image)
    learned = companion("calibrate", "--game", "chess", "--image", str(quiet), *given, "-o", str(profile))
    assert learned.returncode == 0, learned.stderr
    seen = companion("watch", "--game", "chess", "--source", f"video:{video}", "--profile", str(profile))
    events = [json.loads(line) for line in seen.stdout.splitlines()]
    assert " ".join(e["action"] for e in events if e["event"] == "action") == GAME
    assert [e["reason"] for e in events if e["event"] == "over"] == ["checkmate"]
    assert not [e for e in events if e["event"] == "refused"]
    assert events[-1] == {"event": "record", "text": f"chess {GAME}"}


def test_castling_half_done_on_photographs_waits_for_the_rook(shared: Path, tmp_path: Path) -> None:
    pictures, profile = shared / "cases" / "turn3" / "castling-camera", tmp_path / "wood.json"
    game = "chess fen=r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R_w_KQkq_-_4_4"
    images = [f"{pictures / '1-before.jpg'}@0", f"{pictures / '3-rook-on-f1.jpg'}@1"]
    given = [word for image in images for word in ("--image", image)]
    learned = companion("calibrate", "--game", f"{game} e1g1", *given, "-o", str(profile))
    assert learned.returncode == 0, learned.stderr
    seen = companion("watch", "--game", game, "--source", f"folder:{pictures}", "--profile", str(profile))
    begun, *others = [json.loads(line) for line in seen.stdout.splitlines()]
    assert (begun["event"], begun["left"]) == ("begun", ["Move the white rook from h1 to f1."])
    assert [event["event"] for event in others] == ["action", "record"]
    assert others[-1]["text"] == f"{game} e1g1"
