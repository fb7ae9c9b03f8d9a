"""The virtual table's pieces over a virtual grid."""

from __future__ import annotations

from random import Random

from companion.core.board import load_board
from companion.games.text import read_game
from firmware_bridge.line.messages import TO_HOST, Peer, Snapshot, State, unpack_states
from firmware_bridge.sensing.grid_source import VirtualGridSource
from vision.sources.virtual import VirtualTable
from web.runtime.runtime import lay_magnets


def felt(source: VirtualGridSource) -> set[str]:
    """The sites that the device says are occupied when it is switched on."""
    device = source.device
    device.power_up()
    peer = Peer(TO_HOST)
    told = [e for e in peer.events(device.advance(0.0)) if isinstance(e, Snapshot)]
    states = unpack_states(told[0].states, len(device.wiring.sites))
    return {site for site, state in zip(device.wiring.sites, states, strict=True) if state is not State.OPEN}


def lay(table: VirtualTable, head: str) -> set[str]:
    game = read_game(head)
    start = game.start()
    table.lay(game.rules, start, game.board)
    return set(game.rules.look(start)) & set(game.board.sites)


def test_pieces_on_sites_are_felt_and_another_board_is_another_grid() -> None:
    table = VirtualTable(load_board("triune"), Random(1))
    source = VirtualGridSource(load_board("triune"), None, "serial:virtual")
    pieces = lay(table, "triune")
    lay_magnets(table, source)
    assert felt(source) == pieces
    table.become({"d4": "red/solid"})
    lay_magnets(table, source)
    assert felt(source) == {"d4"}
    pieces = lay(table, "escape")
    lay_magnets(table, source)
    assert source.device.wiring.board == "escape"
    assert felt(source) == pieces


def test_while_the_grid_is_set_up_the_page_plays_the_hands() -> None:
    table = VirtualTable(load_board("triune"), Random(1))
    source = VirtualGridSource(load_board("triune"), None, "serial:virtual")
    lay(table, "triune")
    source.hold_play(float("inf"))
    lay_magnets(table, source)
    assert felt(source) == set()
