"""A log of compilers, linkers, CMake, pip and Python line by line -> errors where the user's code
brings them about."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from porter.build.causes import plain
from porter.build.pointed import EDG
from porter.model import Diagnostic

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_GNU = re.compile(
    r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?:(?:fatal )?error: |(?=internal compiler error: ))(?P<m>.+)$"
)
_FATAL = re.compile(
    r"^(?P<tool>nvcc|g\+\+|gcc|c\+\+|clang\+\+|clang|cc)"
    r"(?:: | )(?:(?:fatal|error|fatal error)\s*: |(?=internal compiler error: ))(?P<m>.+)$"
)
_MEMORY = re.compile(r"^(?:\w+: )?(?P<m>(?:virtual memory exhausted|out of memory allocating).*)$")
_LINK = re.compile(r"(?P<m>undefined reference to [`'].+'|cannot find -l\S+)")
_CMAKE = re.compile(r"^CMake Error(?: at (?P<path>[^:]+):(?P<line>\d+))?(?: \(.*\))?:\s*(?P<m>.*)$")
_FRAME = re.compile(r'^File "(?P<path>[^"]+)", line (?P<line>\d+)')
_RAISED = re.compile(
    r"^(?P<m>(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt|NotFound)(?:: .*)?|Exception: .+)$"
)
_PIP = re.compile(r"^ERROR: (?!Exception:$)(?P<m>.+)$")  # a traceback follows
_DISTUTILS = re.compile(r"^error: (?P<m>.+)$")
_REQUIRED = re.compile(r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):(?:(?P<column>\d+):)? +required from")
_INCLUDED = re.compile(
    r"^(?:In file included )?from (?P<path>[^\s:][^:]*):(?P<line>\d+)(?::\d+)?[,:]$"
)
_EXPANSION = re.compile(
    r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): note: in expansion of macro"
)
_AFTER = re.compile(r"\bat line (?P<line>\d+) of (?P<path>[^\s\"]+)$")
_TYPES = re.compile(
    r"(\): error(?: #[\w-]+)?: .+)\n {6,}((?:argument|operand|object) types? (?:are|is): .+)"
)
_COUNTED = re.compile(r'^\d+ errors? detected in the compilation of "(?P<path>[^"]+)"')
_IN = " (in "  # before the place of a framework's header in a message


@dataclass(slots=True)
class _Place:
    path: str = ""
    line: int = 0
    column: int | None = None
    macro: bool = False  # expanded there


def errors(text: str, tree: Path) -> Iterator[Diagnostic]:
    """nvcc says after an error in a header which lines instantiated it, the user's among them;
    where none is, it says at the end which unit it compiled."""
    unit: list[Diagnostic] = []  # of the unit that is being compiled
    for item in _walk(text, tree):
        if isinstance(item, Diagnostic):
            unit.append(item)
        elif not item.line:
            yield from (_place_in_unit(found, item, tree) for found in unit)
            unit = []
        elif item.macro:
            unit[-1] = _place_expansion(unit[-1], item, tree)
        elif unit and unit[-1].tool == "nvcc" and _is_outside(unit[-1].path, tree):
            if not _is_outside(item.path, tree):
                unit[-1] = replace(unit[-1], path=place(item.path, tree), line=item.line)
            elif "/site-packages/" in item.path:
                message = unit[-1].message.partition(" (by ")[0]
                by = _header(item.path, item.line)
                unit[-1] = replace(unit[-1], message=f"{message} (by {by})")
    yield from unit


def _place_expansion(found: Diagnostic, at: _Place, tree: Path) -> Diagnostic:
    """What is wrong in a macro of the framework's is placed where the user's code names it."""
    if not _is_outside(found.path, tree) and _IN not in found.message:
        return found
    message = found.message
    if _IN not in message:
        message += f"{_IN}{_header(found.path, found.line)})"
    path = place(at.path, tree)
    return replace(found, path=path, line=at.line, column=at.column, message=message)


def _place_in_unit(found: Diagnostic, unit: _Place, tree: Path) -> Diagnostic:
    if found.tool != "nvcc" or not _is_outside(found.path, tree):
        return found
    return replace(found, path=place(unit.path, tree), line=1)


def _header(path: str, line: int) -> str:
    return f"{path.rpartition('/site-packages/')[2]}:{line}"


def _walk(text: str, tree: Path) -> Iterator[Diagnostic | _Place]:
    reader = _Reader(tree)
    for raw in text.splitlines():
        line = _ANSI.sub("", raw).strip()
        if line:
            yield from reader.read(line)


_Said = tuple[Diagnostic | _Place, ...]


@dataclass(slots=True)
class _Reader:
    """Reads a log line by line: each `_of_...` gives what a line says, None where it is of another
    kind."""

    tree: Path
    frame: _Place = field(default_factory=_Place)  # of a traceback
    user: _Place = field(default_factory=_Place)  # where the user's code made a template
    scripted: bool = False  # the frames called <string> are those of setup.py
    said: bool = False  # an error, just now: what follows is about its place
    pending: _Place | None = None  # a CMake error whose message is on the next lines
    chain: _Place | None = None  # the user's innermost file of an include chain
    includes: dict[str, _Place] = field(default_factory=dict)  # header -> where it is reached

    def read(self, line: str) -> _Said:
        for read in (
            self._place_in_unit,
            self._read_pending,
            self._read_expansion,
            self._read_include,
            self._read_template,
            self._read_traceback,
            self._read_cmake,
        ):
            said = read(line)
            if said is not None:
                return said
        item = _compiler(line, self.tree, self.user, self.includes)
        item = item or _other(line, self.tree, self.frame)
        self.said = item is not None or (self.said and ": note: " not in line)
        if item is None:
            return ()
        self.user = _Place()
        return (item,)

    def _place_in_unit(self, line: str) -> _Said | None:
        """Where nvcc was in the unit, or which unit it has compiled."""
        found = _AFTER.search(line) or _COUNTED.match(line)
        return (_place(found),) if found else None

    def _read_pending(self, line: str) -> _Said | None:
        if self.pending is None:
            return None
        at, self.pending = self.pending, None
        return (_diagnostic("cmake", at, line, self.tree),)

    def _read_expansion(self, line: str) -> _Said | None:
        expansion = _EXPANSION.match(line) if self.said else None
        if expansion is None:
            return None
        at = _find_place_inside(expansion, self.tree)
        if at is None:
            return ()
        self.said = False  # the innermost of the user's own
        return (replace(at, macro=True),)

    def _read_include(self, line: str) -> _Said | None:
        included = _INCLUDED.match(line)
        if included:
            begins = line.startswith("In file")
            self.chain = (None if begins else self.chain) or _find_place_inside(included, self.tree)
            return ()
        if self.chain is not None:  # the line after says for which header it was
            self.includes[line.partition(":")[0]] = self.chain
            self.chain = None
        return None

    def _read_template(self, line: str) -> _Said | None:
        """A template of the framework's, instantiated by the user's code."""
        required = _REQUIRED.match(line)
        if required is None:
            return None
        self.user = _find_place_inside(required, self.tree) or self.user
        return ()

    def _read_traceback(self, line: str) -> _Said | None:
        if line.startswith("Traceback (most recent call last)"):
            self.frame, self.scripted = _Place(), False
            return ()
        seen = _FRAME.match(line)
        if seen is None:
            return None
        self.scripted = self.scripted or seen["path"].endswith("setuptools/build_meta.py")
        path = "setup.py" if self.scripted and seen["path"] == "<string>" else seen["path"]
        # the user's own code rather than what it called
        if not _is_outside(path, self.tree) or _is_outside(self.frame.path, self.tree):
            self.frame = replace(_place(seen), path=path)
        return ()

    def _read_cmake(self, line: str) -> _Said | None:
        cmake = _CMAKE.match(line)
        if cmake is None:
            return None
        at = _place(cmake) if cmake["path"] else _Place("CMakeLists.txt")
        if cmake["m"]:
            return (_diagnostic("cmake", at, cmake["m"], self.tree),)
        self.pending = at
        return ()


def _compiler(
    line: str, tree: Path, user: _Place, includes: Mapping[str, _Place]
) -> Diagnostic | None:
    for tool, pattern in (("c++", _GNU), ("nvcc", EDG)):
        found = pattern.match(line)
        if found is None:
            continue
        at = _place(found)
        reached = user if user.path else includes.get(at.path)
        if reached is None or not _is_outside(at.path, tree):
            return _diagnostic(tool, at, found["m"], tree)
        item = _diagnostic(tool, reached, found["m"], tree)
        return replace(item, message=f"{item.message}{_IN}{_header(at.path, at.line)})")
    return None


def _other(line: str, tree: Path, frame: _Place) -> Diagnostic | None:
    fatal = _FATAL.match(line)
    if fatal:
        return _diagnostic(fatal["tool"], _Place(), fatal["m"], tree)
    nowhere = _Place()
    for tool, pattern, at in (
        ("ld", _LINK, nowhere),
        ("c++", _MEMORY, nowhere),
        ("python", _RAISED, frame),
        ("pip", _PIP, nowhere),
        ("setuptools", _DISTUTILS, nowhere),
    ):
        found = pattern.search(line)
        if found:
            return _diagnostic(tool, at, found["m"], tree)
    return None


def _diagnostic(tool: str, at: _Place, message: str, tree: Path) -> Diagnostic:
    path = place(at.path, tree) if at.path else ""
    said = plain(tool, message.strip())
    return replace(said, path=path, line=at.line, column=at.column)


def _is_outside(path: str, tree: Path) -> bool:
    return not path or path.startswith("<") or Path(place(path, tree)).is_absolute()


def _find_place_inside(found: re.Match[str], tree: Path) -> _Place | None:
    return None if _is_outside(found["path"], tree) else _place(found)


def _place(found: re.Match[str]) -> _Place:
    """The place that a line names; more digits than a file can have lines are of no compiler."""
    line, column = (found.groupdict().get(name) for name in ("line", "column"))
    return _Place(found["path"], int((line or "0")[-9:]), int(column[-9:]) if column else None)


def place(path: str, tree: Path) -> str:
    """A path from the root of the tree, or the absolute path when it lies outside of it."""
    full = os.path.normpath(tree / path)
    real = os.path.realpath(tree)
    for root in (str(tree), real):
        if full.startswith(root + os.sep):
            return Path(full[len(root) + 1 :]).as_posix()
    _, installed, below = full.rpartition("/site-packages/")
    if installed:  # the installed copy of a file of the tree
        for home in ("", "src/", "python/"):
            if os.path.isfile(tree / home / below):  # noqa: PTH113 - no name is too long
                return home + below
    if Path(path).is_absolute():
        return full
    tail = Path(*[part for part in Path(path).parts if part != ".."])
    return tail.as_posix() if os.path.exists(tree / tail) else path  # noqa: PTH110


def join_type_lines(text: str) -> str:
    """nvcc's errors in one line with the types that it says on the next."""
    while text != (joined := _TYPES.sub(r"\1; \2", text)):
        text = joined
    return text
