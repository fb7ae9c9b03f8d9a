"""Traces: read back as they were written, damaged, and never a way out of their folder."""

from pathlib import Path

import pytest

from companion.sensing.trace import FILE, FORMAT, TraceError, TraceMoment, read_trace
from tests.traces import TraceWriter


def test_what_is_written_is_read_back_with_times_from_the_first(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "new" / "trace", "camera:0") as trace:
        trace.picture(100.5, b"jpeg")
        trace.data(100.75, b"\xa5\x03\x00")
        trace.picture(101.0, b"another")
    source, moments = read_trace(trace.folder)
    assert source == "camera:0"
    assert list(moments) == [
        TraceMoment(0.0, picture=trace.folder / "000000.jpg"),
        TraceMoment(0.25, data=b"\xa5\x03\x00"),
        TraceMoment(0.5, picture=trace.folder / "000001.jpg"),
    ]
    assert (trace.folder / "000000.jpg").read_bytes() == b"jpeg"


def test_a_moment_is_on_disk_at_once_and_one_cut_short_is_left_out(tmp_path: Path) -> None:
    trace = TraceWriter(tmp_path, "serial:x")
    trace.data(1.0, b"one")
    assert len(list(read_trace(tmp_path)[1])) == 1
    trace.data(2.0, b"two")
    file = tmp_path / FILE
    file.write_text(file.read_text()[:-5])
    assert [m.data for m in read_trace(tmp_path)[1]] == [b"one"]
    trace.close()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_a_trace_that_an_editor_has_saved_is_read(tmp_path: Path, encoding: str, end: str) -> None:
    text = "".join(line + end for line in (HEAD, '{"time": 1.0, "bytes": "00ff"}'))
    (tmp_path / FILE).write_bytes(text.encode(encoding))
    assert [m.data for m in read_trace(tmp_path)[1]] == [b"\x00\xff"]


HEAD = f'{{"format": "{FORMAT}", "source": "x"}}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "[" * 100_000,
        '{"format": "something else"}',
        "\x00\x01",
    ],
)
def test_what_is_no_trace(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(TraceError, match="not a trace"):
        read_trace(tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        "{}",
        '{"time": "soon", "bytes": ""}',
        '{"time": 1, "bytes": "xyz"}',
        '{"time": 1, "picture": "../../etc/passwd"}',
        '{"time": 1, "picture": "/etc/hostname.jpg"}',
        '{"time": 1, "picture": "1.pkl"}',
        '{"time": 1, "picture": 7}',
        '{"time": NaN, "bytes": "00"}',
        f'{{"time": {10**400}, "bytes": "00"}}',
        "[" * 100_000,
    ],
)
def test_a_damaged_line_is_named_and_leads_nowhere_else(tmp_path: Path, line: str) -> None:
    (tmp_path / FILE).write_text(f'{HEAD}\n{{"time": 0, "bytes": "00"}}\n{line}\n')
    moments = read_trace(tmp_path)[1]
    assert next(moments).data == b"\x00"
    with pytest.raises(TraceError, match="damaged at line 3"):
        next(moments)
