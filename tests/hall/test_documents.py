"""The commands of docs/hall.md and hall/compose.yaml are those that there are, and so are their files."""

from __future__ import annotations

import getpass
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from broker_bridge.rights import HALL, WALL
from companion.cli import cli
from hall.broker.mosquitto import PASSWORDS, RIGHTS, Files, Mosquitto, configuration
from hall.broker.passwords import Passwords
from tests.brokers import find_mosquitto, free_port

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "hall.md").read_text(encoding="utf-8")
COMPOSE = ROOT / "hall" / "compose.yaml"
SERVICES: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
BLOCKS = re.findall(r"^```(?:sh|text)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
BEFORE = re.compile(r"^(?:[A-Z_]+=\S+|sudo -u board-companion) ")
TYPED = [BEFORE.sub("", line) for block in BLOCKS for line in block.splitlines()]
ABOVE = re.findall(r"^# +\.venv/bin/(companion .*)$", COMPOSE.read_text(encoding="utf-8"), re.MULTILINE)
COMMANDS = [line for line in (*TYPED, *ABOVE) if line.startswith("companion ")]


def parse(words: list[str]) -> click.Context:
    """Reads a command line as far as it can be read without being carried out."""
    context = click.Context(cli)
    while isinstance(context.command, click.Group):
        name, command, words = context.command.resolve_command(context, words)
        assert command is not None, words
        if isinstance(command, click.Group):
            context = click.Context(command, parent=context, info_name=name)
        else:
            return command.make_context(name, words, parent=context)
    raise AssertionError(words)


@pytest.mark.parametrize("line", dict.fromkeys(COMMANDS))
def test_a_command_of_the_document_is_one(line: str) -> None:
    parse(shlex.split(line)[1:])


def test_there_are_commands() -> None:
    assert {line.split()[2] for line in COMMANDS if line.startswith("companion hall")} >= {
        "boards", "results", "rounds", "up",
    }  # fmt: skip


@pytest.mark.parametrize("name", [name for name, service in SERVICES.items() if "build" in service])
def test_a_container_is_given_a_command(name: str) -> None:
    words = SERVICES[name]["command"]
    if len(words) == 1:  # a script, whose last line is the command
        line = words[0].strip().splitlines()[-1]
        words = shlex.split(line.partition("/bin/companion ")[2])
    context = parse(words)
    assert context.params["broker"] in (f"mqtt://{HALL}@mosquitto", f"mqtt://{WALL}@mosquitto")
    assert str(context.params["password"]) in (f"/files/{HALL}.password", f"/files/{WALL}.password")


def test_containers_have_no_default_passwords_and_are_looked_after() -> None:
    whole = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    for name, service in SERVICES.items():
        assert ("healthcheck" in service) == (name != "credentials")
        assert (service.get("restart") == "unless-stopped") == (name != "credentials")
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in whole["volumes"] or (ROOT / "hall" / source).exists() or "hall-data" in source
        for key, value in service.get("environment", {}).items():
            assert not re.search("PASSWORD|PIN", key) or key.endswith("_FILE") or ":?" in value
    assert whole["secrets"]["postgres"]["file"].endswith("postgres.password")


def test_the_service_carries_the_hall_and_is_confined_as_the_board_is() -> None:
    hall, board = (
        (ROOT / "hardware" / "pi" / f"{name}.service").read_text(encoding="utf-8").splitlines()
        for name in ("board-companion-hall", "board-companion")
    )
    (start,) = (line for line in hall if line.startswith("ExecStart="))
    words = start.partition("/bin/companion ")[2].split()
    assert words.pop() == "$HALL_ARGS"
    parse(words)
    confined = board[board.index("NoNewPrivileges=yes") : board.index("[Install]")]
    assert set(confined) - {"SystemCallFilter=setpriority"} <= set(hall)


def settings(text: str) -> set[str]:
    lines = (line.strip() for line in text.splitlines())
    return {line for line in lines if line and not line.startswith("#")}


def test_a_mosquitto_of_the_system_is_set_as_our_own(tmp_path: Path) -> None:
    text = (ROOT / "hall" / "mosquitto.conf").read_text(encoding="utf-8")
    own = settings(configuration(Path("/etc/mosquitto"), "0.0.0.0", 1883))
    assert settings(text) == {line for line in own if line.split()[0] not in OF_A_CHILD}
    port, files, passwords = free_port(), Files(tmp_path), Passwords(tmp_path)
    passwords.add()
    files.write_users(passwords)
    for name in (PASSWORDS, RIGHTS):
        text = text.replace(f"/etc/mosquitto/{name}", str(tmp_path / name))
    text = text.replace("listener 1883", f"listener {port} 127.0.0.1\npersistence_location {tmp_path}/")
    files.configuration.write_text(f"{text}user {getpass.getuser()}\nlog_type information\nlog_dest stderr\n")
    with Mosquitto(find_mosquitto(), files, port) as mosquitto:
        assert not mosquitto.has_ended


OF_A_CHILD = ("persistence_location", "log_type", "log_dest", "user")
"""What a child is told besides: where its files are, and to say what it does."""
