"""The compiler as finder: every unit checked against a framework's headers, nothing generated."""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from porter.build import kernels, marked, standins
from porter.build.cell import default_jobs
from porter.build.diagnostics import follow_headers, parse
from porter.build.extensions import CompileUnit
from porter.build.tasks import (
    Precompiled,
    Task,
    Tasks,
    choose_shared_headers,
    forget,
    key_of,
    precompile,
)
from porter.build.units import Compilers, Workplace, compilers
from porter.errors import EnvironmentFailed
from porter.host import files, process, threads
from porter.host.output import OnLine
from porter.model import Device, Diagnostic, Step
from porter.targets.protocol import Environment, Framework

_QUIET = (
    "-Wdeprecated-declarations",
    "-Wsystem-headers",  # where std:: makes an object of a class of the unit
    "-Winvalid-pch",
    "-fmax-errors=500",
    "-fno-diagnostics-show-caret",
)
_CLANG = (
    "-Wdeprecated-declarations",
    "-Wsystem-headers",
    "-ferror-limit=500",
    "-fno-caret-diagnostics",
)
_CRASHED = re.compile(
    r"[Ii]nternal (?:compiler )?error:|Killed signal|Segmentation fault|core dumped|died due to sig"
)
_NO_HEADER = re.compile(
    r": fatal error: '?([^\s':]+)'?(?:: No such file or directory| file not found)$", re.MULTILINE
)
_LACKING = 20  # headers that a unit may lack and be checked without
_ROUNDS = 2  # of types that a unit lacks, each behind another
_LARGEST = 64 * 1024**2  # bytes of a log that are read


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One translation unit that was checked; with a `reason`, why that could not be done or ended.

    `used` are ids of the polyfill parts that the unit uses directly, `edges` the uses of parts by
    parts that this check has shown.
    """

    path: str
    extension: str
    ok: bool
    seconds: float
    diagnostics: tuple[Diagnostic, ...] = ()
    used: frozenset[str] = frozenset()
    edges: frozenset[tuple[str, str]] = frozenset()
    reason: str = ""


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
    units = tuple(units)
    marks = marked.read(first)
    if marks.lines and any(unit.cuda for unit in units):
        first = marked.copy_audible_headers(first, folder / "marked")
        marks = marked.read(first)
    place = Workplace(project, environment, framework, tuple(first), folder, device, tools)
    every = Tasks(place)
    tasks = [every.task(unit) for unit in units]
    kept = (files.load(_result(folder, task), Checked) for task in tasks)
    results = {number: found for number, found in enumerate(kept) if found is not None}
    first_of = {task.key: n for n, task in reversed(list(enumerate(tasks)))}
    waiting = [n for n in first_of.values() if n not in results]  # alike ones are checked once
    waiting.sort(key=lambda n: (not tasks[n].unit.cuda, n))  # those that take longest first
    checker = _Checker(place, every.reader.weight, marks, timeout)
    with threads.pool(jobs or default_jobs()) as pool:
        headers = checker.headers(tasks, waiting, pool)
        done: list[int] = []

        def one(number: int) -> Checked:
            found = checker.check(tasks[number], headers.get(number))
            if not found.reason:  # else it may be done another time
                files.save(_result(folder, tasks[number]), found)
            done.append(number)
            said = f"{'ok' if found.ok else 'failed'} {found.path} ({found.seconds:.1f} s)"
            on_line(f"{len(done)} of {len(waiting)} units: {said}")
            return found

        results.update(zip(waiting, pool.map(one, waiting), strict=True))
    return tuple(
        _make_result(results.get(n) or results[first_of[task.key]], task, marks)
        for n, task in enumerate(tasks)
    )


def _make_result(found: Checked, task: Task, marks: marked.Marked) -> Checked:
    """The result for a unit, which may be that of one with the same content, with what the tokens
    say: the macros that its files name, and the uses among parts."""
    return replace(
        found,
        path=task.unit.path,
        extension=task.unit.extension,
        used=found.used | marks.parts_in(task.reach.files),
        edges=found.edges | marks.edges,
    )


def _result(folder: Path, task: Task) -> Path:
    return folder / "checked" / f"{task.key}.json"


@dataclass(frozen=True, slots=True)
class _Said:
    """What a compiler said of a source: `reason` is why it did not come to an end."""

    ok: bool
    log: str
    reason: str = ""
    crashed: bool = False


@dataclass(frozen=True, slots=True)
class _Checker:
    place: Workplace
    weight: Callable[[Iterable[str]], int]
    marks: marked.Marked
    timeout: float
    seen: dict[Path, frozenset[tuple[str, str]]] = field(default_factory=dict)

    def headers(
        self, tasks: Sequence[Task], waiting: Sequence[int], pool: Executor
    ) -> dict[int, Precompiled]:
        """The precompiled header for each unit that waits and gains by one."""
        groups: dict[str, dict[int, tuple[str, ...]]] = {}
        for number, task in enumerate(tasks):
            if self._gains(task):
                groups.setdefault(task.base, {})[number] = task.headers
        wanted: dict[tuple[str, tuple[str, ...]], list[int]] = {}
        for base, reached in groups.items():
            for number, chosen in choose_shared_headers(reached, self.weight).items():
                if number in waiting:
                    wanted.setdefault((base, chosen), []).append(number)

        def one(item: tuple[tuple[str, tuple[str, ...]], list[int]]) -> dict[int, Precompiled]:
            (base, chosen), numbers = item
            home = self.place.folder / "pch" / key_of(base, *chosen)
            argv = (*tasks[numbers[0]].shared, *_QUIET)
            with contextlib.suppress(EnvironmentFailed):  # each unit says that there is no compiler
                made = precompile(
                    chosen, argv, home, len(numbers), self.place.project, self.timeout
                )
                return dict.fromkeys(numbers, made) if made else {}
            return {}

        found = {n: made for part in pool.map(one, wanted.items()) for n, made in part.items()}
        forget(self.place.folder / "pch")
        return found

    def _gains(self, task: Task) -> bool:
        """Whether a precompiled header can serve: of a CUDA source only the marks are read so."""
        usable = not _is_clang(self.place.tools) and "-include" not in task.host
        return usable and (not task.unit.cuda or bool(self.marks.lines))

    def check(self, task: Task, header: Precompiled | None) -> Checked:
        unit, began = task.unit, time.monotonic()
        refused = self._refusal(unit)
        try:
            said = _Said(False, "", refused) if refused else self._compile(task, header)
            log = said.log
            if unit.cuda and self.marks.lines and not refused:
                log += self._compile_as_host(task, header).log
        except (EnvironmentFailed, OSError) as error:
            said, log = _Said(False, "", str(error)), ""
        finally:
            shutil.rmtree(self.place.folder / "missing" / task.key, ignore_errors=True)
        used, edges = self.marks.uses(log)
        if header:
            edges |= self._edges(header)
        found = follow_headers(parse(said.log, self.place.project))
        if found and not said.reason:
            found = self._read_on(task, header, found)
        silent = "" if said.ok or found else "the compiler failed without a message"
        return Checked(
            path=unit.path,
            extension=unit.extension,
            ok=said.ok,
            seconds=time.monotonic() - began,
            diagnostics=found,
            used=used,
            edges=edges,
            reason=said.reason or silent,
        )

    def _edges(self, header: Precompiled) -> frozenset[tuple[str, str]]:
        """What parts use in a precompiled header, which no use of it repeats."""
        if header.header not in self.seen:
            self.seen[header.header] = self.marks.uses(header.log)[1]
        return self.seen[header.header]

    def _refusal(self, unit: CompileUnit) -> str:
        tools = self.place.tools
        if gone := self.place.why_missing(unit):
            return gone
        if unit.cuda and (tools.reason or not tools.nvcc):
            return tools.reason or "a CUDA source, and this is a check for the CPU"
        if unit.path.endswith(".c"):
            return "a C source: frameworks' headers are C++"
        return ""

    def _compile(self, task: Task, header: Precompiled | None) -> _Said:
        """What the compiler says; where a header is missing, also what it says without it."""
        said = self._once(task, header)
        empty = self.place.folder / "missing" / task.key
        for _ in range(_LACKING):
            lacking = {name for name in _NO_HEADER.findall(said.log) if ".." not in name}
            new = [empty / name for name in lacking if not (empty / name).is_file()]
            if not new:
                break
            for path in new:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            more = self._once(task, header, f"-I{empty}")
            said = _Said(False, said.log + more.log, more.reason)
        return said

    def _read_on(
        self, task: Task, header: Precompiled | None, found: tuple[Diagnostic, ...]
    ) -> tuple[Diagnostic, ...]:
        """What a compiler finds missing, also in what it skips for want of a type."""
        types: dict[str, bool] = {}
        folder = self.place.folder / "missing" / task.key
        for _ in range(_ROUNDS):
            new = standins.find_types(found, self.place.project).keys() - types.keys()
            if not new:
                break
            types |= standins.find_types(found, self.place.project)
            declared = folder / "porter_standins.h"
            declared.parent.mkdir(parents=True, exist_ok=True)
            declared.write_text(standins.declare(types), encoding="utf-8")
            said = self._once(task, header, f"-I{folder}", "-include", str(declared))
            more = follow_headers(parse(said.log, self.place.project))
            found += standins.find_hidden(more, found, types)
        return found

    def _once(self, task: Task, header: Precompiled | None, *last: str) -> _Said:
        source = str(self.place.project / task.unit.path)
        if task.unit.cuda:
            return self._run((*task.argv, *last, *kernels.SYNTAX, source), task, "device")
        tail = (*last, *self._quiet(), "-fsyntax-only", source)
        if header:
            said = self._run((*task.argv, "-include", str(header.header), *tail), task, "host")
            if not said.crashed:
                return said
        return self._run((*task.argv, *tail), task, "host")

    def _compile_as_host(self, task: Task, header: Precompiled | None) -> _Said:
        """What a host compiler says of a CUDA source without its launches: the parts that host
        code uses, which nvcc leaves for it to tell. Its errors count for nothing."""
        home = self.place.folder / "host" / task.key
        copy = kernels.blank_launches(task.reach.files, self.place.project, home)
        forced = (str(header.header),) if header else kernels.FORCED
        words = len(self.place.tools.host)
        argv = (
            *task.host[:words],
            *(f"-I{home / f}" for f in task.unit.includes if not Path(f).is_absolute()),
            *task.host[words:],
            *(word for name in forced for word in ("-include", name)),
            *self._quiet(),
            *(() if _is_clang(self.place.tools) else ("-fmax-errors=0",)),  # they may be many
            f"-I{self.place.folder / 'missing' / task.key}",
            *("-fsyntax-only", "-x", "c++", str(copy)),
        )
        return self._run(argv, task, "host")

    def _quiet(self) -> tuple[str, ...]:
        return _CLANG if _is_clang(self.place.tools) else _QUIET

    def _run(self, argv: tuple[str, ...], task: Task, name: str) -> _Said:
        step = Step(
            name=task.unit.path,
            argv=argv,
            cwd=str(self.place.project),
            environment={"LC_ALL": "C.UTF-8"},
            timeout=self.timeout,
        )
        result = process.run(step, self.place.folder / "logs" / f"{task.key}-{name}.log")
        with Path(result.log).open("rb") as file:
            log = file.read(_LARGEST).decode("utf-8", "replace")
        if result.timed_out:
            return _Said(False, log, f"not checked within {self.timeout:.0f} s")
        crashed = _CRASHED.search(log) if result.returncode else None
        if crashed or result.returncode < 0:
            what = crashed[0] if crashed else f"signal {-result.returncode}"
            return _Said(False, log, f"the compiler crashed: {what}", crashed=True)
        return _Said(result.ok, log)


def _is_clang(tools: Compilers) -> bool:
    return "clang" in Path(tools.host[-1]).name
