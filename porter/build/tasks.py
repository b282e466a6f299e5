"""What is to be done to check a unit, and a key that stands for all that its result depends on."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from porter.build import kernels
from porter.build.extensions import CompileUnit
from porter.build.pch import key_of
from porter.build.reach import HEADERS, Reach, Reader, content, stamp
from porter.build.units import Workplace

# What a check does not need, or what would hide or multiply what it says.
_DROPPED = re.compile(
    r"-(?:W(?![lpa],).*|w|O\w*|g\w*|pedantic.*|flto.*|MM?D|save-temps.*|pipe"
    r"|f(?:no-)?(?:diagnostics-|color-|message-length).*)\Z"
)
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
            host = self._options(kernels.as_host(unit))
        folders = tuple(self.place.project / folder for folder in unit.includes)
        reach = self.reader.reach(self.place.project / unit.path, folders, self.place.first)
        files = [self._said(path) for path in self._all(reach)]
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
        return Reader((*self.place.first, *self._outside))

    @cached_property
    def _outside(self) -> tuple[Path, ...]:
        both = (self.place.arguments(cuda) for cuda in (False, True))
        return tuple(map(Path, dict.fromkeys(f for a in both for f in a.includes)))

    @cached_property
    def _common(self) -> tuple[str, ...]:
        programs = (self.place.tools.host[-1:], self.place.tools.nvcc[-1:])
        own = (content(folder) for folder in self.place.first)
        return (stamp(self._outside), *own, *map(_program, programs))

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

    def _said(self, path: Path) -> str:
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
