"""Marked unit headers: which part stands where, and which parts a compiler's log says are used."""

from __future__ import annotations

import re
import shutil
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from porter.unit.declarations import Declaration, declarations
from porter.unit.parts import name_about_text

_MARK = re.compile(r"^[ \t]*// porter: (.+?)[ \t]*$", re.MULTILINE)
_TYPE = re.compile(
    r"\b(?:class|struct|enum(?: class| struct)?|using)\s+"
    r"(?P<before>\w+\s*)?\[\[deprecated\(\"porter:(?P<id>[^\"]+)\"\)\]\]\s*(?P<after>\w+)?"
)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include(?:_next)?\b.*$", re.MULTILINE)
_RESTORED = """#pragma GCC diagnostic warning "-Wdeprecated-declarations"
#ifdef __CUDACC__
#pragma nv_diag_warning 1444
#endif
"""
_NAME = re.compile(r"[A-Za-z_]\w*")
_UNREAD = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
# a name with the namespaces before it, not a member of something
_SPELLED = re.compile(r"(?<!\.)(?<!->)\b[A-Za-z_]\w*(?:::\w+)*")
_USE = re.compile(
    r"^(?P<path>[^\s:(][^:(]*)(?::(?P<line>\d+):(?P<column>\d+):|\((?P<edg>\d+)\):) warning.*"
    r"(?:is deprecated: porter:(?P<id>.+?)(?: \[-W[\w-]+\])?"
    r"|declared deprecated \(\"porter:(?P<quoted>.+)\"\))$"
)
_EXPANSION = re.compile(
    r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):\d+: note: in expansion of macro .(?P<name>\w+)"
)
ROOTS = ("at", "c10", "torch")  # each one uses the others' names
_OPENS = ("if", "ifdef", "ifndef")


@dataclass(frozen=True, slots=True)
class Marked:
    """The marks of headers: `lines` and `owners` of each file by its absolute path.

    `macros` are the macros that the headers define, with the id of the part that does.
    `edges` are the uses that no compiler tells: macros, and types where a declaration names them.
    """

    lines: Mapping[str, tuple[int, ...]]
    owners: Mapping[str, tuple[str, ...]]
    macros: Mapping[str, str]
    edges: frozenset[tuple[str, str]]

    def owner(self, path: str, line: int) -> str | None:
        """The part that a line of a header belongs to: the nearest mark above it."""
        at = bisect_right(self.lines.get(path, ()), line) - 1
        return self.owners[path][at] if at >= 0 else None

    def uses(self, log: str) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
        """The parts that a log says are used by the sources, and by other parts."""
        used: set[str] = set()
        edges: set[tuple[str, str]] = set()
        for path, line, name in _uses(log):
            owner = self.owner(path, line) if path in self.lines else None
            if owner is None:  # a source, or the target's own text in a header with marks
                used.add(name)
            elif owner != name:
                edges.add((owner, name))
        return frozenset(used), frozenset(edges)

    def parts_in(self, files: Iterable[Path]) -> frozenset[str]:
        """The parts whose macros files name."""
        if not self.macros:
            return frozenset()
        texts = (path.read_text("utf-8", "replace") for path in files if path.is_file())
        names = {name for text in texts for name in _NAME.findall(text)}
        return frozenset(self.macros[name] for name in names & self.macros.keys())


def copy_audible_headers(folders: Iterable[Path], target: Path) -> tuple[Path, ...]:
    """Copies of folders below `target` in which no header that is included silences a use.

    Some headers of CUDA 13 leave the warnings off that tell of uses.
    """
    made = []
    for number, folder in enumerate(folders):
        copy = target / str(number)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        for path, text in _texts(copy):
            path.write_text(
                _INCLUDE.sub(lambda found: f"{found[0]}\n{_RESTORED}", text) + _RESTORED
            )
        made.append(copy)
    return tuple(made)


