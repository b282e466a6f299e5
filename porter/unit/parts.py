"""The C++ pieces cut into parts, one a declaration, so that a unit holds only those in use."""

from __future__ import annotations

import posixpath
import re
import runpy
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from porter.home import PACKAGE, rules_home

VENDORED = "paddle/polyfills/build/header_merger/headers.py"
_INSTEAD = re.compile(r"^[ \t]*// instead of the one with: (.*)\n", re.MULTILINE)
_MARKED = frozenset({"function", "variable", "class", "enum", "friend", "using"})
# A member defined outside of its class: `void Node::run(`.
_OUTSIDE = re.compile(r"[^(;{]*?\b(\w+)(?:<[^<>()]*>)?::(?:~?\w+|operator\s*[^\s(]+)\s*\(")
_USING = re.compile(r"using\s+[\w:]*?(\w+);")
_LOOSE = frozenset({"frame", "include", "once"})
_OPENS = frozenset({"if", "ifdef", "ifndef"})
OWN = "compat_detail"  # namespaces of this name have what is ours alone
_SPECIAL = re.compile(r"template\s*<\s*>")


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
        return self.kind == "class" and _code(self.text).startswith("template")

    @property
    def included(self) -> str:
        """The header that an #include of the frame names, or nothing."""
        found = re.match(r"\s*#\s*include\s*[<\"]([^>\"]+)", self.text)
        return found[1] if self.kind == "include" and found else ""


@cache
def reader() -> Mapping[str, Any]:
    """The functions that read the declarations of headers."""
    return runpy.run_path(str(PACKAGE / "workers" / "declarations.py"))


@cache
def vendored() -> Mapping[str, Any]:
    """The functions of the unit's script, which merges headers by how often they declare a name."""
    return runpy.run_path(str(rules_home() / VENDORED))


@cache
def parts_of(piece: str, files: tuple[tuple[str, bytes], ...]) -> tuple[Part, ...]:
    """The parts of a piece's headers, given as (path below the piece, content)."""
    return tuple(
        part
        for name, data in files
        for part in _parts(piece, posixpath.relpath(name, "include"), data.decode())
    )


def _parts(piece: str, header: str, text: str) -> Iterator[Part]:
    items = reader()["declarations"](text)
    done = 0  # what begins before is inside a part that was given already
    for index, item in enumerate(items):
        if item.start < done:
            continue
        extended = (
            item.kind in ("class", "enum") and "// extends" in text[item.start : item.body[0]]
        )
        if extended and item.kind == "enum":
            yield from _enumerators(piece, header, item, text)
            done = item.end
        elif not extended:
            end, inner = _whole(items, index)
            done = end
            yield _part(piece, header, inner, text[item.start : end], items)


def _whole(items: Sequence[Any], index: int) -> tuple[int, Sequence[Any]]:
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


def _part(piece: str, header: str, inner: Sequence[Any], text: str, items: Sequence[Any]) -> Part:
    item = inner[0]
    kind = "if" if item.kind in _OPENS else "define" if item.kind == "undef" else item.kind
    named = [i for i in inner if i.kind in _MARKED or i.kind == "define"]
    outer = [i for i in named if i.scope == item.scope or kind == "if"] or [item]
    if (kind == "pragma" and item.name == "once") or kind == "include_next":
        kind = "once"
    elif _is_frame(kind, text, named):
        kind = "frame"
    extends = next((i.kind for i in items if _extends(i, item)), "")
    names = tuple(dict.fromkeys(_name(i) for i in outer))
    return Part(
        id=_id(outer[0]) if kind not in _LOOSE else f"{header}: {' '.join(_code(text).split())}",
        piece=piece,
        header=header,
        scope=item.scope,
        kind=kind,
        names=names,
        text=text,
        extends=extends,
    )


def _is_frame(kind: str, text: str, named: Sequence[Any]) -> bool:
    """Whether a compiler cannot name it where it is used: it goes with the rest of its file."""
    if kind in ("if", "forward", "pragma", "undef", "error", "warning"):
        return not named or kind != "if"
    if kind == "using":
        return "=" not in text and not _INSTEAD.search(text)
    if kind == "variable":
        return _code(text).startswith("template")
    if kind == "function" and _OUTSIDE.match(_code(text)):
        return True
    return kind in ("function", "class") and bool(_SPECIAL.match(_code(text)))


