"""The installer: what it would do, what it refuses, and (in a soak) what it does in a Debian root of its own.

The root is made with debootstrap; there is no systemd in it, so `systemctl` is a stand-in that notes what
it was told.
"""

from __future__ import annotations

import configparser
import ctypes.util
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware_bridge.line.usb import USB, udev_rules

ROOT = Path(__file__).resolve().parents[3]
PI = ROOT / "hardware" / "pi"
INSTALL = PI / "install.sh"
MIRROR = "http://deb.debian.org/debian"
CERTIFICATES = "/srv/certificates.crt"
EVERYTHING = ("--kiosk", "--source", "serial:/dev/ttyACM0")
SYSTEMCTL = '#!/bin/sh\necho "$@" >> /srv/systemctl.log\n'


@cache  # a dry run does nothing
def install(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([INSTALL, *args], capture_output=True, text=True, check=False, timeout=240)


def test_the_script_is_well_formed() -> None:
    subprocess.run(["bash", "-n", INSTALL], check=True)


def test_shellcheck_finds_nothing() -> None:
    if not shutil.which("shellcheck"):
        pytest.skip("no shellcheck: 'sudo apt install shellcheck' brings it")
    done = subprocess.run(["shellcheck", INSTALL], capture_output=True, text=True, check=False)
    assert done.stdout == ""


def test_a_dry_run_says_every_step_and_does_none() -> None:
    done = install("--dry-run", *EVERYTHING)
    assert (done.returncode, done.stderr) == (0, "")
    steps = (
        "apt-get install",
        "useradd",
        "venv",
        "--require-hashes",
        "systemctl enable",
        "avahi",
        "kiosk",
    )
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


@pytest.mark.parametrize(("kind", "refused"), [("armhf", True), ("i386", True), ("arm64", False)])
def test_a_system_of_32_bit_is_refused_with_the_reason(tmp_path: Path, kind: str, refused: bool) -> None:
    for name, does in (("dpkg", f"echo {kind}"), ("apt-cache", "echo Package: python3-lgpio")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{does}\n")
        program.chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for action in ("install", "update"):
        done = subprocess.run(
            [INSTALL, action, "--dry-run"], capture_output=True, text=True, env=os.environ | path
        )
        assert done.returncode == (2 if refused else 0)
        assert (f"of 32 bit ({kind})" in done.stderr) is refused
        assert not refused or (done.stdout, done.stderr.count("\n")) == ("", 1)
        assert refused or "fonts-dejavu-core python3-lgpio\n" in done.stdout, "what only some systems have"


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
        ("WatchdogSec", "30"), ("CapabilityBoundingSet", ""), ("LimitNOFILE", "2048"), ("TasksMax", "128"),
        ("MemoryHigh", "65%"), ("MemoryMax", "80%"), ("OOMPolicy", "continue"),
        ("Environment", "MALLOC_ARENA_MAX=2"),
        ("UMask", "0077"), ("ProtectProc", "invisible"), ("SystemCallErrorNumber", "EPERM"),
    ],
)  # fmt: skip
def test_the_service_is_confined_and_watched(name: str, value: str) -> None:
    assert unit()["Service"][name] == value


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (
            "PrivateDevices",
            "/dev/video*, /dev/media*, /dev/ttyACM*, /dev/ttyUSB*, /dev/gpiochip* are not there",
        ),
        ("DevicePolicy", "nor a kind of device that is plugged in later"),
        ("DeviceAllow", "the same"),
        ("ProtectClock", "the same: it brings a list of devices"),
        ("ProcSubset", "/proc/device-tree and /proc/cpuinfo, by which gpiozero knows a Pi"),
        ("InaccessiblePaths", "a path of a device may be among them"),
        ("PrivateNetwork", "tablets"),
        ("PrivateUsers", "the groups that devices belong to"),
        ("IPAddressDeny", "tablets with an address that the whole world knows, as IPv6 gives them"),
    ],
)
def test_the_service_reaches_its_devices(name: str, what: str) -> None:
    assert name not in unit()["Service"], f"would shut out {what}"