def read(folders: Iterable[Path]) -> Marked:
    """The marks in the headers below folders; none where they are not marked."""
    texts = {str(path): text for folder in folders for path, text in _texts(folder)}
    regions = [region for text in texts.values() for region in _regions(text)]
    marks = {path: list(_MARK.finditer(text)) for path, text in texts.items()}
    macros = {name: part for part, body in regions for name in _DEFINE.findall(body)}
    types: dict[str, set[str]] = {}
    for found in (m for text in texts.values() for m in _TYPE.finditer(text)):
        name = (found["after"] or found["before"] or "").strip()
        types.setdefault(name, set()).add(found["id"])
    edges = set(_find_names(regions, {**types, **{n: {p} for n, p in macros.items()}}))
    for part, body in regions:  # what a member defined outside of its class does, the class does
        if ": " in part:
            edges |= {(owner, part) for owner in types.get(name_about_text(body), ())}
    return Marked(
        lines={
            p: tuple(texts[p].count("\n", 0, m.start()) + 1 for m in f) for p, f in marks.items()
        },
        owners={path: tuple(m[1] for m in found) for path, found in marks.items()},
        macros=macros,
        edges=frozenset(edges),
    )


def _texts(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "porter:" in text:
            yield path, text


def _regions(text: str) -> Iterator[tuple[str, str]]:
    """(part, its text); a macro is a part by its own name, and so is a member with a mark."""
    items = declarations(text)
    end = 0
    for number, item in enumerate(items):
        if item.start < end:
            continue
        if mark := _mark(text, item):
            end = _end(items, number)
            body = text[mark.end() : end]
            for own, member in _members(text, [i for i in items[number + 1 :] if i.end <= end]):
                body = body.replace(member, "")
                yield own, f"{member} {mark[1]}"
            yield mark[1], body
        elif item.kind == "define":
            yield item.name, text[item.start : item.end]


def _members(text: str, inner: Iterable[Declaration]) -> Iterator[tuple[str, str]]:
    for item in inner:
        if mark := _mark(text, item):
            yield mark[1], text[_first_code(text, item) : item.end]


def _mark(text: str, item: Declaration) -> re.Match[str] | None:
    """The mark in the comments above a declaration."""
    line = text.rfind("\n", 0, item.start) + 1
    return _MARK.search(text, line, _first_code(text, item))


def _first_code(text: str, item: Declaration) -> int:
    """Where the comments above a declaration end."""
    at = item.start
    while found := re.compile(r"\s*(?://[^\n]*|/\*.*?\*/)\s*", re.DOTALL).match(text, at, item.end):
        at = found.end()
    return int(at)


def _end(items: list[Declaration], number: int) -> int:
    if items[number].kind not in _OPENS:
        return int(items[number].end)
    depth = 0
    for item in items[number:]:
        depth += (item.kind in _OPENS) - (item.kind == "endif")
        if depth == 0:
            return int(item.end)
    return int(items[-1].end)


def _find_names(
    regions: Iterable[tuple[str, str]], names: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, str]]:
    for part, body in regions:
        spelled = set(_SPELLED.findall(_UNREAD.sub(" ", body)))
        for found in {s[: at.end()] for s in spelled for at in _NAME.finditer(s)}:
            space, _, name = found.rpartition("::")
            for other in names.get(name, ()):
                if part != other and _reaches(part, space, other):
                    yield part, other


def _reaches(part: str, space: str, other: str) -> bool:
    """Whether a part can mean another by its name with `space` before it, or by its bare name:
    that is of its own namespace or an outer one."""
    scope = other.rpartition("::")[0]
    if space.partition("::")[0] in ROOTS:
        return _strip_torch_namespace(scope) == _strip_torch_namespace(space)
    if space and not scope.endswith(f"::{space}"):
        return False
    outer = scope.removesuffix(space).removesuffix("::")
    return not outer or (outer in ROOTS and not space) or part.startswith(f"{outer}::")


def _strip_torch_namespace(space: str) -> str:
    """A namespace without the one of torch's that it is in."""
    root, _, rest = space.partition("::")
    return rest if root in ROOTS else space


def _uses(log: str) -> Iterator[tuple[str, int, str]]:
    """(file, line, part) of each use; a use in a macro is where the macro is expanded."""
    found: tuple[str, int, str] | None = None
    for line in log.splitlines():
        use = _USE.match(line) if "porter:" in line else None
        if use:
            if found:
                yield found
            found = (use["path"], int(use["line"] or use["edg"]), use["id"] or use["quoted"])
        elif found and (expansion := _EXPANSION.match(line)):
            found = (expansion["path"], int(expansion["line"]), found[2])
        elif found and ": note: " not in line:
            yield found
            found = None
    if found:
        yield found
