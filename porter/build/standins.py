"""Declarations in the place of types that a framework lacks, so that a compiler reads what comes
after: it skips functions and classes whose heads it does not understand."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from porter.languages.data import read_bytes
from porter.model import Diagnostic

_ROOTS = frozenset({"at", "c10", "torch"})  # namespaces in which a framework may lack something
# Said where a type is needed and there is none by this name.
_NO_TYPE = re.compile(
    r"does not name a (?:template )?type|is not a member of|has not been declared|has no member"
    r"|expected (?:template|class)-name before"
)
_NAME = re.compile(r"(?:::)?([A-Za-z_]\w*(?:::[A-Za-z_]\w*)+)")
_MADE = "{ template <class... A> %s(A&&...); template <class T> operator T&() const; };"


def find_types(said: Iterable[Diagnostic], project: Path) -> dict[str, bool]:
    """The qualified names of the frameworks' that stand where a type does and that a compiler
    does not know, each with whether it is a template."""
    found: dict[str, bool] = {}
    lines: dict[str, list[str]] = {}
    for item in said:
        if item.severity != "error" or not item.path or not _NO_TYPE.search(item.message):
            continue
        if item.path not in lines:
            text = read_bytes(project / item.path).decode("utf-8", "replace")
            lines[item.path] = text.splitlines()
        line = lines[item.path][item.line - 1 : item.line]
        for match in _NAME.finditer(line[0]) if line else ():
            after = line[0][match.end() :].lstrip()
            is_there = match.start() < (item.column or 0) <= match.end() + 1
            if is_there and match[1].partition("::")[0] in _ROOTS and not after.startswith("("):
                found[match[1]] = after.startswith("<")
    return found


def declare(types: dict[str, bool]) -> str:
    """A header with a class for each name, made of anything and given for anything."""
    lines = ["#pragma once\n"]
    for name, is_template in sorted(types.items()):
        scope, _, own = name.rpartition("::")
        head = "template <class...> " if is_template else ""
        lines.append(f"namespace {scope} {{ {head}struct {own} {_MADE % own} }}\n")
    return "".join(lines)


def find_hidden(
    more: Iterable[Diagnostic], said: Collection[Diagnostic], types: Iterable[str]
) -> tuple[Diagnostic, ...]:
    """What a compiler said only with the classes, of names that are missing: neither of the
    classes themselves nor of what became of them."""
    leaves = [name.rpartition("::")[2] for name in types]
    made = re.compile(rf"\b(?:{'|'.join(map(re.escape, leaves))})\b")
    known = {(item.path, item.line, item.scope, item.name) for item in said}
    return tuple(
        item
        for item in more
        if item.severity == "error"
        and item.name
        and (item.scope or "").removeprefix("::").partition("::")[0] in _ROOTS
        and (item.path, item.line, item.scope, item.name) not in known
        and not made.search(item.message)
    )