def test_the_service_is_in_the_groups_of_its_devices() -> None:
    """Cameras: video; their memory: render; serial ports: dialout; pins: gpio."""
    assert unit()["Service"]["SupplementaryGroups"] == "@GROUPS@"
    wanted = re.search(r"^GROUPS_WANTED=\((.*)\)$", INSTALL.read_text(), re.MULTILINE)
    assert wanted is not None
    assert set(wanted[1].split()) == {"dialout", "video", "gpio", "render"}


@pytest.fixture
def installed_unit(tmp_path: Path) -> Path:
    """The unit as it is installed, with a program that is there."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze: 'sudo apt install systemd' brings it")
    text = (PI / "board-companion.service").read_text()
    text = text.replace("@GROUPS@", "video").replace(
        "/opt/board-companion/current/bin/companion", "/bin/true"
    )
    path = tmp_path / "board-companion.service"
    path.write_text(text)
    return path


def test_systemd_accepts_the_unit(installed_unit: Path) -> None:
    command = ["systemd-analyze", "verify", installed_unit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "board-companion" in line] == []


def test_systemd_counts_an_exposure_of_at_most_two(installed_unit: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", installed_unit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-200:] + done.stderr


def test_the_companion_runs_within_the_units_system_calls(installed_unit: Path) -> None:
    if not ctypes.util.find_library("seccomp"):
        pytest.skip("no libseccomp here")
    confined = [sys.executable, Path(__file__).with_name("confined.py"), installed_unit]
    ask = "import os; os.sched_setaffinity(0, os.sched_getaffinity(0))"
    refused = subprocess.run([*confined, sys.executable, "-c", ask], capture_output=True, check=False)
    assert b"Operation not permitted" in refused.stderr
    done = subprocess.run(
        [*confined, sys.executable, "-m", "hardware.trial"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def kiosk_unit(tmp_path: Path) -> Path:
    """The unit of the page on a screen without a desktop, with programs that are there."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze: 'sudo apt install systemd' brings it")
    text = (PI / "board-companion-kiosk.service").read_text()
    for written, there in (("@GROUPS@", "video"), ("/usr/bin/cage", "/bin/true"), ("@PORT@", "8000")):
        assert written in text
        text = text.replace(written, there)
    # What it needs is not installed here; the names are checked against the installer in another test.
    text = re.sub(r"^(After|Wants|Requires)=.*\n", "", text, flags=re.MULTILINE)
    path = tmp_path / "board-companion-kiosk.service"
    path.write_text(text.replace("@BROWSER@", "/bin/true"))
    return path


def test_systemd_accepts_the_kiosks_unit(kiosk_unit: Path) -> None:
    command = ["systemd-analyze", "verify", kiosk_unit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "kiosk" in line] == []
    kiosk_unit.write_text(kiosk_unit.read_text().replace("TTYPath=", "TTYPathh="))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "TTYPathh" in done.stderr


def test_the_kiosk_starts_after_the_page_and_takes_the_first_console() -> None:
    kiosk = configparser.ConfigParser(strict=False, interpolation=None)
    kiosk.optionxform = str  # type: ignore[assignment, method-assign]
    kiosk.read(PI / "board-companion-kiosk.service")
    assert {"board-companion.service", "seatd.service", "getty@tty1.service"} <= set(
        kiosk["Unit"]["After"].split()
    )
    assert kiosk["Unit"]["Requires"] == "seatd.service"
    assert kiosk["Unit"]["Conflicts"] == "getty@tty1.service"
    assert kiosk["Service"]["TTYPath"] == "/dev/tty1"
    command = kiosk["Service"]["ExecStart"].split()
    assert command[:4] == ["/usr/bin/cage", "-s", "--", "@BROWSER@"]
    assert {"--kiosk", "--ozone-platform=wayland", "--password-store=basic"} <= set(command)
    assert command[-1] == "http://localhost:@PORT@/"
    assert kiosk["Service"]["User"] != unit()["Service"]["User"]
    # Each of these would set NoNewPrivileges, without which the browser's sandbox has no helper.
    assert not {
        key for key in kiosk["Service"] if key.startswith(("ProtectKernel", "Restrict", "SystemCall"))
    }


