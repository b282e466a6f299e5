"""Runs the cases of modules in a worker process, past crashes, and keeps the answers."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import select
import signal
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.cpp_pieces.toolchain import HERE, Toolchain, runner

CRASHES = 2  # of one example: its other calls are not made then
SECONDS = 60  # for one call
SLICE = 5
HANGS = 5  # then nothing is called any more
_SLOW = "no answer"

Answer = Mapping[str, Any]


class Worker:
    """One framework's process; started when it is asked first, and again after a crash.

    A call at which the process ends is made again in a new one, and counts as a crash if that
    ends too. No wait is without end: one that hangs ends itself, or is killed.
    """

    def __init__(self, tools: Toolchain) -> None:
        self.tools = tools
        self._process: subprocess.Popen[bytes] | None = None
        self._hangs = 0

    def answers(self, module: Path, points: Sequence[Mapping[str, Any]]) -> list[Answer]:
        """One for each point, of a module built for the worker's framework."""
        out = self.tools.cache / f"{self.tools.framework}-{os.getpid()}.answers"
        out.write_bytes(b"")
        crashes: Counter[int] = Counter()
        done = again = 0
        while done < len(points):
            last = done
            while last < len(points) and crashes[points[last]["index"]] < CRASHES:
                last += 1
            if last == done:
                _add(out, {"crash": "not called: its other calls ended the process"})
                done += 1
                continue
            how = self._ask(module, points[done:last], out)
            done = len(_read(out))
            if how and again != done + 1 and not crashes[points[done]["index"]]:
                again = done + 1  # once more in a new process: it may have been an earlier call
            elif how:
                crashes[points[done]["index"]] += CRASHES if how.startswith(_SLOW) else 1
                _add(out, {"crash": how})
                done += 1
        told = _read(out)
        out.unlink()
        _job(out).unlink(missing_ok=True)
        return told

    def _ask(self, module: Path, points: Sequence[Mapping[str, Any]], out: Path) -> str:
        """Nothing if all were called, else how the process ended at one."""
        if self._hangs >= HANGS:
            return f"{_SLOW}: not called, since {HANGS} calls hung before"
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        job = _job(out)
        job.write_text(json.dumps({"module": str(module), "points": points, "out": str(out)}))
        with contextlib.suppress(BrokenPipeError):  # it has ended: read below
            process.stdin.write(f"{job}\n".encode())
        size, waited = -1, 0
        # In slices: a machine that is halted in between has not waited for long.
        while not select.select([process.stdout], [], [], SLICE)[0]:
            waited = waited + SLICE if out.stat().st_size == size else 0
            size = out.stat().st_size
            if waited >= 300 + SECONDS:
                process.kill()
        if os.read(process.stdout.fileno(), 5) == b"done\n":
            return ""
        return self._ended(process)

    def _ended(self, process: subprocess.Popen[bytes]) -> str:
        try:
            code = process.wait(SLICE)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        self._process = None
        ended = signal.Signals(-code).name if code < 0 else f"exit {code}"
        if code in (-signal.SIGALRM, -signal.SIGKILL):
            self._hangs += 1
            return f"{_SLOW} in {SECONDS} seconds: {ended}"
        return f"ended by {ended}{_said(self._log)}"

    @property
    def _log(self) -> Path:
        return self.tools.cache / f"{self.tools.framework}-{os.getpid()}.log"

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            made = runner(self.tools)
            with self._log.open("w") as log:
                own = (HERE / "worker.py", self.tools.framework, made, str(SECONDS))
                self._process = subprocess.Popen(
                    [self.tools.python, *own],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    bufsize=0,
                    env={**os.environ, "OMP_NUM_THREADS": "1"},
                )
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._log.unlink(missing_ok=True)


def _said(log: Path) -> str:
    """The line of a log that says most of why a process ended, if any does."""
    lines = log.read_text(errors="replace").splitlines()
    told = [line.strip() for line in lines if "what():" in line or "Error: " in line]
    return f": {told[-1][:200]}" if told else ""


def final(answer: Answer) -> bool:
    """Whether it would be the same if asked again: not if a busy machine was too slow."""
    return not answer.get("crash", "").startswith(_SLOW)


def _job(out: Path) -> Path:
    return out.with_suffix(".job")


def _add(out: Path, answer: Answer) -> None:
    with out.open("ab") as file:
        pickle.dump(answer, file)


def _read(out: Path) -> list[Answer]:
    """The whole answers of a file; a torn last one is cut off."""
    found = []
    with out.open("r+b") as file:
        while True:
            at = file.tell()
            try:
                found.append(pickle.load(file))
            except (EOFError, pickle.UnpicklingError):
                file.truncate(at)
                return found
