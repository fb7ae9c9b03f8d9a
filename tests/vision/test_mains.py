"""The mains frequency by setting and time zone, and the camera's control that is set by it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from companion.sensing.sources import SourceError
from vision.sources import v4l2_controls as v4l2
from vision.sources.mains import mains_hertz
from vision.sources.v4l2_controls import set_mains

TABLE = """# comment
AT\t+4813+01620\tEurope/Vienna
US\t+404251-0740023\tAmerica/New_York\tEastern
JP\t+353916+1394441\tAsia/Tokyo
BR\t-2332-04637\tAmerica/Sao_Paulo
AR\t-3436-05827\tAmerica/Argentina/Buenos_Aires
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "etc").mkdir()
    (tmp_path / "usr/share/zoneinfo").mkdir(parents=True)
    (tmp_path / "usr/share/zoneinfo/zone.tab").write_text(TABLE)
    return tmp_path


@pytest.mark.parametrize(
    ("zone", "hertz"),
    [
        ("Europe/Vienna", 50),
        ("America/New_York", 60),
        ("America/Sao_Paulo", 60),
        ("America/Argentina/Buenos_Aires", 50),
        ("Asia/Tokyo", None),
        ("Etc/UTC", None),
    ],
)
def test_the_time_zone_tells(root: Path, zone: str, hertz: int | None) -> None:
    (root / "etc/localtime").symlink_to(f"../usr/share/zoneinfo/{zone}")
    assert mains_hertz({}, root) == hertz
    (root / "etc/localtime").unlink()
    (root / "etc/timezone").write_text(f"{zone}\n")
    assert mains_hertz({}, root) == hertz
    assert mains_hertz({"TZ": f":{zone}"}, root / "none") is None, "no table of zones"


def test_the_environments_time_zone_comes_first(root: Path) -> None:
    (root / "etc/timezone").write_text("Europe/Vienna\n")
    assert mains_hertz({"TZ": "America/New_York"}, root) == 60


@pytest.mark.parametrize(("setting", "hertz"), [("50", 50), ("60", 60), ("auto", 50), ("", 50), (" 60 ", 60)])
def test_the_owner_tells_otherwise(root: Path, setting: str, hertz: int) -> None:
    (root / "etc/timezone").write_text("Europe/Vienna\n")
    assert mains_hertz({"COMPANION_MAINS_HZ": setting}, root) == hertz


def test_a_setting_that_is_no_frequency_is_refused(root: Path) -> None:
    with pytest.raises(SourceError, match="COMPANION_MAINS_HZ is '55': write 50, 60 or auto"):
        mains_hertz({"COMPANION_MAINS_HZ": "55"}, root)


class Driver:
    """The kernel's side: one control with a menu of values."""

    def __init__(self, values: tuple[int, ...], flags: int = 0) -> None:
        self.values, self.flags, self.value = values, flags, -1

    def __call__(self, descriptor: int, request: int, argument: bytes) -> bytes:
        control = int.from_bytes(argument[:4], "little")
        if control != 0x00980918 or not self.values:
            raise OSError(22, "Invalid argument")
        if request == v4l2.QUERY_CONTROL:
            least, most = min(self.values), max(self.values)
            return v4l2.DESCRIPTION.pack(control, 3, b"Power Line Frequency", least, most, 1, 0, self.flags)
        value = int.from_bytes(argument[4:8], "little")
        if value not in self.values:
            raise OSError(22, "Invalid argument")
        if request == v4l2.SET_CONTROL:
            self.value = value
        return argument


@pytest.mark.parametrize(
    ("values", "flags", "hertz", "said", "value"),
    [
        ((0, 1, 2), 0, 50, "50 Hz", 1),
        ((0, 1, 2), 0, 60, "60 Hz", 2),
        ((0, 1, 2, 3), 0, None, "auto", 3),
        ((0, 1, 2), 0, None, "", -1),
        ((0, 2), 0, 50, "", -1),
        ((0, 1, 2), 0x0004, 50, "", -1),
        ((), 0, 50, "", -1),
    ],
)
def test_the_cameras_control_is_set_where_its_driver_has_the_value(
    tmp_path: Path, values: tuple[int, ...], flags: int, hertz: int | None, said: str, value: int
) -> None:
    (tmp_path / "video4").touch()
    driver = Driver(values, flags)
    assert set_mains(4, hertz, driver, str(tmp_path)) == said
    assert driver.value == value


def test_a_camera_that_is_not_there_has_no_control(tmp_path: Path) -> None:
    assert set_mains(4, 50, Driver((0, 1, 2)), str(tmp_path)) == ""
    (tmp_path / "video4").touch()
    assert set_mains(4, 50, folder=str(tmp_path)) == "", "a file is no camera"


PROGRAM = """
#include <stdio.h>
#include <linux/videodev2.h>
int main(void) {
  printf("%lu %lu %lu %zu %zu %zu %u %d %d %d", (unsigned long)VIDIOC_QUERYCTRL, (unsigned long)VIDIOC_S_CTRL,
         (unsigned long)VIDIOC_QUERYMENU, sizeof(struct v4l2_control), sizeof(struct v4l2_queryctrl),
         sizeof(struct v4l2_querymenu), V4L2_CID_POWER_LINE_FREQUENCY, V4L2_CID_POWER_LINE_FREQUENCY_50HZ,
         V4L2_CID_POWER_LINE_FREQUENCY_60HZ, V4L2_CID_POWER_LINE_FREQUENCY_AUTO);
  return 0;
}
"""


def test_the_numbers_are_the_kernels(tmp_path: Path) -> None:
    if not shutil.which("gcc") or not Path("/usr/include/linux/videodev2.h").exists():
        pytest.skip("no gcc, or no headers: 'sudo apt install gcc linux-libc-dev' brings them")
    (tmp_path / "numbers.c").write_text(PROGRAM)
    subprocess.run(["gcc", "numbers.c", "-o", "numbers"], cwd=tmp_path, check=True)
    told = subprocess.check_output([tmp_path / "numbers"], text=True).split()
    sizes = (v4l2.CONTROL.size, v4l2.DESCRIPTION.size, v4l2.MENU_ITEM.size)
    requests = (v4l2.QUERY_CONTROL, v4l2.SET_CONTROL, v4l2.QUERY_MENU)
    values = (v4l2.POWER_LINE_FREQUENCY, v4l2.HERTZ_50, v4l2.HERTZ_60, v4l2.AUTO)
    assert [int(number) for number in told] == [*requests, *sizes, *values]