def test_modems_are_not_looked_for_in_any_board_that_can_be_a_grid() -> None:
    rules = (PI / "board-companion.rules").read_text()
    assert rules == udev_rules(), "make it again: python -m firmware_bridge.line.usb"
    kept = [line for line in rules.splitlines() if line.endswith('ENV{ID_MM_DEVICE_IGNORE}="1"')]
    assert len(kept) == sum(bool(board.controllers) for board in USB.values())
    assert 'ATTR{idVendor}=="2341", ATTR{idProduct}=="0042", ENV{ID_MM_DEVICE_IGNORE}="1"' in kept
    assert 'ATTR{idVendor}=="2a03", ENV{ID_MM_DEVICE_IGNORE}="1"' in kept


def test_chessnut_boards_may_be_read_by_whoever_may_use_ports() -> None:
    rules = (PI / "board-companion.rules").read_text().splitlines()
    (rule,) = (line for line in rules if line.startswith('SUBSYSTEM=="hidraw"'))
    assert rules.index(rule) < rules.index('SUBSYSTEM!="usb", GOTO="board_companion_end"')
    assert 'ATTRS{idVendor}=="2d80", GROUP="dialout"' in rule


def test_the_rules_for_ports_are_put_where_udev_reads_them_and_taken_away_again() -> None:
    rules = re.compile("would write: /etc/udev/rules.d/[0-9]+-board-companion.rules")
    assert rules.search(install("--dry-run", *EVERYTHING).stdout)
    assert "board-companion.rules" in install("uninstall", "--dry-run").stdout