def _extends(outer: Any, item: Any) -> bool:
    """Whether a declaration is directly in the body of another."""
    inside = outer.body is not None and outer.body[0] <= item.start and item.end <= outer.body[1]
    return inside and (*outer.scope, outer.name) == item.scope


def _enumerators(piece: str, header: str, item: Any, text: str) -> Iterator[Part]:
    scope = (*item.scope, item.name)
    for part in text[item.body[0] : item.body[1]].strip().rstrip(",").split(",\n"):
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


def _name(item: Any) -> str:
    return item.name if item.kind == "define" else "::".join((*item.scope, item.name))


def _id(item: Any) -> str:
    types = f"({', '.join(item.types)})" if item.kind in ("function", "friend") else ""
    return f"{_name(item)}{types}"


def _code(text: str) -> str:
    """Without the comments that stand above."""
    return re.sub(r"\A(?:\s*//[^\n]*\n|\s*/\*.*?\*/)*\s*", "", text, flags=re.DOTALL)


def absent(parts: Sequence[Part], compat: str) -> tuple[Part, ...]:
    """The parts that a target with these headers has not, or has with the code that is wrong."""
    keys, bases = _scanned(compat)
    return tuple(p for p in parts if p.loose or not _has(p, keys, bases) or _is_wrong(p, compat))


@cache
def _scanned(compat: str) -> tuple[Collection[Any], Mapping[tuple[str, ...], Collection[str]]]:
    keys, bases = reader()["scan"](compat)
    return keys, bases


def _has(
    part: Part, keys: Collection[Any], bases: Mapping[tuple[str, ...], Collection[str]]
) -> bool:
    """Whether one of these keys, of a class or those that it derives from, is that of a part."""
    own = reader()
    items = [i for i in own["declarations"](part.text) if i.kind in _MARKED | {"define"}]
    if part.kind not in _MARKED | {"define"} or not items:
        return False
    scopes = [part.scope]
    if part.extends:
        scopes += [(*part.scope[:-1], base) for base in bases.get(part.scope, ())]
    named = [items[0]._replace(scope=scope) for scope in scopes]
    return any(not own["keys_of"](item).isdisjoint(keys) for item in named)


def is_instead(part: Part) -> bool:
    """Whether a part stands for something that a target has, and that means something else."""
    return bool(_INSTEAD.search(part.text)) or "#undef" in part.text


def _is_wrong(part: Part, compat: str) -> bool:
    """Whether the target's header has the code that a part says it is instead of."""
    wrong = _INSTEAD.search(part.text)
    there = "".join((vendored()["installed"](compat, part.header) or "").split())
    return wrong is not None and all(
        "".join(code.split()) in there for code in wrong[1].split(" ... ")
    )


def render(
    chosen: Sequence[Part], *, marked: bool = False, compat: str | None = None
) -> dict[str, str]:
    """The headers of a unit that has these parts, by path.

    With `marked`, a compiler says at each use which part is used: every declaration is
    deprecated with the message `porter:<id>`, and stands below a comment that names it.
    With the target's `compat` folder, as its script wants them: above each declaration stands how
    often the target declares its name, by which the unit's script sees that a newer one has it
    (never, where the folder is empty). With neither the declarations stand as they are.
    """
    paths = sorted({part.header for part in chosen})
    count = _counter(chosen, compat or "")

    def write(part: Part) -> str:
        text = mark(part) if marked else part.text
        return text if compat is None else _counted(part, text, count)

    whole = list(_whole_classes(chosen, mark if marked else None))
    return {path: _header([p for p in whole if p.header == path], write) for path in paths}


