"""Frames from files and cameras: what they deliver, and what they say when they cannot."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.sensing.sources import SourceError
from companion.sensing.trace import FILE
from tests.traces import Recorder, TraceWriter
from vision.sources.camera import (
    ADJUSTING,
    MISSES,
    SETTLING,
    camera_numbers,
    hold,
    open_camera,
    steady_exposure,
)
from vision.sources.files import HOLD, read_picture
from vision.sources.picamera import open_picamera
from vision.sources.source import CameraFrame, Source, SourceLostError, open_source


def picture(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "pictures"
    path.mkdir()
    for name, level in (("b.png", 100), ("a.png", 50), ("c.jpg", 150)):
        cv2.imwrite(str(path / name), picture(level))
    (path / "notes.txt").write_text("no picture")
    return path


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for level in (20, 90, 160, 230):
        writer.write(picture(level))
    writer.release()
    return path


def frames(source: Source) -> Iterator[CameraFrame]:
    while (frame := source.read()) is not None:
        yield frame
    source.close()


def level(frame: CameraFrame) -> int:
    return round(float(frame.image.mean()))


def test_a_folder_delivers_its_pictures_by_name_each_as_a_moment_that_held(folder: Path) -> None:
    source = open_source(f"folder:{folder}")
    seen = list(frames(source))
    assert [f.name for f in seen] == ["a.png", "b.png", "c.jpg"]
    assert [level(f) for f in seen] == [50, 100, 150]
    assert [f.time for f in seen] == [0, HOLD, 2 * HOLD]
    assert all(f.still for f in seen)
    assert not source.live


def test_a_video_delivers_its_frames_with_the_times_of_its_rate(video: Path) -> None:
    seen = list(frames(open_source(f"video:{video}")))
    assert [f.time for f in seen] == pytest.approx([0, 0.1, 0.2, 0.3])
    assert [level(f) for f in seen] == pytest.approx([20, 90, 160, 230], abs=3)
    assert not any(f.still for f in seen)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("folder:", "write folder:DIR"),
        ("folder:{tmp}/none", "there is no such folder"),
        ("folder:{tmp}/empty", "holds no pictures"),
        ("video:", "write video:FILE"),
        ("video:{tmp}/none.avi", "there is no such file"),
        ("video:{tmp}/junk.avi", "it is no video"),
        ("trace:", "write trace:FILE"),
        ("trace:{tmp}/none", "cannot read trace"),
        ("trace:{tmp}/junk.avi", "is not a trace"),
        ("telescope:3", "there is no source 'telescope:3': write one of camera[:N or URL], chessnut[:PATH]"),
        ("", "there is no source ''"),
        ("camera:back", "is no camera's number"),
        ("camera:²", "is no camera's number"),
        ("picamera:2", "write picamera"),
    ],
)
def test_a_source_that_cannot_be_opened_says_so_in_one_line(
    text: str, words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "junk.avi").write_bytes(b"RIFF no video" * 9)
    with pytest.raises(SourceError) as caught:
        open_source(text.format(tmp=tmp_path))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_a_damaged_picture_is_told_when_its_turn_comes(folder: Path) -> None:
    (folder / "b.png").write_bytes(b"\x89PNG but not really")
    (folder / "c.jpg").write_bytes(b"")
    source = open_source(f"folder:{folder}")
    assert source.read()
    for name in ("b.png", "c.jpg"):
        with pytest.raises(SourceError, match=f"{name}'"):
            source.read()


def png(width: int, height: int) -> bytes:
    """A small file that says it holds so large a picture; its pixels are missing."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return len(content).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")

    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    parts = chunk(b"IHDR", size + b"\x08\x00\x00\x00\x00"), chunk(b"IDAT", b""), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize("size", [(7_072, 7_072), (10_000, 10_000), (30_000, 30_000)])
