"""Who may do what at a real Mosquitto, with the ACL file that `companion hall acl` writes, by TLS."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from broker_bridge.address import Broker, with_files
from broker_bridge.link import Letter, Membership
from broker_bridge.mqtt import MqttLink
from broker_bridge.rights import discovery_id, write_acl
from broker_bridge.topics import ARCHIVED, EVENT, PAIRING, STATE, STATUS, BoardName, TopicError
from companion.cli import main
from tests.brokers import Listener, Mosquitto, joined

SEVEN, EIGHT = BoardName("Hall A", "7"), BoardName("Hall A", "8")
USERS = ("Hall A/7", "Hall A/8", "hall", "wall")


def make_certificates(folder: Path) -> None:
    """Makes a CA, and a certificate for this machine that it has signed."""
    command = ["openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec"]
    command += ["-pkeyopt", "ec_paramgen_curve:P-256"]
    signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-addext", "subjectAltName=IP:127.0.0.1"]
    for more in (
        ["-subj", "/CN=hall CA", "-out", "ca.pem", "-keyout", "ca.key"],
        ["-subj", "/CN=broker", "-out", "cert.pem", "-keyout", "key.pem", *signed],
    ):
        subprocess.run([*command, *more], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """A broker that speaks by TLS alone, and knows boards 7 and 8, the hall and the wall."""
    folder = tmp_path_factory.mktemp("guarded")
    make_certificates(folder)
    (folder / "acl").write_text(write_acl([SEVEN, EIGHT]))
    passwords = folder / "passwords"
    passwords.touch()
    for user in USERS:
        subprocess.run(["mosquitto_passwd", "-b", str(passwords), user, f"of {user}"], check=True)
    for file in folder.iterdir():
        file.chmod(0o600)
    lines = (
        "allow_anonymous false",
        f"password_file {passwords}",
        f"acl_file {folder / 'acl'}",
        f"cafile {folder / 'ca.pem'}",
        f"certfile {folder / 'cert.pem'}",
        f"keyfile {folder / 'key.pem'}",
    )
    with Mosquitto(folder, lines) as broker:
        broker.secure = with_files(replace(broker.plain, is_secure=True), folder / "ca.pem")
        yield broker


def as_user(broker: Mosquitto, user: str, password: str = "") -> Broker:
    return replace(broker.address, user=user, password=password or f"of {user}")


def words_for(broker: Mosquitto, user: str, topic: str) -> str:
    """Returns what a user is told who publishes there: '' where it is taken."""
    link, listener = MqttLink(as_user(broker, user), Membership(f"{user} {topic}")), Listener()
    link.open(listener)
    broker.until(listener, lambda: listener.joins > 0)
    link.publish(Letter(topic, b"1", is_sure=True, is_kept=True))
    broker.until(listener, lambda: bool(listener.numbers or listener.words))
    link.close()
    return next(iter(listener.words), "")


@pytest.mark.parametrize(
    ("user", "topic", "is_taken"),
    [
        ("Hall A/7", SEVEN.topic(STATUS), True),
        ("Hall A/7", SEVEN.topic(EVENT), True),
        ("Hall A/7", SEVEN.topic(ARCHIVED), False),
        ("Hall A/7", EIGHT.topic(STATUS), False),
        ("Hall A/7", EIGHT.topic(EVENT), False),
        ("Hall A/7", "elsewhere", False),
        ("hall", SEVEN.topic(PAIRING), True),
        ("hall", SEVEN.topic(ARCHIVED), True),
        ("hall", SEVEN.topic(STATE), False),
        ("wall", SEVEN.topic(PAIRING), False),
    ],
)
def test_each_writes_what_is_its_own(guarded: Mosquitto, user: str, topic: str, is_taken: bool) -> None:
    words = words_for(guarded, user, topic)
    assert words == ("" if is_taken else "the broker refuses this: not authorized")


def test_each_reads_what_is_for_it(guarded: Mosquitto) -> None:
    everything = ("board-companion/#",)
    seven = joined(guarded, Membership("seven", everything), as_user(guarded, "Hall A/7"))
    wall = joined(guarded, Membership("wall", everything), as_user(guarded, "wall"))
    hall = joined(guarded, Membership("hall"), as_user(guarded, "hall"))
    with seven as (_, at_seven), wall as (_, at_wall), hall as (link, _):
        for board in (EIGHT, SEVEN):
            link.publish(Letter(board.topic(PAIRING), b"{}", is_sure=True))
        guarded.until(at_wall, lambda: at_wall.heard[-1:] == [(SEVEN.topic(PAIRING), b"{}")])
        guarded.until(at_seven, lambda: bool(at_seven.heard))
    assert {topic for topic, _ in at_seven.heard} <= {SEVEN.topic(PAIRING), SEVEN.topic(ARCHIVED)}
    assert EIGHT.topic(PAIRING) in {topic for topic, _ in at_wall.heard}


@pytest.mark.parametrize(
    ("user", "password"), [("Hall A/7", "of Hall A/8"), ("Hall A/9", "of Hall A/9"), ("", "")]
)
def test_strangers_are_not_let_in(guarded: Mosquitto, user: str, password: str) -> None:
    link, listener = MqttLink(as_user(guarded, user, password), Membership("stranger")), Listener()
    link.open(listener)
    guarded.until(listener, lambda: bool(listener.words))
    link.close()
    assert listener.joins == 0
    assert listener.words[0] == "the broker does not take this user name and password"


@pytest.mark.filterwarnings(  # paho leaves the socket to Python, which closes it
    "ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning"
)
def test_a_broker_whose_certificate_nobody_knows_is_not_spoken_to(guarded: Mosquitto) -> None:
    link = MqttLink(replace(as_user(guarded, "wall"), authority=None), Membership("unsure"))
    listener = Listener()
    link.open(listener)
    guarded.until(listener, lambda: bool(listener.words))
    link.close()
    assert listener.joins == 0
    assert "certificate" in listener.words[0]


def test_the_command_writes_the_file_and_tells_of_passwords(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["hall", "acl", "Hall A/8", "Hall A/7"])
    assert ended.value.code == 0
    said = capsys.readouterr()
    assert said.out == write_acl([SEVEN, EIGHT])
    assert "mosquitto_passwd -c /etc/mosquitto/passwords 'Hall A/7'\n" in said.err
    assert "topic write homeassistant" not in said.out
    assert "topic write homeassistant/device/board_companion_Hall_20_A_2f_7/config" in write_acl(
        [SEVEN], True
    )


def test_a_board_whose_name_no_user_can_have_is_refused() -> None:
    with pytest.raises(TopicError, match="has a ':'"):
        write_acl([BoardName("Hall", "7:8")])


def test_home_assistant_knows_boards_apart() -> None:
    names = [BoardName("A", "b c"), BoardName("A b", "c"), BoardName("A", "b_c"), BoardName("Ä", "1")]
    assert len({discovery_id(name) for name in names}) == len(names)
    assert all(discovery_id(name).replace("_", "").isalnum() for name in names)
