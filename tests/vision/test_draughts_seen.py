"""Draughts before a camera: kings of two discs are read as pieces of their owners."""

from random import Random

import pytest

from companion.core.game import EMPTY
from companion.games.text import read_game, replay
from tests.samples import first_few
from vision.calibration.calibrate import calibrate
from vision.known.example import Example
from vision.reading.reader import Reader
from vision.sources.virtual import VirtualTable


@pytest.mark.parametrize(("head", "fen"), first_few(1, [
    ("draughts", "W:WK3,K14,20,22,K30,32:B1,K9,12,K27,K29"),
    ("draughts variant=international", "W:WK3,K14,20,22,K30,32,K50:B1,K9,12,K27,K46,40"),
]))  # fmt: skip
def test_men_and_kings_are_read_after_the_start_alone_was_shown(head: str, fen: str) -> None:
    game, start, _ = replay(head)
    rules, board = game.rules, game.board
    virtual = VirtualTable(board, Random(4))
    virtual.lay(rules, start, board)
    looks = dict(rules.look(start))
    empty, shown = virtual.picture({}), virtual.picture(looks)
    reader = Reader(calibrate(board, head, rules.looks(start), [Example(shown, looks)], [empty]), board)
    position = read_game(f"{head} fen={fen}").start()
    virtual.lay(rules, position, board)
    laid = {item.look for item in virtual.table.items}
    assert {"white/king", "black/king", "white/man", "black/man"} <= laid
    seen = reader.read_unprompted(virtual.picture()).looks
    should = rules.look(position)
    assert {place: look for place, look in seen.items() if look != EMPTY} == should
