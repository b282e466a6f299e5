"""The compiler as finder: every unit checked against a framework's headers, nothing generated."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from porter import process
from porter.build import checks, marked, pch
from porter.build.cell import default_jobs
from porter.build.checks import Checked
from porter.build.diagnostics import parse
from porter.build.extensions import CompileUnit
from porter.build.reach import HEADERS, Reach, Reader, content, stamp
from porter.build.units import Compilers, compilers, options, stand_ins
from porter.errors import EnvironmentFailed
from porter.model import Device, Step
from porter.targets.protocol import CompileArguments, Environment, Framework

__all__ = ["Checked", "check_units"]

OnLine = Callable[[str], None]
# What a check does not need, or what would hide or multiply what it says.
_DROPPED = re.compile(r"-(?:W(?![lpa],).*|w|O\w*|g\w*|pedantic.*|flto.*|MM?D|save-temps.*|pipe)\Z")
_QUIET = ("-Wdeprecated-declarations", "-fmax-errors=500", "-fno-diagnostics-show-caret")
_CRASHED = re.compile(r"internal compiler error|Killed signal|Segmentation fault|core dumped")
_NAME = "-DTORCH_EXTENSION_NAME="
_LARGEST = 64 * 1024**2  # bytes of a log that are read


def check_units(
    project: Path,
    units: Iterable[CompileUnit],
    environment: Environment,
    framework: Framework,
    first: Sequence[Path],
    folder: Path,
    *,
    device: Device = Device.CPU,
    tools: Compilers | None = None,
    jobs: int | None = None,
    timeout: float = 600.0,
    on_line: OnLine = lambda line: None,
) -> tuple[Checked, ...]:
    """Check each unit, in the order given; what did not change since is not compiled again.

    `first` are include folders before the framework's; `folder` keeps results and precompiled
    headers from one call to the next. What a source or a compiler does is in the result, never
    an exception.
    """
    tools = tools or compilers(device, environment.python, folder, on_line)
    checker = _Checker(
        project, environment, framework, tuple(first), folder, device, tools, timeout
    )
    tasks = checker.tasks(units)
    kept = (checks.load(checker.result(task), task.unit) for task in tasks)
    results = {number: found for number, found in enumerate(kept) if found is not None}
    waiting = [number for number in range(len(tasks)) if number not in results]
    marks = marked.read(first)
    with ThreadPoolExecutor(max_workers=max(1, jobs or default_jobs())) as pool:
        headers = checker.headers(tasks, waiting, pool, on_line)

        def one(number: int) -> Checked:
            found = checker.check(tasks[number], headers.get(number), marks)
            if not found.reason:  # else it may be done another time
                checks.save(checker.result(tasks[number]), found)
            on_line(f"{'ok' if found.ok else 'failed'} {found.path} ({found.seconds:.1f} s)")
            return found

        results.update(zip(waiting, pool.map(one, waiting), strict=True))
    return tuple(marks.completed(results[n], task.reach.files) for n, task in enumerate(tasks))


@dataclass(frozen=True, slots=True)
class _Task:
    unit: CompileUnit
    argv: tuple[str, ...]  # without the source
    reach: Reach
    key: str  # of the result
    base: str  # what a precompiled header depends on, beside its headers


@dataclass(frozen=True, slots=True)
class _Checker:
    project: Path
    environment: Environment
    framework: Framework
    first: tuple[Path, ...]
    folder: Path
    device: Device
    tools: Compilers
    timeout: float

    def result(self, task: _Task) -> Path:
        return self.folder / "checked" / f"{task.key}.json"

    def tasks(self, units: Iterable[CompileUnit]) -> tuple[_Task, ...]:
        """What is to be done for each unit, with a key that stands for all that it depends on."""
        arguments = {cuda: self._arguments(cuda) for cuda in (False, True)}
        outside = tuple(map(Path, dict.fromkeys(f for a in arguments.values() for f in a.includes)))
        reader = Reader((*self.first, *outside))
        own = [content(folder) for folder in self.first]
        common = (
            stamp(outside),
            *own,
            *map(_program, (self.tools.host[-1:], self.tools.nvcc[-1:])),
        )
        return tuple(self._task(u, arguments[u.cuda], reader, common) for u in units)

    def _arguments(self, cuda: bool) -> CompileArguments:
        return self.framework.compile_arguments(
            self.environment, cuda_source=cuda, device=self.device
        )

    def _task(
        self, unit: CompileUnit, arguments: CompileArguments, reader: Reader, common: Sequence[str]
    ) -> _Task:
        lean = replace(unit, flags=tuple(f for f in unit.flags if not _DROPPED.match(f)))
        before = stand_ins(arguments, self.environment, self.folder)
        argv = options(self.project, lean, arguments, self.tools, (*map(str, self.first), *before))
        folders = tuple(self.project / folder for folder in unit.includes)
        reach = reader.reach(self.project / unit.path, folders, self.first)
        base = pch.key_of(*common, *self._normal(a for a in argv if not a.startswith(_NAME)))
        files = [self._said(path) for path in self._all(reach)]
        return _Task(
            unit, argv, reach, pch.key_of(*common, *self._normal(argv), unit.path, *files), base
        )

    def _all(self, reach: Reach) -> Iterable[Path]:
        """The files a result depends on: all headers where an #include names a macro."""
        if not reach.computed:
            return reach.files
        others = (p for p in self.project.rglob("*") if p.suffix in HEADERS and p.is_file())
        return dict.fromkeys((*reach.files, *sorted(others)))

    def _said(self, path: Path) -> str:
        try:
            data = path.read_bytes()
        except OSError as error:
            data = str(error).encode()
        return f"{os.path.relpath(path, self.project)} {hashlib.sha256(data).hexdigest()}"

    def _normal(self, argv: Iterable[str]) -> list[str]:
        """A command that does not depend on where the project and the unit's headers are."""
        text = "\0".join(argv)
        for number, folder in enumerate((*self.first, self.folder, self.project)):
            text = text.replace(str(folder), f"<{number}>")
        return text.split("\0")

    def headers(
        self, tasks: Sequence[_Task], waiting: Sequence[int], pool: Executor, on_line: OnLine
    ) -> dict[int, pch.Made]:
        """The precompiled header for each unit that waits and gains by one."""
        reader = Reader((*self.first, *map(Path, self._arguments(False).includes)))
        groups: dict[str, dict[int, tuple[str, ...]]] = {}
        for number, task in enumerate(tasks):
            if not task.unit.cuda and _is_gcc(self.tools) and "-include" not in task.argv:
                groups.setdefault(task.base, {})[number] = task.reach.outer
        wanted: dict[tuple[str, tuple[str, ...]], list[int]] = {}
        for base, reached in groups.items():
            for number, chosen in pch.shared(reached, reader.weight).items():
                if number in waiting:
                    wanted.setdefault((base, chosen), []).append(number)

        def one(item: tuple[tuple[str, tuple[str, ...]], list[int]]) -> dict[int, pch.Made]:
            (base, chosen), numbers = item
            key = pch.key_of(base, *chosen)
            argv = (*_without_name(tasks[numbers[0]].argv), *_QUIET)
            with contextlib.suppress(EnvironmentFailed):  # each unit says that there is no compiler
                made = pch.make(
                    chosen,
                    argv,
                    self.folder / "pch" / key,
                    len(numbers),
                    self.project,
                    self.timeout,
                )
                if made is not None:
                    return dict.fromkeys(numbers, made)
            return {}

        found = {n: made for part in pool.map(one, wanted.items()) for n, made in part.items()}
        pch.forget(self.folder / "pch")
        return found

    def check(self, task: _Task, header: pch.Made | None, marks: marked.Marked) -> Checked:
        unit, began = task.unit, time.monotonic()
        refused = self._refusal(unit)
        log, ok, reason = "", False, refused
        if not refused:
            try:
                ok, log, reason = self._compile(task, header)
                if header and _CRASHED.search(log):
                    header = None
                    ok, log, reason = self._compile(task, None)
            except EnvironmentFailed as error:
                reason = str(error)
        used, edges = marks.uses(log)
        if header:
            edges |= marks.uses(header.log)[1]
        found = parse(log, self.project)
        return Checked(
            path=unit.path,
            extension=unit.extension,
            ok=ok,
            seconds=time.monotonic() - began,
            diagnostics=found,
            used=used,
            edges=edges,
            reason=reason if reason or ok or found else "the compiler failed and said nothing",
        )

    def _refusal(self, unit: CompileUnit) -> str:
        if not (self.project / unit.path).is_file():
            return f"{unit.path}: no such file: is a submodule missing?"
        if unit.cuda and (self.tools.reason or not self.tools.nvcc):
            return self.tools.reason or "a CUDA source, and this is a check for the CPU"
        if unit.path.endswith(".c"):
            return "a C source: frameworks' headers are C++"
        return ""

    def _compile(self, task: _Task, header: pch.Made | None) -> tuple[bool, str, str]:
        """Whether it is well-formed, what the compiler said, and why it did not come to an end."""
        forced = ("-include", str(header.header)) if header else ()
        argv = (*task.argv, *_QUIET, *forced, "-fsyntax-only", str(self.project / task.unit.path))
        step = Step(
            name=task.unit.path,
            argv=argv,
            cwd=str(self.project),
            environment={"LC_ALL": "C.UTF-8"},
            timeout=self.timeout,
        )
        result = process.run(step, self.folder / "logs" / f"{task.key}.log")
        with Path(result.log).open("rb") as file:
            log = file.read(_LARGEST).decode("utf-8", "replace")
        if result.timed_out:
            return False, log, f"not checked within {self.timeout:.0f} s"
        crashed = _CRASHED.search(log)
        if crashed or result.returncode < 0:
            said = crashed[0] if crashed else f"signal {-result.returncode}"
            return False, log, f"the compiler crashed: {said}"
        return result.ok, log, ""


def _is_gcc(tools: Compilers) -> bool:
    return "clang" not in Path(tools.host[-1]).name


def _without_name(argv: Iterable[str]) -> tuple[str, ...]:
    """Without the macro that tells extensions apart: no header of a framework's asks for it."""
    return tuple(word for word in argv if not word.startswith(_NAME))


def _program(words: Sequence[str]) -> str:
    """What tells one compiler from another without running it."""
    found = shutil.which(words[0]) if words else None
    if not found:
        return ""
    real = Path(found).resolve()
    return f"{real} {real.stat().st_size} {real.stat().st_mtime_ns}"