def _whole_classes(chosen: Sequence[Part], marking: Callable[[Part], str] | None) -> Iterator[Part]:
    """The parts, those that extend a class of ours put into it: above what is private."""
    own = _own_classes(chosen)
    for part in chosen:
        if part.extends and (part.header, _class_of(part)) in own:
            continue
        if _is_class(part):
            members = [p for p in chosen if p.extends and _class_of(p) == part.names[0]]
            members = [p for p in members if p.header == part.header]
            if members:
                yield replace(part, text=_with_members(part, members, marking))
                continue
        yield part


def _own_classes(chosen: Iterable[Part]) -> set[tuple[str, str]]:
    return {(part.header, part.names[0]) for part in chosen if _is_class(part)}


def _is_class(part: Part) -> bool:
    return part.kind == "class" and not part.extends


def _class_of(part: Part) -> str:
    return "::".join(part.scope)


def homes(chosen: Collection[Part], every: Iterable[Part]) -> list[Part]:
    """The classes of ours that chosen members are of."""
    names = {(part.header, _class_of(part)) for part in chosen if part.extends}
    return [p for p in every if _is_class(p) and (p.header, p.names[0]) in names]


def _with_members(
    part: Part, members: Sequence[Part], marking: Callable[[Part], str] | None
) -> str:
    texts = [_indented(marking(p) if marking else p.text) for p in members]
    if marking:
        texts.append(f"  // porter: {part.id}")  # the rest of the class
    at = re.search(r"\n *private:|\n *protected:|\n\};?\Z", part.text)
    end = at.start() if at else part.text.rindex("}")
    return "\n".join([part.text[:end], *texts]) + part.text[end:]


def _counter(chosen: Sequence[Part], compat: str) -> Callable[[Part], int]:
    if not compat:
        return lambda part: 0
    own, classes = vendored(), _own_classes(chosen)
    extended = {p.header for p in chosen if p.extends and (p.header, _class_of(p)) not in classes}
    others = own["code_of"](compat, {part.header for part in chosen}, extended)

    def count(part: Part) -> int:
        code = others
        if part.extends:
            code = own["blank"](own["installed"](compat, part.header) or "")
            start, end = own["body_of"](code, part.extends, part.scope[-1])
            code = code[start:end]
        return len(own["declared"](code, leaf(part))) - bool(_INSTEAD.search(part.text))

    return count


def leaf(part: Part) -> str:
    """The name of a part as its declaration spells it."""
    return re.sub(r"^operator(?=[A-Za-z])", "operator ", part.names[0].rpartition("::")[2])


def _header(chosen: Sequence[Part], write: Callable[[Part], str]) -> str:
    includes = sorted({_code(p.text).strip() for p in chosen if p.kind == "include"})
    rest = [p for p in chosen if p.kind not in ("include", "once")]
    # members of a class can stand together: they are moved into it all the same
    order = {scope: n for n, scope in enumerate(dict.fromkeys(p.scope for p in rest if p.extends))}
    rest.sort(key=lambda p: order.get(p.scope, -1) if p.extends else len(order))
    blocks = [["#pragma once"], includes]
    for (scope, extends), group in groupby(rest, key=lambda p: (p.scope, p.extends)):
        texts = [write(part) for part in group]
        blocks.append([_block(scope, extends, list(dict.fromkeys(texts)))])
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _counted(part: Part, text: str, count: Callable[[Part], int]) -> str:
    """A part with the line by which the unit's script knows it, where a target may have it too."""
    known = part.kind in _MARKED or (part.kind == "define" and "#undef" not in part.text)
    if not known or OWN in part.scope:
        return text if part.kind in ("enumerator", "if") else _INSTEAD.sub("", text)
    instead = _INSTEAD.search(part.text)
    text = re.sub(r"\n\s*\n", "\n", _INSTEAD.sub("", text))  # a blank line ends it
    sign = f" for {instead[1].strip()}" if instead else ""
    return f"//- {leaf(part)} {count(part)}{sign}\n{text}"


def _block(scope: tuple[str, ...], extends: str, texts: Sequence[str]) -> str:
    if extends == "enum":
        body = f"// extends\nenum class {scope[-1]} {{\n  " + ",\n  ".join(texts) + "\n};"
    elif extends:
        body = f"// extends\nclass {scope[-1]} {{\n" + _joined(map(_indented, texts)) + "\n};"
    else:
        body = _joined(texts)
    spaces = scope[:-1] if extends else scope
    name = "::".join(spaces)
    return f"namespace {name} {{\n{body}\n}}  // namespace {name}" if spaces else body


