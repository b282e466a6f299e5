"""Run a command and let one of its writing system calls fail, or be the last thing it did.

A seccomp filter reports each such call of the command and of all processes it starts, in one order,
before the call is made: so that "the 37th write" means the same in every run, whoever makes it.
(`strace -e inject=...:when=N` counts in each process apart.) Needs Linux 5.5 on x86-64, no rights.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from unittest import SkipTest

WRITING = {  # system calls that change files, by number
    1: "write", 18: "pwrite64", 20: "writev", 296: "pwritev",
    77: "ftruncate", 91: "fchmod", 74: "fsync", 75: "fdatasync",
    82: "rename", 264: "renameat", 316: "renameat2", 87: "unlink", 263: "unlinkat",
    86: "link", 265: "linkat", 88: "symlink", 266: "symlinkat", 83: "mkdir", 258: "mkdirat",
    84: "rmdir", 76: "truncate", 90: "chmod", 268: "fchmodat", 326: "copy_file_range",
    40: "sendfile", 2: "open", 257: "openat",
}  # fmt: skip
_BY_DESCRIPTOR = (1, 18, 20, 296)
_OPEN_FLAGS = {2: 1, 257: 2}  # which argument of a call says whether it makes a file
_NEEDS_SPACE = {1, 18, 20, 296, 77, 82, 264, 316, 86, 265, 88, 266, 83, 258, 326, 40, 2, 257}
_SECCOMP = 317
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_CONTINUE = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE
SAID = 600  # characters of the output that are kept
PATIENCE = 60.0  # seconds without end after which a process counts as left running


class Fault(Enum):
    """What happens at a writing call."""

    NONE = "nothing"
    ALL = "all processes are killed"
    ONE = "the process that makes it is killed"
    PARENT = "porter is killed, not what it has started"
    FULL = "the disk is full from then on"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many writing calls were made, and how it ended."""

    calls: int
    at: str  # the call of the fault
    code: int
    said: str
    left: bool  # whether a process was still running long after


def run(
    argv: list[str], cwd: Path, environment: Mapping[str, str], fault: Fault, when: int = 0
) -> Outcome:
    """Run a command with a fault at its writing call number `when`, from 1. Raises SkipTest."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise SkipTest("system calls are counted on Linux on x86-64 only")
    ours, theirs = socket.socketpair()
    with ours, theirs, os.fdopen(os.memfd_create("said"), "w+b") as said:
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
            preexec_fn=lambda: _filter(theirs),
        )
        listener = socket.recv_fds(ours, 1, 1)[1][0]
        try:
            calls, at, left = _watch(listener, process, fault, when)
        finally:
            os.close(listener)
        code = process.wait()
        said.seek(0)
        return Outcome(calls, at, code, said.read().decode(errors="replace")[-SAID:], left)


def _watch(
    listener: int, process: subprocess.Popen[bytes], fault: Fault, when: int
) -> tuple[int, str, bool]:
    """Answer every call until no process is left; the number of calls, the one of the fault, and
    whether a process had to be ended."""
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    calls, at, deadline, left = 0, "", time.monotonic() + PATIENCE, False
    while True:
        for _, event in poll.poll(100):
            if not event & select.POLLIN:
                return calls, at, left
            asked = bytearray(80)
            try:
                fcntl.ioctl(listener, _RECEIVE, asked)
            except OSError:  # it was killed while it waited
                continue
            key, pid, _, number = struct.unpack_from("QIIi", asked)
            refused = 0
            if _counts(pid, number, struct.unpack_from("6Q", asked, 32)):
                calls += 1
                if calls == when and fault not in (Fault.NONE, Fault.FULL):
                    at = WRITING[number]
                    _kill(process, pid, fault)
                elif 0 < when <= calls and fault is Fault.FULL and number in _NEEDS_SPACE:
                    at, refused = at or WRITING[number], -errno.ENOSPC
            answer = struct.pack("QqiI", key, 0, refused, 0 if refused else _CONTINUE)
            try:
                fcntl.ioctl(listener, _SEND, answer)
            except OSError as error:
                if error.errno != errno.ENOENT:
                    raise
        process.poll()
        if time.monotonic() > deadline and not left:
            left = True
            os.killpg(process.pid, signal.SIGKILL)


def _kill(process: subprocess.Popen[bytes], pid: int, fault: Fault) -> None:
    if fault is Fault.ALL:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        os.kill(process.pid if fault is Fault.PARENT else pid, signal.SIGKILL)


def _counts(pid: int, number: int, arguments: tuple[int, ...]) -> bool:
    """Whether a call may change a file: not a write to a pipe, nor an open for reading."""
    if number in _OPEN_FLAGS:
        return bool(arguments[_OPEN_FLAGS[number]] & (os.O_CREAT | os.O_TRUNC | 0o20000000))
    if number in _BY_DESCRIPTOR:
        try:
            target = str(Path(f"/proc/{pid}/fd/{arguments[0] & 0xFFFFFFFF}").readlink())
        except OSError:
            return False
        return target.startswith("/") and not target.startswith(("/dev/", "/memfd:"))
    return True


def _filter(channel: socket.socket) -> None:
    """In the child: report the writing calls to whom `channel` leads."""
    libc = ctypes.CDLL(None, use_errno=True)
    numbers = sorted(WRITING)
    code = [(0x20, 0, 0, 0)]  # load the number of the call
    for place, number in enumerate(numbers):
        code.append((0x15, len(numbers) - place, 0, number))  # equal: to the last line
    code += [(0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x7FC00000)]  # allow; report
    lines = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
    program = struct.pack("HxxxxxxP", len(code), ctypes.addressof(lines))
    for capability in (1, 2, 3):  # root may not write what its modes forbid, as other users
        libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    listener = libc.syscall(_SECCOMP, 1, 8, ctypes.c_char_p(program))  # filter, new listener
    if listener < 0:
        os._exit(97)
    socket.send_fds(channel, [b"x"], [listener])
    os.close(listener)
