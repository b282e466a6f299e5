"""Run one step: the only importer of subprocess."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from porter import alive
from porter.errors import EnvironmentFailed
from porter.model import UNSET, Step, StepResult

TAIL_LINES = 60
SILENCE = 0.2  # seconds without output after which a process that has ended has said all
MARK = ".pid"  # beside the log of a step that runs


def run(step: Step, log: Path, on_line: Callable[[str], None] = lambda line: None) -> StepResult:
    """Run a step to its end, its whole output in `log`, each line given to `on_line`.

    The step's processes share a group, so that a timeout ends all of them.
    Raises EnvironmentFailed when the program itself does not exist.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    marks = [re.compile(pattern) for pattern in step.failure_marks]
    marked: str | None = None
    tail: deque[str] = deque(maxlen=TAIL_LINES)
    began = time.monotonic()
    try:
        process = subprocess.Popen(
            step.argv,
            cwd=step.cwd,
            env={k: v for k, v in {**os.environ, **step.environment}.items() if v != UNSET},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (FileNotFoundError, PermissionError) as error:
        raise EnvironmentFailed(
            f"cannot run {step.argv[0]}: {error.strerror}", hint="run `porter doctor`"
        ) from error
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        _end_group(process.pid)

    timer = threading.Timer(step.timeout, expire)
    timer.start()
    mark = log.with_name(log.name + MARK)
    alive.write(mark, process.pid)
    try:
        with log.open("wb") as file:
            for raw in _lines(process):
                file.write(raw)
                line = raw.decode("utf-8", "replace").rstrip("\r\n")
                tail.append(line)
                if marked is None and any(pattern.search(line) for pattern in marks):
                    marked = line
                on_line(line)
        returncode = process.wait()
        _end_group(process.pid)  # what it has left running
    except BaseException:  # interrupted: leave nothing running
        _end_group(process.pid)
        raise
    finally:
        timer.cancel()
        if process.stdout is not None:
            process.stdout.close()
        mark.unlink(missing_ok=True)
    return StepResult(
        name=step.name,
        argv=step.argv,
        returncode=returncode,
        seconds=time.monotonic() - began,
        timed_out=expired.is_set(),
        marked=marked,
        log=str(log),
        tail="\n".join(tail),
    )


def _lines(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """What a process writes, until it has ended: what it started may keep its output open."""
    assert process.stdout is not None
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            ended = process.poll() is not None
            if selector.select(SILENCE):
                read = os.read(process.stdout.fileno(), 1 << 16)
                *lines, rest = (rest + read).split(b"\n")
                yield from (line + b"\n" for line in lines)
                if read:
                    continue
            elif not ended:
                continue
            if rest:
                yield rest
            return


def signal_name(number: int) -> str:
    """`SIGSEGV` of 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def ending(result: StepResult) -> str:
    """How a step's process ended, to be said after a noun."""
    if result.timed_out:
        return f"did not end within {result.seconds:.0f} s"
    if result.returncode < 0:
        return f"was ended by {signal_name(-result.returncode)}"
    return f"ended with exit status {result.returncode}"


def end_left(folders: Iterable[Path]) -> None:
    """End the steps with logs in these folders whose porter was killed before they ended."""
    for folder in folders:
        for mark in folder.glob(f"*{MARK}"):
            pid = alive.read(mark)
            if pid is not None:
                _end_group(pid)
            mark.unlink(missing_ok=True)


def _end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


@contextlib.contextmanager
def locked(folder: Path, on_line: Callable[[str], None] = lambda line: None) -> Iterator[None]:
    """Hold the lock of a folder that one process at a time may make; the kernel drops it when the
    process dies."""
    import fcntl

    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_line(f"waiting for another porter that makes {folder.name}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