def _joined(texts: Iterable[str]) -> str:
    """Texts below each other: a blank line ends one that has no line of its own above the next."""
    found = ""
    for text in texts:
        close = text.lstrip().startswith("//- ") or (_is_line(text) and _is_line(found))
        found += ("\n" if close else "\n\n") * bool(found) + text
    return found


def _is_line(text: str) -> bool:
    return text.rpartition("\n\n")[2].count("\n") == 0


def _indented(text: str) -> str:
    """A member whose first lines lost their indentation when it was cut out."""
    lines = text.split("\n")
    return "\n".join(
        f"  {line}" if line and not line.startswith((" ", "#")) else line for line in lines
    )


def mark(part: Part) -> str:
    """The text of a part with the attribute that makes a compiler name it where it is used."""
    if part.kind == "enumerator":
        name, equals, value = part.text.partition("=")
        return f'{name.rstrip()} [[deprecated("porter:{part.id}")]]' + (
            f" = {value.strip()}" if equals else ""
        )
    text = part.text
    begin = f"// porter: {part.id}\n"
    if part.kind not in _MARKED | {"if"}:
        return begin + text if part.kind != "define" else text
    items = [i for i in reader()["declarations"](text) if i.kind in _MARKED]
    for item in reversed([i for i in items if not i.scope or part.kind == "if"]):
        if any(_extends(outer, item) for outer in items):
            continue
        at = _place(text, item)
        if at is not None:
            text = f'{text[:at]}[[deprecated("porter:{part.id}")]] {text[at:]}'
    return begin + text


def _place(text: str, item: Any) -> int | None:
    """Where the attribute of a declaration goes."""
    own = reader()
    code = [t for t in own["tokens"](text[item.start : item.end]) if t.kind != "comment"]
    at = 0
    while code[at].text == "template":
        at = own["after_angles"](code, at + 1)
    if _SPECIAL.match(text[item.start + code[0].start : item.end]):
        return None
    if item.kind in ("class", "enum"):
        at += 1 + (item.kind == "enum" and code[at + 1].text in ("class", "struct"))
    elif item.kind == "using":
        if code[at].text == "typedef" or "=" not in [t.text for t in code]:
            return None
        at += 2
    return int(item.start + code[at].start)


def closed(
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
        included = {p.included for p in every if (p.piece, p.header) in files & declaring}
        wanted |= (included & headers) - set(present)
    loose = [p for p in every if (p.piece, p.header) not in declaring]
    files = _with_umbrellas(files, _reached(loose, wanted | set(present)))
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
            and (part.included not in headers or part.included in there)
            and _about(part) not in dropped
        )
    )


def _about(part: Part) -> str:
    """The class or name that a frame goes with, or nothing."""
    return about(part.text) if part.kind == "frame" else ""


def about(text: str) -> str:
    """The class of a member that is defined outside of it, or the name that is taken over."""
    code = _code(text)
    found = _USING.match(code) or _OUTSIDE.match(code)
    return found[1] if found else ""


def _reached(loose: Sequence[Part], roots: Collection[str]) -> list[Part]:
    """The parts of those headers that something includes: from `roots` on."""
    found = set(roots)
    while more := {p.included for p in loose if p.header in found and p.included} - found:
        found |= more
    return [part for part in loose if part.header in found]


def _with_umbrellas(
    files: Collection[tuple[str, str]], loose: Sequence[Part]
) -> set[tuple[str, str]]:
    """With the headers of the target that shall include one of these, and so on."""
    found = set(files)
    while True:
        written = {header for _, header in found}
        more = {(p.piece, p.header) for p in loose if p.included in written} - found
        if not more:
            return found
        found |= more


def installed(compat: Path) -> frozenset[str]:
    """The headers that a target has, by path."""
    return frozenset(reader()["walk"](str(compat)))
