"""The contract of a link, held by the one to a real Mosquitto and the one to the broker in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.simulation.virtual_broker import matches
from broker_bridge.link import Letter, Membership
from broker_bridge.mqtt import MqttLink
from tests.brokers import Listener, Mosquitto, TestBroker, Virtual, free_port, joined


@pytest.fixture(scope="module")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("mosquitto")) as broker:
        yield broker


@pytest.fixture(params=["virtual", "mosquitto"])
def broker(request: pytest.FixtureRequest) -> TestBroker:
    found: TestBroker = Virtual() if request.param == "virtual" else request.getfixturevalue("mosquitto")
    return found


@pytest.fixture
def at(request: pytest.FixtureRequest) -> str:
    """The beginning of topics that are this test's own."""
    return request.node.name.replace("[", "/").rstrip("]")


def test_letters_arrive_in_order(broker: TestBroker, at: str) -> None:
    reader, writer = Membership(f"{at}-r", (f"{at}/#",)), Membership(f"{at}-w")
    with joined(broker, reader) as (_, listener), joined(broker, writer) as (link, told):
        numbers = [link.publish(Letter(f"{at}/{n}", b"%d" % n, is_sure=True)) for n in range(100)]
        broker.until(listener, lambda: len(listener.heard) == 100)
        broker.until(told, lambda: len(told.numbers) == 100)
    assert listener.heard == [(f"{at}/{n}", b"%d" % n) for n in range(100)]
    assert told.numbers == numbers == sorted(set(numbers))
    assert all(delivery.number and not delivery.was_kept for delivery in listener.deliveries)


def test_an_unsure_letter_needs_no_acceptance(broker: TestBroker, at: str) -> None:
    reader, writer = Membership(f"{at}-r", (f"{at}/#",)), Membership(f"{at}-w")
    with joined(broker, reader) as (_, listener), joined(broker, writer) as (link, told):
        number = link.publish(Letter(f"{at}/x", b"1"))
        broker.until(listener, lambda: listener.heard == [(f"{at}/x", b"1")])
        broker.until(told, lambda: told.numbers == [number])
    assert [delivery.number for delivery in listener.deliveries] == [0]


def test_what_is_kept_is_handed_to_who_comes_later(broker: TestBroker, at: str) -> None:
    with joined(broker, Membership(f"{at}-w")) as (link, told):
        for text in (b"1", b"2"):
            link.publish(Letter(f"{at}/kept", text, is_sure=True, is_kept=True))
        link.publish(Letter(f"{at}/gone", b"1", is_sure=True, is_kept=True))
        link.publish(Letter(f"{at}/gone", b"", is_sure=True, is_kept=True))
        broker.until(told, lambda: len(told.numbers) == 4)
    with joined(broker, Membership(f"{at}-r", (f"{at}/+",))) as (_, listener):
        broker.until(listener, lambda: bool(listener.heard))
    assert listener.heard == [(f"{at}/kept", b"2")]
    assert listener.deliveries[0].was_kept


def test_what_was_not_accepted_comes_again(broker: TestBroker, at: str) -> None:
    reader = Membership(f"{at}-r", (f"{at}/#",), is_remembered=True)
    with joined(broker, Membership(f"{at}-w")) as (link, told):
        with joined(broker, reader) as (own, listener):
            for n in range(4):
                link.publish(Letter(f"{at}/x", b"%d" % n, is_sure=True))
            broker.until(listener, lambda: len(listener.heard) == 4)
            for delivery in listener.deliveries[:2]:
                own.accept(delivery)
            # what was accepted reaches the broker before the end of the link does
            if isinstance(broker, Virtual):
                broker.broker.settle()
        for n in range(4, 6):
            link.publish(Letter(f"{at}/x", b"%d" % n, is_sure=True))
        broker.until(told, lambda: len(told.numbers) == 6)
        with joined(broker, reader) as (_, again):
            broker.until(again, lambda: len(again.heard) == 4)
    assert [payload for _, payload in again.heard] == [b"2", b"3", b"4", b"5"]