def test_udev_understands_the_rules() -> None:
    if not shutil.which("udevadm"):
        pytest.skip("no udevadm: 'sudo apt install udev' brings it")
    command = ["udevadm", "verify", PI / "board-companion.rules"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Unknown operation" in done.stderr or "unknown" in done.stderr.lower():
        pytest.skip("this udevadm cannot verify rules")
    assert done.returncode == 0, done.stdout + done.stderr


def test_avahi_finds_the_page() -> None:
    service = ElementTree.fromstring((PI / "avahi.service").read_text()).find("service")
    assert service is not None
    assert (service.findtext("type"), service.findtext("port")) == ("_http._tcp", "@PORT@")


STEPS = f"""
source {INSTALL}
here=$1 stop=$2 words=$3
PREFIX=$here/opt RELEASES=$PREFIX/releases CACHE=$here/cache COMMAND=$here/companion UNIT=$here/unit
SETTINGS=$here/settings AVAHI=$here/avahi KIOSK=$here/kiosk KIOSK_UNIT=$here/kiosk-unit DESKTOP=$here/desktop
trial=true restart=true
shift 3
for real in settings farewell; do eval "real_$(declare -f $real)"; done
packages() {{ :; }}
account() {{ :; }}
settings() {{ :; }}
name_on_the_network() {{ :; }}
ports() {{ :; }}
farewell() {{ :; }}
system_numpy_is_old() {{ false; }}
known_groups() {{ echo video; }}
chown() {{ :; }}
fetch() {{ :; }}
build() {{ :; }}
mktemp() {{ mkdir -p "$here/work"; echo "$here/work"; }}
fill() {{
  run mkdir -p "$release/bin"
  run cp "$here/program" "$release/bin/companion"
}}
step() {{
  local steps
  printf x >> "$here/steps"
  steps=$(< "$here/steps")
  if [ "${{#steps}}" -gt "$stop" ]; then kill -9 $$ $BASHPID; fi
}}
eval "$(declare -f place | sed '1s/place/place_file/')"
place() {{ step; place_file "$@"; }}
run() {{
  step
  case $1 in
    systemctl) echo "${{*:2}}" >> "$here/told"; [ "$2" != restart ] || $restart ;;
    env | useradd | raspi-config) echo "$*" >> "$here/told" ;;
    setpriv) $trial ;;
    sync) ;;
    *) "$@" ;;
  esac
}}
eval "$words"
main "$@"
"""
"""Runs the installer in a folder, with stand-ins for what needs a network, root or systemd; `kill -9` after
some steps, as a power cut would. Its words are shell: what is to be otherwise."""
LAST = 10_000


class Place:
    """A folder in which the installer works; what it makes says which version it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, *args: str, stop: int = LAST, words: str = ":") -> subprocess.CompletedProcess[str]:
        (self.folder / "steps").write_text("")
        command = ["bash", "-c", STEPS, "test", self.folder, str(stop), words, *args]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=240, cwd="/")

    def version(self, name: str) -> None:
        program = self.folder / "program"
        program.write_text(f"#!/bin/sh\necho {name}\n")
        program.chmod(0o755)

    def runs(self) -> str:
        """What the service's command and the one of the command line say."""
        said = {
            subprocess.check_output([self.folder / p], text=True)
            for p in ("opt/current/bin/companion", "companion")
        }
        return " and ".join(said).strip()

    def contents(self, release: Path) -> dict[str, bytes]:
        return {str(file): file.read_bytes() for file in sorted(release.rglob("*")) if file.is_file()}

    def releases(self) -> list[str]:
        return sorted(one.name for one in (self.folder / "opt/releases").iterdir())

    def told(self) -> list[str]:
        log = self.folder / "told"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines


@pytest.fixture
def laid(tmp_path: Path) -> Place:
    """A folder in which version `old` is installed."""
    laid = Place(tmp_path)
    laid.version("old")
    done = laid.install()
    assert done.returncode == 0, done.stderr
    laid.version("new")
    laid.told()
    return laid


def test_an_update_makes_a_release_beside_the_old_one_and_a_way_back(laid: Place) -> None:
    before = laid.contents(laid.folder / "opt/releases/1")
    assert (laid.runs(), laid.releases()) == ("old", ["1"])
    assert laid.install("update").returncode == 0
    assert (laid.runs(), laid.releases()) == ("new", ["1", "2"])
    assert laid.told()[-1] == "restart board-companion.service"
    assert laid.contents(laid.folder / "opt/releases/1") == before
    assert laid.install("rollback").returncode == 0
    assert laid.runs() == "old"
    assert laid.told()[-1] == "restart board-companion.service"
    again = laid.install("rollback")
    assert (again.returncode, again.stderr) == (2, "install.sh: there is no earlier release to go back to\n")
    assert laid.install("update").returncode == 0
    assert (laid.runs(), len(laid.releases())) == ("new", 2)


def test_a_power_cut_at_any_step_of_an_update_leaves_one_that_runs(laid: Place) -> None:
    kept = shutil.copytree(laid.folder, laid.folder.with_name("kept"), symlinks=True)
    seen, stop = set(), 0
    while True:
        shutil.rmtree(laid.folder)
        shutil.copytree(kept, laid.folder, symlinks=True)
        before = laid.contents(laid.folder / "opt/releases/1")
        done = laid.install("update", stop=stop)
        seen.add(laid.runs())
        assert laid.contents(laid.folder / "opt/releases/1") == before
        assert laid.runs() in {"old", "new"}
        assert (laid.folder / "opt/current/complete").exists()
        if done.returncode == 0:
            break
        assert done.returncode == -9, done.stderr
        if stop % 3 == 0:
            again = laid.install("update")
            assert (again.returncode, laid.runs()) == (0, "new"), again.stderr
        stop += 1
    assert seen == {"old", "new"}
    assert stop > 15


@pytest.mark.parametrize("words", ["fetch() { complain no network; }", "build() { false; }", "trial=false"])
def test_what_fails_before_the_switch_leaves_the_old_one_alone(laid: Place, words: str) -> None:
    assert laid.install("update", words=words).returncode != 0
    assert (laid.runs(), laid.releases(), laid.told()) == ("old", ["1"], [])


def test_a_release_that_does_not_start_is_taken_back(laid: Place) -> None:
    words = 'restart=first_fails; first_fails() { ! mkdir "$here/failed" 2> /dev/null; }'
    done = laid.install("update", words=words)
    assert done.returncode == 2
    assert "the one before runs again" in done.stderr
    assert laid.runs() == "old"


CHOOSE = 'settings() { real_settings; }; plugged_in() { echo "--source picamera --source serial:"; }'


def test_the_sources_are_what_is_plugged_in(tmp_path: Path) -> None:
    laid = Place(tmp_path)
    laid.version("new")
    assert laid.install(words=CHOOSE).returncode == 0
    line = '\nCOMPANION_ARGS="--host 0.0.0.0 --port 8000 --source picamera --source serial:"\n'
    assert line in (tmp_path / "settings").read_text()
    assert laid.install("update", words=CHOOSE.replace("picamera", "camera:0")).returncode == 0
    assert line in (tmp_path / "settings").read_text(), "an update leaves settings alone"


def test_a_source_that_is_named_is_not_looked_for(tmp_path: Path) -> None:
    laid = Place(tmp_path)
    laid.version("new")
    assert laid.install("--source", "camera:2", words=CHOOSE).returncode == 0
    assert '--source camera:2"\n' in (tmp_path / "settings").read_text()


@pytest.mark.parametrize(
    "answer", ["echo --source virtual", "false", "echo --source '$(reboot)'", "echo camera:0", ":"]
)
def test_with_nothing_plugged_in_the_table_is_virtual_and_it_says_how_to_change_that(
    tmp_path: Path, answer: str
) -> None:
    laid = Place(tmp_path)
    laid.version("new")
    done = laid.install(words=f"settings() {{ real_settings; }}; plugged_in() {{ {answer}; }}")
    assert done.returncode == 0
    assert '--port 8000 --source virtual"\n' in (tmp_path / "settings").read_text()
    assert "the table on the page is a virtual one" in done.stderr
    assert "sudo hardware/pi/install.sh sources" in done.stderr


def test_sources_plugged_in_later_are_put_into_the_settings(laid: Place) -> None:
    settings = laid.folder / "settings"
    kept = "COMPANION_PIN=123456\n"
    settings.write_text(f'COMPANION_ARGS="--source virtual --port 8123 --source=camera --panel pi"\n{kept}')
    assert laid.install("sources", words=CHOOSE).returncode == 0
    written = 'COMPANION_ARGS=" --port 8123 --panel pi --source picamera --source serial:"\n'
    assert settings.read_text() == written + kept
    assert settings.stat().st_mode & 0o777 == 0o640
    told = laid.told()
    assert told[0] == "stop board-companion.service", "while it runs it has the ports that are asked"
    assert told[-1] == "restart board-companion.service"
    settings.write_text(kept)
    done = laid.install("sources", words=CHOOSE)
    assert (done.returncode, settings.read_text()) == (2, kept)
    assert "has no line COMPANION_ARGS" in done.stderr


def on_a_terminal(command: Sequence[str | Path]) -> tuple[int, str]:
    """Runs a command on a terminal of its own; returns its status and what stood there."""
    ours, its = pty.openpty()
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its, cwd="/") as process:
        os.close(its)
        said = b""
        with suppress(OSError):  # the end of a terminal
            while piece := os.read(ours, 4096):
                said += piece
    os.close(ours)
    return process.returncode, said.decode().replace("\r\n", "\n")


