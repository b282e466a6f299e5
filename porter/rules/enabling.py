"""The codemod that puts the guard into a file, so that `import torch` means the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import libcst as cst
from libcst.helpers import get_full_name_for_node

from porter.model import Style
from porter.rules.rewrite import BLANK, Directed, Statement
from porter.targets.protocol import Proxy

Lines = Sequence[cst.EmptyLine]


class EnableProxy(Directed):
    """Enables the proxy above the statement that the finder names by its index, or where it names
    none, after docstring and imports; with the imports that this needs."""

    DESCRIPTION = "Enable the proxy before torch is imported."
    proxy: ClassVar[Proxy]  # the target's: a rule's codemod says which

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        (known,) = self.places.values()
        body: list[Statement] = [*tree.body]
        at, below_comments = _place(body, known)
        guard, imports = self._lines(body[:at], at)
        first = _first_import(body, at, self.proxy.imports[0]) if imports else None
        if imports and first is None:  # nothing stands before the guard to put them with
            guard, imports = [*imports, _led(guard[0], (BLANK,))], []
        lead: Lines = ()
        if below_comments and at < len(body):
            lead = body[at].leading_lines if at else tree.header
            body[at] = _led(body[at], ())
        elif below_comments:
            lead, tree = tree.footer if body else tree.header, tree.with_changes(footer=())
        blank = self._blank_above(lead, at, body[at : at + 1])
        own = () if at == 0 and lead is tree.header else lead
        guard[0] = _led(guard[0], (*own, BLANK) if blank else own)
        if at < len(body):
            body[at] = _led(body[at], _with_blank(body[at].leading_lines))
        else:
            footer = _with_blank(tree.footer) if tree.footer else ()
            tree = tree.with_changes(footer=footer, has_trailing_newline=True)
        body[at:at] = guard
        if first is not None:
            imports[0] = _led(imports[0], body[first].leading_lines)
            body[first] = _led(body[first], ())
            body[first:first] = imports
        return tree.with_changes(body=body)

    def _lines(
        self, above: Sequence[Statement], at: int
    ) -> tuple[list[Statement], list[Statement]]:
        """The statements of the guard, and the imports that it lacks."""
        if self.style is Style.FORK:
            return self.statements(self.proxy.unguarded), []
        there = {name for statement in above for name in _imported(statement)}
        missing = (f"import {name}\n" for name in self.proxy.imports if name not in there)
        return self.statements(self.proxy.guard), self.statements("".join(missing))

    def _blank_above(self, lead: Lines, at: int, before: Sequence[Statement]) -> bool:
        if self.style is Style.FORK and before and _is_import(before[0]):
            return False
        return lead[-1].comment is not None if lead else at > 0


def _place(body: Sequence[Statement], known: Mapping[str, str]) -> tuple[int, bool]:
    """The index for the guard, and whether it goes below the comments above what is there."""
    stop = _line(body, int(known["before"])) if "before" in known else len(body)
    if "after_imports" in known:
        headers = [index for index in range(stop) if _is_header(body[index])]
        if headers:
            return headers[-1] + 1, False
    return stop, True


def _line(body: Sequence[Statement], statement: int) -> int:
    """The index of the line that a statement of `ast` is in."""
    for index, line in enumerate(body):
        statement -= len(line.body) if isinstance(line, cst.SimpleStatementLine) else 1
        if statement < 0:
            return index
    return len(body)


def _first_import(body: Sequence[Statement], stop: int, name: str) -> int | None:
    """The line above which to import `name`: in the order of the alphabet among the plain
    imports that the file begins with, else before the first import."""
    first: int | None = None
    for index, line in enumerate(body[:stop]):
        if not _is_header(line):
            break
        statement = _only(line)
        if isinstance(statement, cst.Import):
            first = index if first is None else first
            if (get_full_name_for_node(statement.names[0].name) or "") > name:
                return index
        elif isinstance(statement, cst.ImportFrom) and not _is_future(statement):
            return index if first is None else first
    return first


def _imported(line: Statement) -> set[str]:
    """The modules that a statement imports under their own names."""
    found: set[str] = set()
    for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
        if isinstance(statement, cst.Import):
            plain = [alias.name for alias in statement.names if alias.asname is None]
            found |= {get_full_name_for_node(name) or "" for name in plain}
    return found | ({"os"} if any(name.startswith("os.") for name in found) else set())


def _is_header(line: Statement) -> bool:
    """Whether it is an import, or a text that stands alone, as a docstring does."""
    statement = _only(line)
    if isinstance(statement, cst.Expr):
        return isinstance(statement.value, cst.BaseString | cst.BaseNumber | cst.Ellipsis)
    return _is_import(line)


def _is_import(line: Statement) -> bool:
    return isinstance(_only(line), cst.Import | cst.ImportFrom)


def _is_future(statement: cst.ImportFrom) -> bool:
    return statement.module is not None and get_full_name_for_node(statement.module) == "__future__"


def _only(line: Statement) -> cst.CSTNode:
    """The first small statement of a line, or the compound statement."""
    return line.body[0] if isinstance(line, cst.SimpleStatementLine) else line


def _led(statement: Statement, lines: Lines) -> Statement:
    return statement.with_changes(leading_lines=lines)


def _with_blank(lines: Lines) -> Lines:
    return lines if lines and lines[0].comment is None else (BLANK, *lines)
