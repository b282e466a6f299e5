"""Run a command and, when it ends, end all that it started, sessions of their own or not.

Called as `python -I -S supervisor.py COMMAND...` where there is no sandbox. SIGTERM ends the
command, and so does the end of the process that started this one. Exits as a shell does: with 128
and the number of the signal that ended the command.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def children() -> Iterator[int]:
    """Processes that this one has: orphans below it come to it."""
    own = os.getpid()
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                if int(file.read().rpartition(b")")[2].split()[1]) == own:
                    yield int(name)


def end_all() -> None:
    """End children until there are none: each that ends hands its own over."""
    while True:
        for pid in children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def stop(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    end_all()
    os._exit(128 + number)


def main() -> None:
    parent = os.getppid()
    library = ctypes.CDLL(None)
    library.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    library.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    signal.signal(signal.SIGTERM, stop)
    if os.getppid() != parent:
        sys.exit(1)
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            os.execvp(sys.argv[1], sys.argv[1:])
        finally:
            os._exit(127)
    while True:
        ended, status = os.wait()
        if ended == pid:
            break
    end_all()
    code = os.waitstatus_to_exitcode(status)
    sys.stdout.flush()
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
