"""What is to be done to check a unit, a key that stands for all that its result depends on, and the
precompiled headers that units share, made once and kept."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from porter.build import kernels
from porter.build.extensions import CompileUnit
from porter.build.reach import Reach, Reader, content, stamp
from porter.build.units import Workplace
from porter.host import process
from porter.languages.cpp import HEADERS
from porter.model import Step

# What a check does not need, or what would hide or multiply what it says.
_DROPPED = re.compile(
    r"-(?:W(?![lpa],).*|w|O\w*|g\w*|pedantic.*|flto.*|MM?D|save-temps.*|pipe"
    r"|f(?:no-)?(?:diagnostics-|color-|message-length).*)\Z"
)
_FEWEST = 2  # units that share one
_WORTH = 3  # checks that make one worth its time: as many as making it takes
_LIGHTEST = 1_000_000  # bytes of headers below which it gains nothing
_KEPT = 4  # they have 200 MB each
_SETS = 60  # distinct sets of headers that are compared with one another
_NAME = "-DTORCH_EXTENSION_NAME="


@dataclass(frozen=True, slots=True)
class Task:
    """The check of one unit; commands are without their source."""

    unit: CompileUnit
    argv: tuple[str, ...]
    host: tuple[str, ...]  # of a host compiler: the same but for a CUDA source
    reach: Reach
    headers: tuple[str, ...]  # that may be precompiled for it, in order
    shared: tuple[str, ...]  # of `host`, what means something for these
    key: str
    base: str  # what a precompiled header depends on, beside its headers


@dataclass(frozen=True)
class Tasks:
    """The checks of a workplace's units."""

    place: Workplace

    def task(self, unit: CompileUnit) -> Task:
        argv = host = self._options(unit)
        forced: tuple[str, ...] = ()
        if unit.cuda:
            forced = kernels.FORCED
            host = self._options(kernels.make_host_unit(unit))
        folders = tuple(self.place.project / folder for folder in unit.includes)
        reach = self.reader.reach(self.place.project / unit.path, folders, self.place.first)
        files = [self._read_log(path) for path in self._all(reach)]
        shared = tuple(word for word in host if self._matters(word, reach.outer))
        return Task(
            unit=unit,
            argv=argv,
            host=host,
            reach=reach,
            headers=(*forced, *reach.outer) if reach.outer else (),
            shared=shared,
            key=key_of(*self._common, *self._normal(argv), unit.path, *files),
            base=key_of(*self._common, *self._normal(shared)),
        )

    def _matters(self, word: str, headers: Iterable[str]) -> bool:
        """Whether an option means something for headers: a macro that none names does not, unless
        those of the system may name it, which are not read."""
        macro = word.removeprefix("-D").partition("=")[0]
        systems = macro.startswith("_") or macro == "NDEBUG"
        if not word.startswith("-D") or not macro or systems or word.startswith(_NAME):
            return True
        return not all(self.reader.serves(header, (macro,)) for header in headers)

    @cached_property
    def reader(self) -> Reader:
        return Reader((*self.place.first, *self._outer_folders))

    @cached_property
    def _outer_folders(self) -> tuple[Path, ...]:
        both = (self.place.arguments(cuda) for cuda in (False, True))
        return tuple(map(Path, dict.fromkeys(f for a in both for f in a.includes)))

    @cached_property
    def _common(self) -> tuple[str, ...]:
        programs = (self.place.tools.host[-1:], self.place.tools.nvcc[-1:])
        own = (content(folder) for folder in self.place.first)
        return (stamp(self._outer_folders), *own, *map(_program, programs))

    def _options(self, unit: CompileUnit) -> tuple[str, ...]:
        if unit.cuda:
            lean = kernels.lean(unit)
        else:
            lean = replace(unit, flags=tuple(f for f in unit.flags if not _DROPPED.match(f)))
        return tuple(map(_one_name, self.place.options(lean)))

    def _all(self, reach: Reach) -> Iterable[Path]:
        """The files a result depends on: all headers where an #include names a macro."""
        if not reach.computed:
            return reach.files
        others = (p for p in self.place.project.rglob("*") if p.suffix in HEADERS and p.is_file())
        return dict.fromkeys((*reach.files, *sorted(others)))

    def _read_log(self, path: Path) -> str:
        try:
            data = path.read_bytes()
        except OSError as error:
            data = str(error).encode()
        return f"{os.path.relpath(path, self.place.project)} {hashlib.sha256(data).hexdigest()}"

    def _normal(self, argv: Iterable[str]) -> list[str]:
        """A command that does not depend on where the project and the unit's headers are."""
        text = "\0".join(argv)
        for number, folder in enumerate((*self.place.first, self.place.folder, self.place.project)):
            text = text.replace(str(folder), f"<{number}>")
        return text.split("\0")


