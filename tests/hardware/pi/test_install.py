"""The installer: what it would do, what it refuses, and (in a soak) what it does in a Debian root of its own.

The root is made with debootstrap; there is no systemd in it, so `systemctl` is a stand-in that notes what
it was told.
"""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[3]
PI = ROOT / "hardware" / "pi"
INSTALL = PI / "install.sh"
MIRROR = "http://deb.debian.org/debian"
CERTIFICATES = "/srv/certificates.crt"
SYSTEMCTL = '#!/bin/sh\necho "$@" >> /srv/systemctl.log\n'


def install(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([INSTALL, *args], capture_output=True, text=True, check=False, timeout=60)


def test_the_script_is_well_formed() -> None:
    subprocess.run(["bash", "-n", INSTALL], check=True)


def test_shellcheck_finds_nothing() -> None:
    if not shutil.which("shellcheck"):
        pytest.skip("no shellcheck: 'sudo apt install shellcheck' brings it")
    done = subprocess.run(["shellcheck", INSTALL], capture_output=True, text=True, check=False)
    assert done.stdout == ""


def test_a_dry_run_says_every_step_and_does_none() -> None:
    done = install("--dry-run", "--kiosk", "--source", "serial:/dev/ttyACM0")
    assert (done.returncode, done.stderr) == (0, "")
    steps = ("apt-get install", "useradd", "venv", "pip install", "systemctl enable", "avahi", "autostart")
    assert [step for step in steps if step not in done.stdout] == []
    acts = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    assert all(line.startswith(("  would run: ", "  would write: ")) for line in acts)
    assert not Path("/opt/board-companion").exists()


def test_a_dry_run_of_uninstalling_keeps_the_games() -> None:
    done = install("uninstall", "--dry-run")
    assert done.returncode == 0
    acts = [line for line in done.stdout.splitlines() if line.startswith("  would")]
    assert not any("/var/lib" in line or "/etc/default" in line for line in acts)
    assert "stay in /var/lib/board-companion" in done.stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--fast",), "there is no '--fast'"),
        (("--port",), "--port needs a number"),
        (("--port", "80"), "1024 to 65535"),
        (("--port", "99999"), "1024 to 65535"),
        (("--port", "8000; reboot"), "1024 to 65535"),
        (("--source",), "--source needs a source"),
        (("--source", 'x" $(reboot)'), "is no source"),
    ],
)
def test_what_it_refuses(args: tuple[str, ...], words: str) -> None:
    done = install("--dry-run", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_it_needs_root() -> None:
    if os.getuid() != 0:
        assert "sudo" in install().stderr
        return
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "bash", "-s", "--"],
        input=INSTALL.read_text(), capture_output=True, text=True, check=False, cwd="/",
    )  # fmt: skip
    assert done.returncode == 2
    assert "sudo" in done.stderr


def unit() -> configparser.ConfigParser:
    parsed = configparser.ConfigParser(strict=False, interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read(PI / "board-companion.service")
    return parsed


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Type", "notify"), ("User", "board-companion"), ("ProtectSystem", "strict"),
        ("NoNewPrivileges", "yes"), ("StateDirectory", "board-companion"), ("Restart", "on-failure"),
        ("WatchdogSec", "30"), ("CapabilityBoundingSet", ""), ("LimitNOFILE", "8192"),
    ],
)  # fmt: skip
def test_the_service_is_confined_and_watched(name: str, value: str) -> None:
    assert unit()["Service"][name] == value


@pytest.mark.parametrize("name", ["PrivateDevices", "DevicePolicy", "ProtectClock", "DeviceAllow"])
def test_the_service_keeps_its_devices(name: str) -> None:
    assert name not in unit()["Service"]


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd here")
    text = (PI / "board-companion.service").read_text()
    text = text.replace("@GROUPS@", "video").replace("/opt/board-companion/venv/bin/companion", "/bin/true")
    path = tmp_path / "board-companion.service"
    path.write_text(text)
    done = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "board-companion" in line] == []


def test_avahi_finds_the_page() -> None:
    service = ElementTree.fromstring((PI / "avahi.service").read_text()).find("service")
    assert service is not None
    assert (service.findtext("type"), service.findtext("port")) == ("_http._tcp", "@PORT@")


