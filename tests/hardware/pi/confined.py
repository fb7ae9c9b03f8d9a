"""Runs a command under the system call filter of a systemd unit: `python confined.py UNIT COMMAND…`.

Needs systemd-analyze, which knows the sets of calls, and libseccomp. A call that is not allowed is answered
as the unit says, by EPERM: what asks for too much goes on without it, or fails.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import re
import subprocess
import sys
from pathlib import Path

ALLOW, REFUSE = 0x7FFF0000, 0x00050001
"""SCMP_ACT_ALLOW; SCMP_ACT_ERRNO with EPERM."""


def calls(name: str) -> set[str]:
    """The system calls of one of systemd's sets, or one call."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.check_output(["systemd-analyze", "syscall-filter", name], text=True)
    names = [line.strip() for line in listed.splitlines()[1:]]
    return {call for each in names if each and not each.startswith("#") for call in calls(each)}


def allowed(unit: str) -> set[str]:
    """The calls that a unit's filters leave, in their order; what systemd always allows is among them."""
    found = calls("@default")
    for line in re.findall(r"^SystemCallFilter=(.*)$", unit, re.MULTILINE):
        named = {call for name in line.lstrip("~").split() for call in calls(name)}
        found = found - named if line.startswith("~") else found | named
    return found


def confine(names: set[str]) -> None:
    """Lets this process, and what it starts, make no other calls."""
    library = ctypes.CDLL(ctypes.util.find_library("seccomp"))
    library.seccomp_init.restype = ctypes.c_void_p
    filtered = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(REFUSE)))
    for name in names:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # else a call of another machine
            library.seccomp_rule_add(filtered, ctypes.c_uint32(ALLOW), number, 0)
    if library.seccomp_load(filtered):
        raise OSError("the filter cannot be loaded")


if __name__ == "__main__":
    confine(allowed(Path(sys.argv[1]).read_text(encoding="utf-8")))
    os.execv(sys.argv[2], sys.argv[2:])
