"""What a source includes, read from its text: its project's own files, and headers from outside."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from porter.languages import cpp

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_OPENS = frozenset({"#if", "#ifdef", "#ifndef"})


class _Directive(NamedTuple):
    word: str  # include, computed, define
    name: str
    quoted: bool
    conditional: bool


@dataclass(frozen=True, slots=True)
class Reach:
    """`files` are the source and what it includes of the project under any condition.

    `outer` are the headers from outside that it includes under no condition, in order, those
    left out that name a macro which it defines before: forced upon it they change nothing.
    `computed` says that an #include names a macro, so that there may be more.
    """

    files: tuple[Path, ...]
    outer: tuple[str, ...]
    computed: bool


@dataclass(slots=True)
class Reader:
    """Follows includes through local folders; `outside` are those of the framework, in order."""

    outside: Sequence[Path]
    _read: dict[Path, tuple[_Directive, ...]] = field(default_factory=dict)
    _texts: dict[Path, str] = field(default_factory=dict)
    _closures: dict[str, frozenset[Path]] = field(default_factory=dict)
    _named: dict[tuple[str, str], bool] = field(default_factory=dict)
    _found: dict[tuple[str, Path | None], Path | None] = field(default_factory=dict)

    def reach(self, source: Path, folders: Iterable[Path], before: Sequence[Path] = ()) -> Reach:
        """What a source reaches; `folders` are its own include folders, `before` the folders that
        are searched ahead of them.

        Unreadable files include nothing.
        """
        walk = _Walk(self, tuple(f for f in folders if not self._is_outside(f)), tuple(before))
        walk.visit(source, conditional=False)
        return Reach(tuple(walk.files), tuple(dict.fromkeys(walk.outer)), walk.computed)

    def _is_outside(self, folder: Path) -> bool:
        return any(folder.is_relative_to(root) for root in self.outside)

    def directives(self, path: Path) -> tuple[_Directive, ...]:
        if path not in self._read:
            try:
                self._read[path] = tuple(_directives(path.read_bytes(), str(path)))
            except OSError:
                self._read[path] = ()
        return self._read[path]

    def weight(self, headers: Iterable[str]) -> int:
        """Characters of the headers from outside and all that they include."""
        files = {path for name in headers for path in self._closure(name)}
        return sum(len(self._texts[path]) for path in files)

    def serves(self, header: str, macros: Iterable[str]) -> bool:
        """Whether there is a header outside, and neither it nor what it includes names a macro."""
        files = self._closure(header)
        return bool(files) and not any(self._names(header, macro) for macro in macros)

    def _names(self, header: str, macro: str) -> bool:
        if (header, macro) not in self._named:
            word = re.compile(rf"\b{re.escape(macro)}\b")
            texts = (self._texts[path] for path in self._closure(header))
            self._named[header, macro] = any(macro in t and word.search(t) for t in texts)
        return self._named[header, macro]

    def _closure(self, header: str) -> frozenset[Path]:
        if header not in self._closures:
            seen: set[Path] = set()
            found = self.find(header)
            waiting = [found] if found else []
            while waiting:
                path = waiting.pop()
                if path not in seen:
                    seen.add(path)
                    names = _INCLUDE.findall(self._text(path))
                    waiting += [f for name in names if (f := self.find(name, path.parent))]
            self._closures[header] = frozenset(seen)
        return self._closures[header]

    def _text(self, path: Path) -> str:
        if path not in self._texts:
            self._texts[path] = path.read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def find(self, name: str, beside: Path | None = None) -> Path | None:
        """A header beside another, or below the folders outside."""
        if (name, beside) not in self._found:
            folders = (*([beside] if beside else ()), *self.outside)
            paths = (os.path.normpath(f"{folder}/{name}") for folder in folders)
            there = next((path for path in paths if os.path.isfile(path)), None)  # noqa: PTH113
            self._found[name, beside] = Path(there) if there else None
        return self._found[name, beside]


@dataclass(slots=True)
class _Walk:
    reader: Reader
    folders: tuple[Path, ...]
    before: tuple[Path, ...]
    files: dict[Path, None] = field(default_factory=dict)
    outer: list[str] = field(default_factory=list)
    seen: set[tuple[Path, bool]] = field(default_factory=set)
    computed: bool = False
    defined: set[str] = field(default_factory=set)

    def visit(self, path: Path, *, conditional: bool) -> None:
        if (path, conditional) in self.seen or (path, False) in self.seen:
            return
        self.seen.add((path, conditional))
        self.files[path] = None
        for item in self.reader.directives(path):
            uncertain = conditional or item.conditional
            if item.word == "define":
                self.defined.add(item.name)
            elif item.word == "computed":
                self.computed = True
            elif found := self.local(item, path):
                self.visit(found, conditional=uncertain)
            elif not uncertain and self.reader.serves(item.name, self.defined):
                self.outer.append(item.name)

    def local(self, item: _Directive, source: Path) -> Path | None:
        if item.quoted and (source.parent / item.name).is_file():
            return Path(os.path.normpath(source.parent / item.name))
        for folder in (*self.before, *self.folders):
            path = Path(os.path.normpath(folder / item.name))
            if path.is_file():
                return None if folder in self.before else path
        return None


def _directives(data: bytes, path: str) -> Iterator[_Directive]:
    tokens = cpp.parse(data, path).tokens
    at = [i for i, t in enumerate(tokens) if t.kind is cpp.Kind.DIRECTIVE]
    guarded = _is_include_guard(tokens, at)
    depth = -1 if guarded else 0
    for number, index in enumerate(at):
        word = tokens[index].text
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if word in _OPENS:
            depth += 1
        elif word == "#endif":
            depth -= 1
        elif word == "#define" and not (guarded and number == 1):
            yield _Directive("define", following.text if following else "", False, depth > 0)
        elif word in ("#include", "#include_next"):
            if following is not None and following.kind is cpp.Kind.HEADER:
                name, quoted = following.text[1:-1], following.text[0] == '"'
                yield _Directive("include", name, quoted, depth > 0)
            else:
                yield _Directive("computed", "", False, depth > 0)


def _is_include_guard(tokens: Sequence[cpp.Token], at: Sequence[int]) -> bool:
    """Whether the file begins with `#ifndef X`, `#define X`."""
    if len(at) < 2 or at[0] != 0 or at[1] + 1 >= len(tokens):
        return False
    opens = tokens[at[0]].text == "#ifndef" and tokens[at[1]].text == "#define"
    return opens and tokens[at[0] + 1].text == tokens[at[1] + 1].text


def content(folder: Path) -> str:
    """A digest of the headers below a folder, by path and content."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def stamp(folders: Iterable[Path]) -> str:
    """A digest of the headers below folders that are too large to read: paths, sizes, times."""
    digest = hashlib.sha256()
    for folder in sorted(set(folders)):
        for base, names, files in os.walk(folder):
            names.sort()
            for name in sorted(files):
                if name.endswith(cpp.HEADERS):
                    said = Path(base, name).stat()
                    digest.update(f"{base}/{name}\0{said.st_size}\0{said.st_mtime_ns}\0".encode())
    return digest.hexdigest()
