"""A disk under SQLite that can be watched, filled, slowed and broken, for the store as it is.

`FaultyDisk` stands between SQLite and the file system: as SQLite's default VFS, which hands all on to the
system's own. It tells a `watch` of what is written, synced and deleted, and fails as it is told to. Only what
is opened while it is in place goes through it.
"""

from __future__ import annotations

import _sqlite3
import ctypes as c
import os
import time
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

OK, READ_ONLY, FULL = 0, 8, 13
FAILS_WRITING, FAILS_SYNCING, FAILS_TRUNCATING = (10 | n << 8 for n in (3, 4, 6))
FAULTS = {
    "full": (FULL, FULL),
    "read-only": (READ_ONLY, READ_ONLY),
    "failing": (FAILS_WRITING, FAILS_SYNCING),
}
"""The answers of a broken disk to a write, and to a sync."""
CLOSE, WRITE, TRUNCATE, SYNC = 1, 3, 4, 5
"""The places of these in SQLite's table of a file's methods."""
METHODS = 19
"""The most methods that a file has, the version that stands first among them."""


class Op(NamedTuple):
    """An operation on a file: `create`, `write`, `truncate`, `sync` or `delete`. One that was opened while
    it was empty counts as created."""

    kind: str
    path: str
    offset: int = 0
    data: bytes = b""


class _File(c.Structure):
    _fields_: ClassVar = [("methods", c.POINTER(c.c_void_p))]


_Open = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, c.POINTER(_File), c.c_int, c.POINTER(c.c_int))
_Delete = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_char_p, c.c_int)
_Close = c.CFUNCTYPE(c.c_int, c.c_void_p)
_Write = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, c.c_int, c.c_int64)
_Truncate = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_int64)
_Sync = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_int)


class _Vfs(c.Structure):
    """The part of `sqlite3_vfs` that is used, and room for what follows it."""

    _fields_: ClassVar = [
        ("version", c.c_int),
        ("file_size", c.c_int),
        ("longest_path", c.c_int),
        ("next", c.c_void_p),
        ("name", c.c_char_p),
        ("data", c.c_void_p),
        ("open", _Open),
        ("delete", _Delete),
        ("rest", c.c_void_p * 16),
    ]


class FaultyDisk:
    """Use it as a context; it is in place within. `watch` is told of each `Op` once it is done.

    `fault` is '' or one of FAULTS; `delay` is the seconds that each sync takes longer. OSError where this
    Python's SQLite cannot be reached.
    """

    def __init__(self, watch: Callable[[Op], None] = lambda op: None) -> None:
        self.fault, self.delay = "", 0.0
        self._watch = watch
        self._library = _library()
        found = self._library.sqlite3_vfs_find(None)
        self._system = c.cast(found, c.POINTER(_Vfs)).contents
        self._vfs = _Vfs()
        c.memmove(c.byref(self._vfs), c.byref(self._system), c.sizeof(_Vfs))
        self._vfs.next, self._vfs.name = None, b"faulty"
        self._vfs.open, self._vfs.delete = _Open(self._open), _Delete(self._delete)
        self._paths: dict[int, str] = {}
        self._tables: dict[int, tuple[Any, list[Any]]] = {}
        """By the system's own table of methods: the one in its place, and its functions."""

    def __enter__(self) -> FaultyDisk:
        self._library.sqlite3_vfs_register(c.byref(self._vfs), 1)
        return self

    def __exit__(self, *_: object) -> None:
        self._library.sqlite3_vfs_unregister(c.byref(self._vfs))
        self._library.sqlite3_vfs_register(c.byref(self._system), 1)

    def _open(self, vfs: int, name: int | None, file: Any, flags: int, told: Any) -> int:
        # SQLite goes on using the name at this address: it is handed on, and no copy of it.
        path = os.fsdecode(c.string_at(name)) if name else ""
        is_new = not os.path.exists(path) or not os.path.getsize(path)
        result: int = self._system.open(vfs, name, file, flags, told)
        if result == OK and file.contents.methods:
            address = c.cast(file, c.c_void_p).value or 0
            self._paths[address] = path
            file.contents.methods = c.cast(self._table(file.contents.methods), c.POINTER(c.c_void_p))
            if is_new:
                self._watch(Op("create", path))
        return result

    def _delete(self, vfs: int, name: bytes, is_synced: int) -> int:
        result: int = self._system.delete(vfs, name, is_synced)
        if result == OK:
            self._watch(Op("delete", os.fsdecode(name), is_synced))
        return result

    def _table(self, methods: Any) -> Any:
        """Returns the system's methods of a file with ours in the place of some."""
        own = c.cast(methods, c.c_void_p).value or 0
        if own not in self._tables:
            version = c.cast(methods, c.POINTER(c.c_int))[0]
            table = (c.c_void_p * METHODS)()
            c.memmove(table, methods, {1: 13, 2: 17}.get(version, METHODS) * c.sizeof(c.c_void_p))
            close, write = _Close(table[CLOSE] or 0), _Write(table[WRITE] or 0)
            truncate, sync = _Truncate(table[TRUNCATE] or 0), _Sync(table[SYNC] or 0)
            ours = {
                CLOSE: _Close(lambda file: self._closed(close, file)),
                WRITE: _Write(lambda *given: self._written(write, *given)),
                TRUNCATE: _Truncate(lambda *given: self._truncated(truncate, *given)),
                SYNC: _Sync(lambda *given: self._synced(sync, *given)),
            }
            for place, function in ours.items():
                table[place] = c.cast(function, c.c_void_p).value
            self._tables[own] = table, [close, write, truncate, sync, *ours.values()]
        return self._tables[own][0]

    def _closed(self, close: Any, file: int) -> int:
        self._paths.pop(file, None)
        return int(close(file))

    def _written(self, write: Any, file: int, data: int, size: int, offset: int) -> int:
        if self.fault:
            return FAULTS[self.fault][0]
        result = int(write(file, data, size, offset))
        if result == OK:
            self._watch(Op("write", self._paths[file], offset, c.string_at(data, size)))
        return result

    def _truncated(self, truncate: Any, file: int, size: int) -> int:
        if self.fault:
            return FAILS_TRUNCATING
        result = int(truncate(file, size))
        if result == OK:
            self._watch(Op("truncate", self._paths[file], size))
        return result

    def _synced(self, sync: Any, file: int, flags: int) -> int:
        if self.fault:
            return FAULTS[self.fault][1]
        time.sleep(self.delay)
        result = int(sync(file, flags))
        if result == OK:
            self._watch(Op("sync", self._paths[file]))
        return result


def _library() -> Any:
    """Returns the SQLite of this Python. OSError where it hides its functions."""
    library = c.CDLL(_sqlite3.__file__)
    try:
        library.sqlite3_vfs_find.restype = c.c_void_p
        library.sqlite3_vfs_find.argtypes = [c.c_char_p]
        library.sqlite3_vfs_register.argtypes = [c.c_void_p, c.c_int]
        library.sqlite3_vfs_unregister.argtypes = [c.c_void_p]
    except AttributeError as error:
        raise OSError("this Python's SQLite cannot be reached: its own functions are hidden") from error
    return library
