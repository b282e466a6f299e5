"""The C++ pieces cut into parts, one a declaration, so that a unit holds only those in use."""

from __future__ import annotations

import posixpath
import re
import runpy
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from porter.host.home import rules_home
from porter.unit.declarations import Declaration, Key, declarations, headers, keys_of, scan

VENDORED = "*/polyfills/build/header_merger/headers.py"
INSTEAD = re.compile(r"^[ \t]*// instead of the one with: (.*)\n", re.MULTILINE)
MARKED = frozenset({"function", "variable", "class", "enum", "friend", "using"})
# A member defined outside of its class: `void Node::run(`.
_OUTSIDE = re.compile(r"[^(;{]*?\b(\w+)(?:<[^<>()]*>)?::(?:~?\w+|operator\s*[^\s(]+)\s*\(")
_USING = re.compile(r"using\s+[\w:]*?(\w+);")
_LOOSE = frozenset({"frame", "include", "once"})
_OPENS = frozenset({"if", "ifdef", "ifndef"})
OWN = "compat_detail"  # namespaces of this name have what is ours alone
SPECIAL = re.compile(r"template\s*<\s*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One declaration of a piece, or what goes with the others (`kind` "frame").

    `id` is unique: the qualified name with the types that tell overloads apart. `names` are all
    the qualified names (macros: plain) that it declares, `extends` the kind of an installed class
    or enum whose body it goes into.
    """

    id: str
    piece: str
    header: str
    scope: tuple[str, ...]
    kind: str
    names: tuple[str, ...]
    text: str
    extends: str = ""

    @property
    def loose(self) -> bool:
        """Whether it goes with the rest of its header, whatever is used."""
        return self.kind in _LOOSE

    @property
    def is_template(self) -> bool:
        """Whether it is a class that takes template arguments."""
        return self.kind == "class" and strip_comments(self.text).startswith("template")

    @property
    def header_of_include(self) -> str:
        """The header that an #include of the frame names, or nothing."""
        found = re.match(r"\s*#\s*include\s*[<\"]([^>\"]+)", self.text)
        return found[1] if self.kind == "include" and found else ""


@cache
def load_script() -> Mapping[str, Any]:
    """The functions of the unit's script, which merges headers by how often they declare a name."""
    return runpy.run_path(str(next(rules_home().glob(VENDORED))))


@cache
def parts_of(piece: str, files: tuple[tuple[str, bytes], ...]) -> tuple[Part, ...]:
    """The parts of a piece's headers, given as (path below the piece, content)."""
    return tuple(
        part
        for name, data in files
        for part in _parts(piece, posixpath.relpath(name, "include"), data.decode())
    )


def _parts(piece: str, header: str, text: str) -> Iterator[Part]:
    items = declarations(text)
    done = 0  # what begins before is inside a part that was given already
    for index, item in enumerate(items):
        if item.start < done:
            continue
        extended = item.body is not None and "// extends" in text[item.start : item.body[0]]
        if extended and item.kind == "enum":
            yield from _enumerators(piece, header, item, text)
            done = item.end
        elif not extended:
            end, inner = _whole(items, index)
            done = end
            yield _part(piece, header, inner, text[item.start : end], items)


def _whole(items: Sequence[Declaration], index: int) -> tuple[int, Sequence[Declaration]]:
    """Where a declaration ends, #if to #endif taken together, and all that is declared in it."""
    end, last = items[index].end, index
    if items[index].kind in _OPENS:
        depth = 0
        for last in range(index, len(items)):
            depth += (items[last].kind in _OPENS) - (items[last].kind == "endif")
            if depth == 0:
                break
        end = items[last].end
    following = items[index + 1] if index + 1 < len(items) else items[index]
    if items[index].kind == "undef" and following.kind == "define":  # another definition of it
        end = following.end
    return end, [item for item in items[index:] if item.start < end]


def _part(
    piece: str, header: str, inner: Sequence[Declaration], text: str, items: Sequence[Declaration]
) -> Part:
    item = inner[0]
    kind = "if" if item.kind in _OPENS else "define" if item.kind == "undef" else item.kind
    named = [i for i in inner if i.kind in MARKED or i.kind == "define"]
    outer = [i for i in named if i.scope == item.scope or kind == "if"] or [item]
    if (kind == "pragma" and item.name == "once") or kind == "include_next":
        kind = "once"
    elif _is_frame(kind, text, named):
        kind = "frame"
    extends = next((i.kind for i in items if is_in_body(i, item)), "")
    names = tuple(dict.fromkeys(_name(i) for i in outer))
    return Part(
        id=_id(outer[0])
        if kind not in _LOOSE
        else f"{header}: {' '.join(strip_comments(text).split())}",
        piece=piece,
        header=header,
        scope=item.scope,
        kind=kind,
        names=names,
        text=text,
        extends=extends,
    )


def _is_frame(kind: str, text: str, named: Sequence[Declaration]) -> bool:
    """Whether a compiler cannot name it where it is used: it goes with the rest of its file."""
    if kind in ("if", "forward", "pragma", "undef", "error", "warning"):
        return not named or kind != "if"
    if kind == "using":
        return "=" not in text and not INSTEAD.search(text)
    if kind == "variable":
        return strip_comments(text).startswith("template")
    if kind == "function" and _OUTSIDE.match(strip_comments(text)):
        return True
    return kind in ("function", "class") and bool(SPECIAL.match(strip_comments(text)))


def is_in_body(outer: Declaration, item: Declaration) -> bool:
    """Whether a declaration is directly in the body of another."""
    inside = outer.body is not None and outer.body[0] <= item.start and item.end <= outer.body[1]
    return inside and (*outer.scope, outer.name) == item.scope


def _enumerators(piece: str, header: str, item: Declaration, text: str) -> Iterator[Part]:
    scope = (*item.scope, item.name)
    begin, end = item.body or (item.end, item.end)
    for part in text[begin:end].strip().rstrip(",").split(",\n"):
        name = "::".join((*scope, part.split("=")[0].split()[0]))
        yield Part(
            id=name,
            piece=piece,
            header=header,
            scope=scope,
            kind="enumerator",
            names=(name,),
            text=part.strip(),
            extends="enum",
        )


def _name(item: Declaration) -> str:
    return item.name if item.kind == "define" else "::".join((*item.scope, item.name))


def _id(item: Declaration) -> str:
    types = f"({', '.join(item.types or ())})" if item.kind in ("function", "friend") else ""
    return f"{_name(item)}{types}"


def strip_comments(text: str) -> str:
    """Without the comments that stand above."""
    return re.sub(r"\A(?:\s*//[^\n]*\n|\s*/\*.*?\*/)*\s*", "", text, flags=re.DOTALL)


def absent(parts: Sequence[Part], compat: str) -> tuple[Part, ...]:
    """The parts that a target with these headers has not, or has with the code that is wrong."""
    keys, bases = _scan(compat)
    return tuple(p for p in parts if p.loose or not _has(p, keys, bases) or _is_wrong(p, compat))


@cache
def _scan(compat: str) -> tuple[set[Key], dict[tuple[str, ...], set[str]]]:
    return scan(Path(compat))


def _has(
    part: Part, keys: Collection[Key], bases: Mapping[tuple[str, ...], Collection[str]]
) -> bool:
    """Whether one of these keys, of a class or those that it derives from, is that of a part."""
    items = [i for i in declarations(part.text) if i.kind in MARKED | {"define"}]
    if part.kind not in MARKED | {"define"} or not items:
        return False
    scopes = [part.scope]
    if part.extends:
        scopes += [(*part.scope[:-1], base) for base in bases.get(part.scope, ())]
    named = [replace(items[0], scope=scope) for scope in scopes]
    return any(not keys_of(item).isdisjoint(keys) for item in named)


def is_instead(part: Part) -> bool:
    """Whether a part stands for something that a target has, and that means something else."""
    return bool(INSTEAD.search(part.text)) or "#undef" in part.text


def _is_wrong(part: Part, compat: str) -> bool:
    """Whether the target's header has the code that a part says it is instead of."""
    wrong = INSTEAD.search(part.text)
    there = "".join((load_script()["installed"](compat, part.header) or "").split())
    return wrong is not None and all(
        "".join(code.split()) in there for code in wrong[1].split(" ... ")
    )


def is_class(part: Part) -> bool:
    return part.kind == "class" and not part.extends


def class_of(part: Part) -> str:
    return "::".join(part.scope)


def homes(chosen: Collection[Part], every: Iterable[Part]) -> list[Part]:
    """The classes of ours that chosen members are of."""
    names = {(part.header, class_of(part)) for part in chosen if part.extends}
    return [p for p in every if is_class(p) and (p.header, p.names[0]) in names]


def leaf(part: Part) -> str:
    """The name of a part as its declaration spells it."""
    return re.sub(r"^operator(?=[A-Za-z])", "operator ", part.names[0].rpartition("::")[2])


def close(
    chosen: Collection[Part], every: Sequence[Part], present: Collection[str]
) -> tuple[Part, ...]:
    """The chosen parts with the frames of their files and the headers that those include.

    `present` are the headers that the target has. In the order of `every`.
    """
    ids = {part.id for part in chosen}
    headers = {part.header for part in every}
    declaring = {(p.piece, p.header) for p in every if not p.loose}
    files: set[tuple[str, str]] = set()
    wanted = {part.header for part in chosen} - set(present)
    while True:
        kept = {(p.piece, p.header) for p in every if p.id in ids or p.header in wanted}
        if kept == files:
            break
        files = kept
        included = {p.header_of_include for p in every if (p.piece, p.header) in files & declaring}
        wanted |= (included & headers) - set(present)
    loose = [p for p in every if (p.piece, p.header) not in declaring]
    files = _add_umbrellas(files, _find_reached(loose, wanted | set(present)))
    there = {header for _, header in files} | set(present)
    dropped = {leaf(part) for part in every if not part.loose} - {
        leaf(p) for p in every if p.id in ids
    }
    return tuple(
        part
        for part in every
        if part.id in ids
        or (
            part.loose
            and (part.piece, part.header) in files
            and (part.header_of_include not in headers or part.header_of_include in there)
            and _name_about(part) not in dropped
        )
    )


def _name_about(part: Part) -> str:
    """The class or name that a frame goes with, or nothing."""
    return name_about_text(part.text) if part.kind == "frame" else ""


def name_about_text(text: str) -> str:
    """The class of a member that is defined outside of it, or the name that is taken over."""
    code = strip_comments(text)
    found = _USING.match(code) or _OUTSIDE.match(code)
    return found[1] if found else ""


def _find_reached(loose: Sequence[Part], roots: Collection[str]) -> list[Part]:
    """The parts of those headers that something includes: from `roots` on."""
    found = set(roots)
    while (
        more := {p.header_of_include for p in loose if p.header in found and p.header_of_include}
        - found
    ):
        found |= more
    return [part for part in loose if part.header in found]


def _add_umbrellas(
    files: Collection[tuple[str, str]], loose: Sequence[Part]
) -> set[tuple[str, str]]:
    """With the headers of the target that shall include one of these, and so on."""
    found = set(files)
    while True:
        written = {header for _, header in found}
        more = {(p.piece, p.header) for p in loose if p.header_of_include in written} - found
        if not more:
            return found
        found |= more


def list_headers(compat: Path) -> frozenset[str]:
    """The headers that a target has, by path."""
    return frozenset(headers(compat))
