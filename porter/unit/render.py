"""The headers of a unit: parts put together, counted for its script, or marked for a compiler."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from porter.languages.cpp_tokens import skip_angles, tokens
from porter.unit.declarations import Declaration, declarations
from porter.unit.installed import Installed
from porter.unit.parts import (
    INSTEAD,
    MARKED,
    OWN,
    SPECIAL,
    Part,
    class_of,
    is_class,
    is_in_body,
    leaf,
    strip_comments,
)

_MACRO = re.compile(r"#\s*define\s+(\w+)\([^)]*\)[\s\\]*(\w+)")
_BEFORE_NAMES = frozenset({"class", "enum", "namespace", "struct", "template", "using"})


def render(
    chosen: Sequence[Part], *, marked: bool = False, installed: Installed | None = None
) -> dict[str, str]:
    """The headers of a unit that has these parts, by path.

    With `marked`, a compiler says at each use which part is used: every declaration is
    deprecated with the message `porter:<id>`, and stands below a comment that names it.
    With what a target has `installed`, as its script wants them: above each declaration stands
    how often the target declares its name, by which the unit's script sees that a newer one has it.
    With neither the declarations stand as they are.
    """
    paths = sorted({part.header for part in chosen})
    own = _own_classes(chosen)
    extended = {p.header for p in chosen if p.extends and (p.header, class_of(p)) not in own}
    count = (installed or Installed()).counter(paths, extended)

    wholes = _macros_of_whole_declarations(chosen) if marked else frozenset()

    def marking(part: Part) -> str:
        return mark(part, wholes)

    def write(part: Part) -> str:
        text = marking(part) if marked else part.text
        return text if installed is None else _add_count_line(part, text, count(part))

    whole = list(_whole_classes(chosen, marking if marked else None))
    return {path: _header([p for p in whole if p.header == path], write) for path in paths}


def _whole_classes(chosen: Sequence[Part], marking: Callable[[Part], str] | None) -> Iterator[Part]:
    """The parts, those that extend a class of ours put into it: above what is private."""
    own = _own_classes(chosen)
    for part in chosen:
        if part.extends and (part.header, class_of(part)) in own:
            continue
        if is_class(part):
            members = [p for p in chosen if p.extends and class_of(p) == part.names[0]]
            members = [p for p in members if p.header == part.header]
            if members:
                yield replace(part, text=_render_members(part, members, marking))
                continue
        yield part


def _own_classes(chosen: Iterable[Part]) -> set[tuple[str, str]]:
    return {(part.header, part.names[0]) for part in chosen if is_class(part)}


def _render_members(
    part: Part, members: Sequence[Part], marking: Callable[[Part], str] | None
) -> str:
    texts = [_indent(marking(p) if marking else p.text) for p in members]
    if marking:
        texts.append(f"  // porter: {part.id}")  # the rest of the class
    at = re.search(r"\n *private:|\n *protected:|\n\};?\Z", part.text)
    end = at.start() if at else part.text.rindex("}")
    return "\n".join([part.text[:end], *texts]) + part.text[end:]


def _header(chosen: Sequence[Part], write: Callable[[Part], str]) -> str:
    includes = sorted({strip_comments(p.text).strip() for p in chosen if p.kind == "include"})
    rest = [p for p in chosen if p.kind not in ("include", "once")]
    # members of a class can stand together: they are moved into it all the same
    order = {scope: n for n, scope in enumerate(dict.fromkeys(p.scope for p in rest if p.extends))}
    rest.sort(key=lambda p: order.get(p.scope, -1) if p.extends else len(order))
    blocks = [["#pragma once"], includes]
    for (scope, extends), group in groupby(rest, key=lambda p: (p.scope, p.extends)):
        texts = [write(part) for part in group]
        blocks.append([_block(scope, extends, list(dict.fromkeys(texts)))])
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _add_count_line(part: Part, text: str, count: int) -> str:
    """A part with the line by which the unit's script knows it, where a target may have it too."""
    known = part.kind in MARKED or (part.kind == "define" and "#undef" not in part.text)
    if not known or OWN in part.scope:
        return text if part.kind in ("enumerator", "if") else INSTEAD.sub("", text)
    instead = INSTEAD.search(part.text)
    text = re.sub(r"\n\s*\n", "\n", INSTEAD.sub("", text))  # a blank line ends it
    sign = f" for {instead[1].strip()}" if instead else ""
    return f"//- {leaf(part)} {max(0, count - bool(instead))}{sign}\n{text}"


