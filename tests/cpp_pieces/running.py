"""Runs the cases of modules in a worker process, past crashes, and keeps the answers."""

from __future__ import annotations

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

from tests.cpp_pieces.building import HERE, Toolchain, digest, runner

CRASHES = 2  # of one example: its other calls are not made then
SECONDS = 60  # for one call

Answer = Mapping[str, Any]


class Worker:
    """One framework's process; started when it is asked first, and again after a crash."""

    def __init__(self, tools: Toolchain) -> None:
        self.tools = tools
        self._process: subprocess.Popen[str] | None = None

    def answers(self, module: Path, points: Sequence[Mapping[str, Any]]) -> list[Answer]:
        """One for each point; cached by what is called with what."""
        own = [(HERE / name).read_text() for name in ("worker.py", "inputs.py")]
        key = digest(module.name, points, own, runner(self.tools).name)
        made = self.tools.cache / "answers" / f"{self.tools.framework}-{key}"
        if not made.is_file():
            made.parent.mkdir(parents=True, exist_ok=True)
            part = made.with_name(f"{made.name}.{os.getpid()}")
            part.unlink(missing_ok=True)
            part.touch()
            self._run(module, points, part)
            part.rename(made)
        return _read(made)

    def _run(self, module: Path, points: Sequence[Mapping[str, Any]], out: Path) -> None:
        crashes: Counter[int] = Counter()
        done = 0
        while done < len(points):
            index = points[done]["index"]
            if crashes[index] >= CRASHES:
                _add(out, {"crash": "not called: its other calls ended the process"})
                done += 1
                continue
            last = next(
                (i for i in range(done, len(points)) if crashes[points[i]["index"]] >= CRASHES),
                len(points),
            )
            how = self._ask(module, points[done:last], out)
            done = len(_read(out))
            if how:
                crashes[points[done]["index"]] += 1
                _add(out, {"crash": how})
                done += 1

    def _ask(self, module: Path, points: Sequence[Mapping[str, Any]], out: Path) -> str:
        """Nothing if all were called, else how the process ended at one."""
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        job = {"module": str(module), "points": points, "out": str(out)}
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        size = -1
        while not select.select([process.stdout], [], [], SECONDS)[0]:
            if out.stat().st_size == size:
                self.close()
                return f"no answer in {SECONDS} seconds"
            size = out.stat().st_size
        if process.stdout.readline() == "done\n":
            return ""
        code = process.wait()
        self._process = None
        log = self._log.read_text(errors="replace")[-300:]
        return f"ended by {signal.Signals(-code).name if code < 0 else f'exit {code}'}: {log}"

    @property
    def _log(self) -> Path:
        return self.tools.cache / f"{self.tools.framework}-{os.getpid()}.log"

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            made = runner(self.tools)
            with self._log.open("w") as log:
                self._process = subprocess.Popen(
                    [self.tools.python, HERE / "worker.py", self.tools.framework, made],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    env={**os.environ, "OMP_NUM_THREADS": "1"},
                )
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._log.unlink(missing_ok=True)


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