def test_a_service_that_does_not_start_keeps_nobody_from_the_pin(tmp_path: Path) -> None:
    laid = Place(tmp_path)
    laid.version("new")
    words = f"restart=false; {CHOOSE}; farewell() {{ real_farewell; }}"
    (tmp_path / "steps").write_text("")
    command = ["bash", "-c", STEPS, "test", tmp_path, str(LAST), words]
    status, said = on_a_terminal(command)
    pin = re.search(r"^COMPANION_PIN=(\d{6})$", (tmp_path / "settings").read_text(), re.MULTILINE)
    assert pin
    assert f"The arbiter's PIN: {pin[1]}\n" in said
    assert "Its page will be http://" in said
    assert said.endswith("install.sh: the service does not start: see journalctl -u board-companion\n")
    assert status == 2
    status, said = on_a_terminal([*command[:-1], words.replace("restart=false", "restart=true")])
    assert (status, "Board Companion runs: http://" in said, pin[1] in said) == (0, True, True)


def test_on_a_desktop_the_page_is_opened_by_it(laid: Place) -> None:
    (laid.folder / "desktop").touch()
    assert laid.install("update", "--kiosk").returncode == 0
    assert "http://localhost:8000/" in (laid.folder / "kiosk").read_text()
    assert not (laid.folder / "kiosk-unit").exists()
    assert not any("cage" in line or "kiosk" in line for line in laid.told())