def _block(scope: tuple[str, ...], extends: str, texts: Sequence[str]) -> str:
    if extends == "enum":
        body = f"// extends\nenum class {scope[-1]} {{\n  " + ",\n  ".join(texts) + "\n};"
    elif extends:
        body = f"// extends\nclass {scope[-1]} {{\n" + _join_texts(map(_indent, texts)) + "\n};"
    else:
        body = _join_texts(texts)
    spaces = scope[:-1] if extends else scope
    name = "::".join(spaces)
    return f"namespace {name} {{\n{body}\n}}  // namespace {name}" if spaces else body


def _join_texts(texts: Iterable[str]) -> str:
    """Texts below each other: a blank line ends one that has no line of its own above the next."""
    found = ""
    for text in texts:
        close = text.lstrip().startswith("//- ") or (_is_line(text) and _is_line(found))
        found += ("\n" if close else "\n\n") * bool(found) + text
    return found


def _is_line(text: str) -> bool:
    return text.rpartition("\n\n")[2].count("\n") == 0


def _indent(text: str) -> str:
    """A member whose first lines lost their indentation when it was cut out."""
    lines = text.split("\n")
    return "\n".join(
        f"  {line}" if line and not line.startswith((" ", "#")) else line for line in lines
    )


def _macros_of_whole_declarations(chosen: Iterable[Part]) -> frozenset[str]:
    """The macros that begin with what an attribute cannot stand before, such as a template."""
    first = dict(_MACRO.findall("\n".join(p.text for p in chosen if p.kind == "define")))
    found: set[str] = set()
    while new := {name for name, word in first.items() if word in _BEFORE_NAMES | found} - found:
        found |= new
    return frozenset(found)


def mark(part: Part, unmarked: frozenset[str] = frozenset()) -> str:
    """The text of a part with the attribute that makes a compiler name it where it is used; uses
    of the macros `unmarked` stand as they are."""
    attribute = f"[[deprecated({json.dumps(f'porter:{part.id}')})]]"
    if part.kind == "enumerator":
        name, equals, value = part.text.partition("=")
        return f"{name.rstrip()} {attribute}" + (f" = {value.strip()}" if equals else "")
    text = part.text
    begin = f"// porter: {part.id}\n"
    if part.kind not in MARKED | {"if"}:
        return begin + text if part.kind != "define" else text
    items = [i for i in declarations(text) if i.kind in MARKED]
    for item in reversed([i for i in items if not i.scope or part.kind == "if"]):
        if any(is_in_body(outer, item) for outer in items):
            continue
        at = _place(text, item, unmarked)
        if at is not None:
            text = f"{text[:at]}{attribute} {text[at:]}"
    return begin + text


def _place(text: str, item: Declaration, unmarked: frozenset[str]) -> int | None:
    """Where the attribute of a declaration goes."""
    code = list(tokens(text[item.start : item.end].encode("latin-1", "replace")))
    if code[0].text in unmarked:
        return None
    at = 0
    while code[at].text == "template":
        at = skip_angles(code, at + 1)
    if SPECIAL.match(text[item.start + code[0].start : item.end]):
        return None
    if item.kind in ("class", "enum"):
        at += 1 + (item.kind == "enum" and code[at + 1].text in ("class", "struct"))
    elif item.kind == "using":
        if code[at].text == "typedef" or "=" not in [t.text for t in code]:
            return None
        at += 2
    return item.start + code[at].start