def _one_name(word: str) -> str:
    """The macro that tells extensions apart, with the same value for all: headers ask whether it
    is there, and a precompiled one serves only where all that it asked for is the same."""
    return f"{_NAME}extension" if word.startswith(_NAME) else word


def _program(words: Sequence[str]) -> str:
    """What tells one compiler from another without running it."""
    found = shutil.which(words[0]) if words else None
    if not found:
        return ""
    real = Path(found).resolve()
    return f"{real} {real.stat().st_size} {real.stat().st_mtime_ns}"


@dataclass(frozen=True, slots=True)
class Precompiled:
    """A precompiled header; `log` are the warnings in it, which no use of it repeats."""

    header: Path
    log: str


def choose_shared_headers(
    reached: Mapping[int, tuple[str, ...]], weight: Callable[[Iterable[str]], int]
) -> dict[int, tuple[str, ...]]:
    """The headers to precompile for each unit, where that is worth it.

    A unit is only ever given headers that it includes itself: a header forced upon it would
    hide that it lacks one.
    """
    chosen: dict[int, tuple[str, ...]] = {}
    left = dict(reached)
    while len(left) >= _FEWEST:
        worth = []
        for candidate in _candidates(left.values()):
            units = [number for number, own in left.items() if set(candidate) <= set(own)]
            size = weight(candidate)
            if len(units) >= _FEWEST and size >= _LIGHTEST:
                worth.append((size * (len(units) - 1), candidate, units))
        if not worth:
            break
        _, best, units = max(worth, key=lambda one: one[0])
        chosen |= dict.fromkeys(units, best)
        left = {number: own for number, own in left.items() if number not in units}
    return chosen


def _candidates(sets: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Distinct sets of headers and what two of them have in common, each in its own order."""
    own = list(dict.fromkeys(s for s in sets if s))[:_SETS]
    common = (tuple(h for h in a if h in set(b)) for a in own for b in own)
    unique: dict[frozenset[str], tuple[str, ...]] = {}
    for candidate in (*own, *common):
        if candidate:
            unique.setdefault(frozenset(candidate), candidate)
    return list(unique.values())


def precompile(
    headers: Sequence[str], argv: Sequence[str], home: Path, uses: int, cwd: Path, timeout: float
) -> Precompiled | None:
    """Precompile headers with a compiler and its options into `home`, unless that was done.

    None as long as it was asked for fewer times than it takes to gain by it (`uses` are those of
    this time), or where the headers do not compile. Raises EnvironmentFailed without a compiler.
    """
    header, log, done = home / "all.h", home / "pch.log", home / "done"
    home.mkdir(parents=True, exist_ok=True)
    os.utime(home)
    if not done.is_file():
        asked = uses + _count(home / "asked")
        (home / "asked").write_text(str(asked))
        if asked < _WORTH:
            return None
        header.write_text("".join(f"#include <{name}>\n" for name in headers))
        made = Path(f"{header}.gch")
        command = (*argv, "-x", "c++-header", str(header), "-o", str(made))
        step = Step(
            name="precompiled header",
            argv=command,
            cwd=str(cwd),
            environment={"LC_ALL": "C.UTF-8"},
            timeout=timeout,
            writable=(str(home),),
        )
        result = process.run(step, log)
        if not result.ok:
            made.unlink(missing_ok=True)
        done.write_text("ok" if result.ok else "failed")
    if done.read_text() != "ok":
        return None
    return Precompiled(header, log.read_text(errors="replace"))


def _count(path: Path) -> int:
    return int(path.read_text()) if path.is_file() else 0


def key_of(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def forget(folder: Path) -> None:
    """Remove all but those used last."""
    if folder.is_dir():
        newest = sorted(folder.iterdir(), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in newest[_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