def test_without_a_desktop_the_page_has_a_service_with_a_compositor(laid: Place) -> None:
    words = "id() { [ $1 = -u ] && echo 0; }; browser_there() { echo /usr/bin/chromium; }"
    (laid.folder / "settings").write_text('COMPANION_ARGS="--port 8123"\n')
    assert laid.install("update", "--kiosk", words=words).returncode == 0
    text = (laid.folder / "kiosk-unit").read_text()
    assert "@" not in text.replace("getty@tty1", "")
    assert "cage -s -- /usr/bin/chromium" in text
    assert text.count("http://localhost:8123/") == 1
    assert not (laid.folder / "kiosk").exists()
    told = laid.told()
    assert [line.split()[-3:] for line in told if "apt-get" in line] == [["cage", "seatd", "chromium"]]
    assert "useradd --system --user-group" in "\n".join(told)
    assert told[-2:] == ["enable board-companion-kiosk.service", "restart board-companion-kiosk.service"]
    assert laid.install("uninstall").returncode == 0
    assert "disable --now board-companion-kiosk.service" in laid.told()
    assert not (laid.folder / "kiosk-unit").exists()


def test_a_desktop_that_blanks_the_screen_is_told_not_to(laid: Place) -> None:
    (laid.folder / "desktop").touch()
    words = 'command() { [ "$*" = "-v raspi-config" ] || builtin command "$@"; }'
    assert laid.install("update", "--kiosk", words=words).returncode == 0
    assert laid.told()[-1] == "raspi-config nonint do_blanking 1"


def test_chess_is_left_out_and_stays_out(laid: Place) -> None:
    lock = laid.folder / "opt/current/lock.txt"
    whole = lock.read_text()
    assert laid.install("--without-chess").returncode == 0
    without = lock.read_text()
    assert whole == (ROOT / "locks/run.txt").read_text()
    missing = [line for line in whole.splitlines() if line not in without.splitlines()]
    assert [line[:6] for line in missing] == ["chess=", "    --"]
    assert laid.install("update").returncode == 0
    assert lock.read_text() == without
    assert laid.install("update", "--with-chess").returncode == 0
    assert lock.read_text() == whole


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

    def __call__(self, *args: str, user: str = "root", network: bool = True) -> str:
        """What a command in there printed."""
        loopback = 'ip link set lo up && exec "$@"'
        alone = [] if network else ["unshare", "--net", "sh", "-c", loopback, "alone"]
        environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
            "PIP_CERT": CERTIFICATES, "PIP_DEFAULT_TIMEOUT": "180", "HOME": "/tmp",
        }  # fmt: skip
        done = subprocess.run(
            [*alone, "chroot", f"--userspec={user}", self.folder, *args],
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

    def release(self) -> str:
        """The release that runs."""
        return Path(os.readlink(self.folder / "opt/board-companion/current")).name

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

    assert debian.release() == "1"
    root_owned = debian("find", "/opt/board-companion", "/var/cache/board-companion", "!", "-user", "root")
    assert root_owned == ""

    again = debian(script, "update", "--port", "9999", network=False)
    assert "stay as they are" in again
    assert debian.release() == "2"
    assert debian.read("etc/default/board-companion") == settings
    assert "1 actions" in debian("companion", "records", "list", "--data", state, user="board-companion")
    assert debian.told()[-1] == "restart board-companion.service"

    debian(script, "rollback", network=False)
    assert (debian.release(), debian.told()[-1]) == ("1", "restart board-companion.service")
    assert "1 actions" in debian("companion", "records", "list", "--data", state, user="board-companion")

    assert "stay in" in debian(script, "uninstall")
    assert debian.told() == ["disable --now board-companion.service", "daemon-reload"]
    gone = (
        "opt/board-companion",
        "var/cache/board-companion",
        "usr/local/bin/companion",
        "etc/systemd/system/board-companion.service",
    )
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