def test_who_is_not_remembered_begins_anew(broker: TestBroker, at: str) -> None:
    reader = Membership(f"{at}-r", (f"{at}/#",))
    with joined(broker, Membership(f"{at}-w")) as (link, told):
        with joined(broker, reader) as (_, listener):
            link.publish(Letter(f"{at}/x", b"1", is_sure=True))
            broker.until(listener, lambda: bool(listener.heard))
        link.publish(Letter(f"{at}/x", b"2", is_sure=True))
        broker.until(told, lambda: len(told.numbers) == 2)
        with joined(broker, reader) as (_, again):
            link.publish(Letter(f"{at}/x", b"3", is_sure=True))
            broker.until(again, lambda: bool(again.heard))
    assert again.heard == [(f"{at}/x", b"3")]


def test_a_will_is_published_for_who_is_cut_off_and_not_for_who_leaves(broker: TestBroker, at: str) -> None:
    def member(name: str) -> Membership:
        return Membership(f"{at}-{name}", will=Letter(f"{at}/{name}", b"will", is_sure=True))

    with joined(broker, Membership(f"{at}-r", (f"{at}/#",))) as (_, listener):
        left = broker.link(member("left"))
        heard = Listener()
        left.open(heard)
        broker.until(heard, lambda: heard.joins == 1)
        left.close(Letter(f"{at}/left", b"goodbye", is_sure=True))
        cut = broker.link(member("cut"))
        lost = Listener()
        cut.open(lost)
        broker.until(lost, lambda: lost.joins == 1)
        with joined(broker, Membership(f"{at}-cut")):  # another takes its name: the broker breaks with it
            broker.until(lost, lambda: bool(lost.words))
            cut.close()
            broker.until(listener, lambda: len(listener.heard) == 2)
    assert listener.heard == [(f"{at}/left", b"goodbye"), (f"{at}/cut", b"will")]


@pytest.mark.parametrize("kind", ["virtual", "mosquitto"])
def test_a_link_comes_back_with_the_broker_and_has_forgotten_what_waited(kind: str, tmp_path: Path) -> None:
    broker: TestBroker = Virtual() if kind == "virtual" else Mosquitto(tmp_path / "m")
    if isinstance(broker, Mosquitto):
        broker.start()
    with joined(broker, Membership("a", ("x/#",))) as (link, listener):
        broker.stop()
        broker.until(listener, lambda: len(listener.words) > 0)
        assert link.publish(Letter("x/1", b"lost", is_sure=True)) == 0
        broker.start()
        broker.until(listener, lambda: listener.joins == 2)
        number = link.publish(Letter("x/1", b"found", is_sure=True))
        broker.until(listener, lambda: listener.numbers == [number] and bool(listener.heard))
    broker.stop()
    assert listener.heard == [("x/1", b"found")]
    assert listener.words[0]


def test_a_broker_that_is_not_there_is_told_and_nobody_waits() -> None:
    broker = Mosquitto(Path(), port=free_port())
    link, listener = MqttLink(broker.address, Membership("a")), Listener()
    link.open(listener)
    broker.until(listener, lambda: bool(listener.words))
    assert link.publish(Letter("x", b"")) == 0
    link.close()
    assert f"no broker answers at mqtt://127.0.0.1:{broker.port}" in listener.words[0]
    assert listener.joins == 0


@pytest.mark.parametrize(
    ("pattern", "topic", "expected"),
    [
        ("a/b", "a/b", True),
        ("a/+", "a/b", True),
        ("a/+", "a/b/c", False),
        ("a/#", "a/b/c", True),
        ("a/#", "a", True),
        ("#", "a/b", True),
        ("a/b/c", "a/b", False),
        ("+/b", "a/c", False),
    ],
)
def test_filters_match_as_mqtt_says(pattern: str, topic: str, expected: bool) -> None:
    assert matches(pattern, topic) is expected
