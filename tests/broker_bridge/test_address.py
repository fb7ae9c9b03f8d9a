"""Addresses of brokers, and what is told where one cannot be used."""

import sys
from pathlib import Path

import pytest

from broker_bridge.address import Broker, BrokerError, read_broker, read_password, with_files
from broker_bridge.connection import link_to
from broker_bridge.link import Membership


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mqtt://hall", Broker("hall")),
        ("mqtt://hall/", Broker("hall")),
        ("mqtt://hall:1884", Broker("hall", 1884)),
        ("mqtts://hall", Broker("hall", 8883, is_secure=True)),
        ("mqtt://10.0.0.2", Broker("10.0.0.2")),
        ("mqtt://[fe80::1]:1883", Broker("fe80::1")),
        ("mqtt://Hall%20A%2F7:p%40ss@hall", Broker("hall", user="Hall A/7", password="p@ss")),
    ],
)
def test_addresses_are_read(text: str, expected: Broker) -> None:
    assert read_broker(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hall",
        "hall:1883",
        "http://hall",
        "mqtt://",
        "mqtt://hall:x",
        "mqtt://hall:99999",
        "mqtt://hall/a",
    ],
)
def test_what_is_no_address_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(BrokerError, match="a broker is named mqtt://HOST"):
        read_broker(text)


def test_no_password_is_shown() -> None:
    broker = read_broker("mqtt://ann:secret@hall")
    assert "secret" not in f"{broker} {broker!r}"
    with pytest.raises(BrokerError) as told:
        read_broker("mqtt://ann:secret@hall:x")
    assert "secret" not in str(told.value)


def test_a_password_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("p@ss word\nmore\n")
    assert read_password(file) == "p@ss word"
    file.write_text("")
    with pytest.raises(BrokerError, match="holds no password"):
        read_password(file)
    with pytest.raises(BrokerError, match="cannot read"):
        read_password(tmp_path / "missing")


def test_certificates_need_a_secured_address_and_files(tmp_path: Path) -> None:
    with pytest.raises(BrokerError, match="certificates are for mqtts"):
        with_files(read_broker("mqtt://hall"), tmp_path)
    with pytest.raises(BrokerError, match="there is no file"):
        with_files(read_broker("mqtts://hall"), tmp_path / "missing")
    broken = tmp_path / "ca.pem"
    broken.write_text("no certificate")
    secured = with_files(read_broker("mqtts://hall"), broken)
    with pytest.raises(BrokerError, match="the certificates for mqtts://hall:8883 cannot be used"):
        link_to(secured, Membership("a"))


def test_a_missing_library_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "broker_bridge.mqtt", None)
    with pytest.raises(BrokerError, match=r"pip install 'board-companion\[hall\]'"):
        link_to(Broker("hall"), Membership("a"))