def test_a_picture_of_too_many_pixels_is_not_decoded(
    folder: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.png").write_bytes(png(*size))
    source = open_source(f"folder:{folder}")
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(SourceError, match=r"a\.png': it has more than 50 megapixels: make it smaller"):
        source.read()


@pytest.mark.parametrize("ending", [".jpg", ".png", ".bmp", ".webp", ".tif", ".ppm"])
def test_pictures_of_all_kinds_are_read(tmp_path: Path, ending: str) -> None:
    cv2.imwrite(str(tmp_path / f"a{ending}"), picture(90))
    assert round(float(read_picture(tmp_path / f"a{ending}").mean())) == 90


class FakeDevice:
    """A camera that does as told: `frames` to deliver (None: a failed read), properties it lets be set."""

    def __init__(self, frames: list[np.ndarray | None], fixed: tuple[int, ...] = ()) -> None:
        self.frames, self.fixed = frames, fixed
        self.values: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0}
        self.released = False

    def grab(self) -> bool:
        self.grabbed = self.frames.pop(0) if self.frames else None
        return self.grabbed is not None

    def retrieve(self) -> tuple[bool, np.ndarray | None]:
        return self.grabbed is not None, self.grabbed

    def get(self, prop: int, /) -> float:
        return self.values.get(prop, -1.0)

    def set(self, prop: int, value: float, /) -> bool:
        if prop in self.fixed:
            return False
        self.values[prop] = value
        return True

    def release(self) -> None:
        self.released = True


def test_a_camera_delivers_frames_with_the_clocks_times() -> None:
    device, now = FakeDevice([picture(1), None, picture(2)]), [5.0]
    camera = open_camera("2", clock=lambda: now[0], numbers=lambda: [0, 2], device=lambda n: device)
    seen = [camera.read()]
    now[0] = 6.0
    seen.append(camera.read())
    assert [(f.time, f.index, level(f)) for f in seen if f] == [(5, 0, 1), (6, 1, 2)]
    assert camera.live
    assert camera.name == "camera:2"
    assert device.values[cv2.CAP_PROP_BUFFERSIZE] == 1
    camera.close()
    assert device.released


def test_a_camera_without_a_number_is_the_first_that_there_is() -> None:
    assert open_camera("", numbers=lambda: [4, 6], device=lambda n: FakeDevice([])).name == "camera:4"


