"""What is said of an environment that does not answer at its trial; `pi/test_install.py` tries this one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hardware.trial import try_companion

DEAF = 'import time; print("Board Companion: open http://127.0.0.1:9/", flush=True); time.sleep(60)'


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("raise SystemExit('no numpy')", "it does not start: see above"),
        ("print('no camera')", "it does not start: no camera"),
        (DEAF, "its page does not answer"),
    ],
)
def test_what_is_wrong(program: str, words: str, tmp_path: Path) -> None:
    command = tmp_path / "companion"
    command.write_text(f"#!{sys.executable}\n{program}\n")
    command.chmod(0o755)
    assert words in try_companion(command)


PAGE = """
import http.server
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(503 if self.path.endswith("png") else 200)
        self.end_headers()
        self.wfile.write(b"{said}")
server = http.server.HTTPServer(("127.0.0.1", 0), Page)
print(f"Board Companion: open http://127.0.0.1:{{server.server_port}}/", flush=True)
server.serve_forever()
"""


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("this takes longer than 60 seconds here: save the game's record instead", ""),
        ("this could not be drawn, perhaps for want of memory", "its page does not answer: HTTP Error 503"),
    ],
)
def test_a_computer_that_is_slow_to_draw_is_not_broken(said: str, wrong: str, tmp_path: Path) -> None:
    command = tmp_path / "companion"
    command.write_text(f"#!{sys.executable}\n{PAGE.format(said=said)}")
    command.chmod(0o755)
    found = try_companion(command)
    assert found.startswith(wrong)
    assert bool(found) == bool(wrong)


def test_one_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    command = tmp_path / "companion"
    command.write_text("#!/bin/sh\nexec sleep 60\n")
    command.chmod(0o755)
    assert try_companion(command, patience=0.1) == "it does not start: see above"