class Debian:
    """A Debian in a folder, with this checkout in it."""

    def __init__(self, folder: Path, suite: str) -> None:
        self.folder = folder
        include = "--include=python3,ca-certificates"
        subprocess.run(
            ["debootstrap", "--variant=minbase", include, suite, folder, MIRROR],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        shutil.copy("/etc/resolv.conf", folder / "etc" / "resolv.conf")
        certificates = os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt")
        shutil.copy(certificates, folder / CERTIFICATES[1:])
        stand_in = folder / "usr/local/sbin/systemctl"
        stand_in.write_text(SYSTEMCTL)
        stand_in.chmod(0o755)
        self.lay_checkout()

    def lay_checkout(self) -> None:
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in (n for n in listed.split("\0") if (ROOT / n).is_file()):
            target = self.folder / "srv/checkout" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)

    def __call__(self, *args: str, user: str = "root") -> str:
        """What a command in there printed."""
        environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
            "PIP_CERT": CERTIFICATES, "PIP_DEFAULT_TIMEOUT": "180", "HOME": "/tmp",
        }  # fmt: skip
        done = subprocess.run(
            ["chroot", f"--userspec={user}", self.folder, *args],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def read(self, path: str) -> str:
        return (self.folder / path).read_text()

    def has(self, path: str) -> bool:
        return os.path.lexists(self.folder / path)

    def told(self) -> list[str]:
        """What systemctl was told since the last time."""
        log = self.folder / "srv/systemctl.log"
        lines = log.read_text().splitlines()
        log.unlink()
        return lines


@pytest.mark.soak
@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_the_installer_in_a_fresh_debian(tmp_path: Path, suite: str) -> None:
    if os.getuid() != 0 or not shutil.which("debootstrap"):
        pytest.skip("needs root and debootstrap")
    debian = Debian(tmp_path / suite, suite)
    script = "/srv/checkout/hardware/pi/install.sh"

    first = debian(script, "--source", "virtual", "--port", "8123")
    assert ":8123/" in first
    unit_name = "board-companion.service"
    assert debian.told() == ["daemon-reload", f"enable {unit_name}", f"restart {unit_name}"]
    settings = debian.read("etc/default/board-companion")
    assert '--host 0.0.0.0 --port 8123 --source virtual"' in settings
    assert (debian.folder / "etc/default/board-companion").stat().st_mode & 0o777 == 0o640
    assert "<port>8123</port>" in debian.read("etc/avahi/services/board-companion.service")
    assert {"dialout", "video"} <= set(debian("id", "-nG", "board-companion").split())
    assert "@GROUPS@" not in debian.read("etc/systemd/system/board-companion.service")

    state = "/var/lib/board-companion"
    assert "broken" not in debian("companion", "doctor", "--data", state, user="board-companion")
    debian("sh", "-c", "echo triune a2-a3 > /tmp/game.txt")
    debian("companion", "records", "import", "--data", state, "/tmp/game.txt", user="board-companion")

    again = debian(script, "update", "--port", "9999")
    assert "stay as they are" in again
    assert debian.read("etc/default/board-companion") == settings
    assert "1 actions" in debian("companion", "records", "list", "--data", state, user="board-companion")
    assert debian.told()[-1] == "restart board-companion.service"

    assert "stay in" in debian(script, "uninstall")
    assert debian.told() == ["disable --now board-companion.service", "daemon-reload"]
    gone = ("opt/board-companion", "usr/local/bin/companion", "etc/systemd/system/board-companion.service")
    assert not any(debian.has(path) for path in gone)
    assert debian.has("var/lib/board-companion/games.sqlite")
    assert debian.read("etc/default/board-companion") == settings
    assert "stay in" in debian(script, "uninstall")
    assert ":8123/" in debian(script)


def test_a_file_is_private_from_its_first_byte(tmp_path: Path) -> None:
    function = "place() {" + INSTALL.read_text().split("\nplace() {")[1].split("\n}\n")[0] + "\n}"
    settings = tmp_path / "settings"
    watched = f'cat() {{ stat -c %a "{settings}.new"; command cat; }}; chown() {{ :; }}'
    script = f'set -eu; dry=no; umask 022; {watched}; {function}; echo PIN | place "{settings}" 0640'
    subprocess.run(["bash", "-c", script], check=True)
    assert settings.read_text() == "600\nPIN\n"
    assert settings.stat().st_mode & 0o777 == 0o640