@pytest.mark.parametrize(
    ("argument", "found", "words"),
    [
        ("3", [0, 2], "no camera 3: found 0, 2; try --source camera:0"),
        ("3", [], "no camera 3: found none; plug one in, or try --source virtual"),
        ("", [], "no camera found: plug one in, or try --source virtual"),
        ("x", [1], "'x' is no camera's number: write camera:N; found 1"),
        ("1", [1], "cannot open camera 1: another program may be using it"),
    ],
)
def test_a_missing_camera(argument: str, found: list[int], words: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_camera(argument, numbers=lambda: found, device=lambda n: None)
    assert str(caught.value) == words


def test_a_camera_that_fails_several_times_in_a_row_is_lost() -> None:
    device = FakeDevice([picture(1), *[None] * MISSES])
    camera = open_camera("0", numbers=lambda: [0], device=lambda n: device)
    assert camera.read()
    with pytest.raises(SourceLostError, match="check its cable"):
        camera.read()


@pytest.mark.parametrize(
    ("fixed", "held"),
    [
        ((), ("exposure", "white balance")),
        ((cv2.CAP_PROP_AUTO_EXPOSURE,), ("white balance",)),
        ((cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB), ()),
    ],
)
def test_exposure_and_white_balance_are_held_where_the_driver_lets_them(
    fixed: tuple[int, ...], held: tuple[str, ...]
) -> None:
    device = FakeDevice([], fixed)
    assert hold(device) == held
    assert device.values[cv2.CAP_PROP_EXPOSURE] == 157.0
    assert device.values[cv2.CAP_PROP_WB_TEMPERATURE] == 4600.0


def test_a_camera_holds_its_exposure_once_it_has_settled() -> None:
    device = FakeDevice([picture(1)] * SETTLING)
    camera = open_camera("0", clock=lambda: 1.0, numbers=lambda: [0], device=lambda n: device)
    for _ in range(SETTLING - 1):
        camera.read()
    assert camera.held == ()
    camera.read()
    assert camera.held == ("exposure", "white balance", "focus")


def automatics(device: FakeDevice) -> list[float]:
    props = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
    return [device.values[prop] for prop in props]


def test_a_camera_adjusts_itself_while_it_is_set_up_and_for_a_while_after() -> None:
    device = FakeDevice([picture(1)] * 1000)
    camera = open_camera("0", clock=lambda: 1.0, numbers=lambda: [0], device=lambda n: device)
    assert automatics(device) == [3.0, 1.0, 1.0]
    for _ in range(SETTLING):
        camera.read()
    assert automatics(device) == [1.0, 0.0, 0.0]
    for _ in range(3):
        camera.adjust()
        assert (automatics(device), camera.held) == ([3.0, 1.0, 1.0], ())
        for _ in range(ADJUSTING - 1):
            camera.read()
    assert automatics(device) == [3.0, 1.0, 1.0]
    camera.read()
    assert automatics(device) == [1.0, 0.0, 0.0]


def test_one_that_is_set_up_as_it_starts_is_held_later() -> None:
    device = FakeDevice([picture(1)] * 1000)
    camera = open_camera("0", clock=lambda: 1.0, numbers=lambda: [0], device=lambda n: device)
    camera.adjust()
    for _ in range(ADJUSTING - 1):
        camera.read()
    assert camera.held == ()
    camera.read()
    assert camera.held == ("exposure", "white balance", "focus")


@pytest.mark.parametrize(
    ("exposure", "flicker", "steady"),
    [
        (157.0, None, 157.0),
        (157.0, 50, 200.0),
        (149.0, 50, 100.0),
        (99.0, 50, 99.0),
        (100.0, 50, 100.0),
        (90.0, 60, 250 / 3),
        (210.0, 60, 250.0),
    ],
)
def test_an_exposure_takes_in_whole_flickers(exposure: float, flicker: int | None, steady: float) -> None:
    """A hundredth of a second is 100 of V4L2's units, as long as one flicker on 50 Hz."""
    assert steady_exposure(exposure, flicker) == pytest.approx(steady)


@pytest.mark.parametrize(("can", "exposure"), [("50 Hz", 157.0), ("", 200.0)])
def test_a_driver_that_evens_out_flicker_is_left_to_it(can: str, exposure: float) -> None:
    told: list[tuple[int, int | None]] = []

    def set_flicker(number: int, hertz: int | None) -> str:
        told.append((number, hertz))
        return can

    device = FakeDevice([picture(1)] * SETTLING)
    camera = open_camera(
        "2", clock=lambda: 1.0, numbers=lambda: [2], device=lambda n: device,
        mains=lambda: 50, set_flicker=set_flicker,
    )  # fmt: skip
    for _ in range(SETTLING):
        camera.read()
    assert told == [(2, 50)]
    assert device.values[cv2.CAP_PROP_EXPOSURE] == exposure


def test_the_second_node_of_a_camera_is_not_counted(tmp_path: Path) -> None:
    for node, index in (("video0", "0"), ("video1", "1"), ("video10", "0"), ("video2", None), ("vbi0", "0")):
        (tmp_path / node).mkdir()
        if index:
            (tmp_path / node / "index").write_text(f"{index}\n")
    assert camera_numbers(tmp_path) == [0, 2, 10]
    assert camera_numbers(tmp_path / "none") == []


def test_nodes_of_a_pis_codecs_and_of_its_own_camera_are_not_counted(tmp_path: Path) -> None:
    """The usual nodes of a Pi 4: the ribbon cable's raw pictures, codecs, and a webcam with two nodes."""
    buses = {"usb": (20, 21), "platform": (0, 10, 11, 12, 13, 18, 31), "vchiq-bus": (14, 15, 19, 22)}
    for bus, numbers in buses.items():
        (tmp_path / "bus" / bus).mkdir(parents=True)
        for number in numbers:
            node = tmp_path / "class" / f"video{number}"
            (node / "device").mkdir(parents=True)
            (node / "device" / "subsystem").symlink_to(tmp_path / "bus" / bus)
            (node / "index").write_text("1\n" if number == 21 else "0\n")
    assert camera_numbers(tmp_path / "class") == [20]


def test_a_camera_by_its_lasting_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(path: Path, *_: object) -> Path:
        return Path("/dev/video4") if path.name == "usb-Webcam-index0" else path

    monkeypatch.setattr(Path, "resolve", resolve)
    opened = open_camera(
        "/dev/v4l/by-id/usb-Webcam-index0", numbers=lambda: [0, 4], device=lambda n: FakeDevice([])
    )
    assert opened.name == "camera:4"
    with pytest.raises(SourceLostError, match="there is no '/dev/v4l/by-id/usb-Other': is the camera"):
        open_camera("/dev/v4l/by-id/usb-Other", numbers=lambda: [0, 4], device=lambda n: FakeDevice([]))


def modes(*found: tuple[tuple[int, int], tuple[int, int, int, int]]) -> list[dict[str, object]]:
    """The modes of a sensor, as picamera2 tells them, by size and crop; each in 8 and 10 bits."""
    return [
        {"size": size, "crop_limits": crop, "bit_depth": bits} for size, crop in found for bits in (8, 10)
    ]


SENSORS = {
    "module 2": modes(
        ((640, 480), (1000, 752, 1280, 960)),
        ((1640, 1232), (0, 0, 3280, 2464)),
        ((1920, 1080), (680, 692, 1920, 1080)),
        ((3280, 2464), (0, 0, 3280, 2464)),
    ),
    "module 3": modes(
        ((1536, 864), (768, 432, 3072, 1728)),
        ((2304, 1296), (0, 0, 4608, 2592)),
        ((4608, 2592), (0, 0, 4608, 2592)),
    ),
    "HQ": modes(
        ((1332, 990), (696, 528, 2664, 1980)),
        ((2028, 1080), (0, 440, 4056, 2160)),
        ((2028, 1520), (0, 0, 4056, 3040)),
        ((4056, 3040), (0, 0, 4056, 3040)),
    ),
}


class FakePiCamera:
    def __init__(self, sensor: str = "module 2", controls: tuple[str, ...] = ("AeEnable",)) -> None:
        self.sensor_modes = SENSORS[sensor]
        self.camera_controls = dict.fromkeys(controls)
        self.configuration = SimpleNamespace()
        self.controls: dict[str, object] = {}
        self.log: list[str] = []

    def create_video_configuration(self, **parts: dict[str, object]) -> SimpleNamespace:
        return SimpleNamespace(**parts)

    def configure(self, configuration: SimpleNamespace) -> None:
        self.configuration = configuration
        assert configuration.main["format"] == "RGB888"

    def start(self) -> None:
        self.log.append("start")

    def capture_array(self, name: str) -> np.ndarray:
        if "gone" in self.log:
            raise RuntimeError("timed out")
        return picture(7)

    def capture_metadata(self) -> dict[str, object]:
        if "dumb" in self.log:
            raise RuntimeError("no\nmetadata")
        settled = {"ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7), "Lux": 80}
        return settled | ({"LensPosition": 1.6} if "AfMode" in self.camera_controls else {})

    def set_controls(self, controls: dict[str, object]) -> None:
        self.controls = controls

    def close(self) -> None:
        self.log.append("close")


def test_the_pis_camera_settles_and_is_held() -> None:
    device = FakePiCamera()
    camera = open_picamera(device=lambda: device)
    for _ in range(30):
        frame = camera.read()
        assert frame
        assert level(frame) == 7
    assert device.controls == {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 9000,
        "AnalogueGain": 2.0,
        "ColourGains": (1.5, 1.7),
    }
    device.log.append("gone")
    with pytest.raises(SourceLostError):
        camera.read()
    camera.close()
    assert device.log == ["start", "gone", "close"]


@pytest.mark.parametrize(
    ("sensor", "mode", "size"),
    [
        ("module 2", (1640, 1232), (1280, 962)),
        ("module 3", (2304, 1296), (1280, 720)),
        ("HQ", (2028, 1520), (1280, 960)),
    ],
)
def test_the_pis_camera_shows_all_that_its_sensor_sees(
    sensor: str, mode: tuple[int, int], size: tuple[int, int]
) -> None:
    device = FakePiCamera(sensor)
    open_picamera(device=lambda: device)
    assert device.configuration.sensor == {"output_size": mode, "bit_depth": 8}
    assert device.configuration.main["size"] == size


def test_a_pi_camera_with_autofocus_holds_the_focus_that_it_found() -> None:
    device = FakePiCamera("module 3", ("AeEnable", "AfMode"))
    camera = open_picamera(device=lambda: device)
    assert device.controls == {"AfMode": 2}
    for _ in range(30):
        camera.read()
    assert (device.controls["AfMode"], device.controls["LensPosition"]) == (0, 1.6)


@pytest.mark.parametrize(
    ("controls", "hertz", "told"),
    [
        ({"AeFlickerMode": (0, 1, 0), "AeFlickerPeriod": (100, 1000000, None)}, 50, (1, 10_000)),
        ({"AeFlickerMode": (0, 1, 0), "AeFlickerPeriod": (100, 1000000, None)}, 60, (1, 8_333)),
        ({"AeFlickerMode": (0, 1, 0), "AeFlickerPeriod": (100, 1000000, None)}, None, (None, None)),
        ({"AeFlickerMode": (0, 2, 0)}, None, (2, None)),
        ({}, 50, (None, None)),
    ],
)
def test_the_pis_camera_evens_out_the_flicker_of_the_mains(
    controls: dict[str, object], hertz: int | None, told: tuple[int | None, int | None]
) -> None:
    device = FakePiCamera()
    device.camera_controls = controls  # type: ignore[assignment]
    open_picamera(device=lambda: device, mains=lambda: hertz)
    assert (device.controls.get("AeFlickerMode"), device.controls.get("AeFlickerPeriod")) == told


def test_the_pis_camera_adjusts_itself_while_it_is_set_up() -> None:
    device = FakePiCamera("module 3", ("AeEnable", "AfMode"))
    camera = open_picamera(device=lambda: device)
    for _ in range(30):
        camera.read()
    assert device.controls["AeEnable"] is False
    camera.adjust()
    assert device.controls == {"AeEnable": True, "AwbEnable": True, "AfMode": 2}
    for _ in range(149):
        camera.read()
    assert device.controls["AeEnable"] is True
    camera.read()
    assert (device.controls["AeEnable"], device.controls["LensPosition"]) == (False, 1.6)


def test_a_pi_camera_that_breaks_as_it_is_held_is_lost() -> None:
    device = FakePiCamera()
    camera = open_picamera(device=lambda: device)
    for _ in range(29):
        camera.read()
    device.log.append("dumb")
    with pytest.raises(SourceLostError, match="sends no more pictures: no metadata"):
        camera.read()


def test_a_pi_camera_that_does_not_start_is_given_back() -> None:
    class Locked(FakePiCamera):
        def start(self) -> None:
            raise KeyError("busy")

    device = Locked()
    with pytest.raises(SourceError, match="cannot open the Pi's camera: 'busy'; check its cable"):
        open_picamera(device=lambda: device)
    assert device.log == ["close"]


def _missing() -> None:
    raise ModuleNotFoundError("No module named 'picamera2'")


def _absent() -> None:
    raise IndexError("list index out of range")


@pytest.mark.parametrize(
    ("device", "words"),
    [
        (_missing, "picamera2 is not installed: run 'sudo apt install python3-picamera2'"),
        (_absent, "cannot open the Pi's camera"),
    ],
)
def test_a_pi_camera_that_is_not_there(device: object, words: str) -> None:
    with pytest.raises(SourceError, match=words) as caught:
        open_picamera(device=device)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_what_a_source_delivered_is_replayed_from_its_trace(video: Path, tmp_path: Path) -> None:
    recorder = Recorder(open_source(f"video:{video}"), TraceWriter(tmp_path / "trace", "video"))
    delivered = list(frames(recorder))
    for path in (tmp_path / "trace", tmp_path / "trace" / FILE):
        replayed = list(frames(open_source(f"trace:{path}")))
        assert [f.time for f in replayed] == [f.time for f in delivered]
        assert [level(f) for f in replayed] == pytest.approx([level(f) for f in delivered], abs=1)


def test_pictures_that_held_hold_in_the_trace_too(folder: Path, tmp_path: Path) -> None:
    trace = TraceWriter(tmp_path / "trace", f"folder:{folder}")
    list(frames(Recorder(open_source(f"folder:{folder}"), trace)))
    assert all(f.still for f in frames(open_source(f"trace:{tmp_path / 'trace'}")))


def test_a_trace_of_a_grid_holds_no_pictures(tmp_path: Path) -> None:
    with TraceWriter(tmp_path, "serial:/dev/ttyACM0") as trace:
        trace.data(0.0, b"\x01\x02")
    with pytest.raises(SourceError, match="bytes of a sensor grid"):
        open_source(f"trace:{tmp_path}")
    assert json.loads((tmp_path / FILE).read_text().splitlines()[1]) == {"time": 0.0, "bytes": "0102"}
