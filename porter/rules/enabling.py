"""The codemod that puts the guard into a file, so that `import torch` means the target."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import ClassVar

import libcst as cst
from libcst.helpers import get_full_name_for_node

from porter.languages.python import Module
from porter.model import Match
from porter.rules.portion import Portion, portion
from porter.rules.rewrite import BLANK, Directed, Statement
from porter.targets.proxy import Guard, Proxy

Lines = Sequence[cst.EmptyLine]


class EnableProxy(Directed):
    """Enables the proxy above the statement that the finder names by its index, or where it names
    none, after docstring and imports; with the imports that this needs."""

    DESCRIPTION = "Enable the proxy before torch is imported."
    proxy: ClassVar[Proxy]  # the target's: a rule's codemod says which

    @classmethod
    def needs(cls, module: Module, matches: Sequence[Match]) -> Portion | None:
        known = [int(m.place.known.get("before", -1)) for m in matches if m.place]
        return portion(module, range(max(known) + 1)) if known else None

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        (known,) = self.places.values()
        body: list[Statement] = [*tree.body]
        at, below_comments = _place(body, known)
        guard, missing = self._lines(body[:at])
        if missing and not any(map(_is_import, body[:at])):
            # nothing stands before the guard to put them with
            guard = [*map(self._import, missing), _replace_leading_lines(guard[0], (BLANK,))]
            missing = []
        lead: Lines = ()
        if below_comments and at < len(body):
            lead = body[at].leading_lines if at else tree.header
            body[at] = _replace_leading_lines(body[at], ())
        elif below_comments:
            lead, tree = tree.footer if body else tree.header, tree.with_changes(footer=())
        blank = self._blank_above(lead, at, body[at : at + 1])
        own = () if at == 0 and lead is tree.header else lead
        guard[0] = _replace_leading_lines(guard[0], (*own, BLANK) if blank else own)
        if at < len(body):
            following = body[at].leading_lines
            apart = self._stands_apart() or ("before" not in known and not _is_import(body[at]))
            body[at] = _replace_leading_lines(
                body[at], _prepend_blank(following) if apart else following
            )
        else:
            footer = _prepend_blank(tree.footer) if tree.footer else ()
            tree = tree.with_changes(footer=footer, has_trailing_newline=True)
        body[at:at] = guard
        for name in reversed(missing):
            _insert(body, _place_of_import(body, at, name), self._import(name))
        return tree.with_changes(body=body)

    @property
    def guard(self) -> Guard:
        return self.proxy.guard(self.form)

    def _stands_apart(self) -> bool:
        """Whether an empty line follows the guard: not one that is only an import, which stands
        with those that it is for."""
        return self.form.is_vendored

    def _lines(self, above: Sequence[Statement]) -> tuple[list[Statement], list[str]]:
        """The statements of the guard, and the modules that it needs and `above` lacks."""
        if self.form.is_fork:
            return self.statements(self.guard.fork), []
        there = {name for statement in above for name in _imported_modules(statement)}
        missing = [name for name in self.guard.imports if name not in there]
        return self.statements(self.guard.dual), missing

    def _import(self, name: str) -> Statement:
        return self.statements(f"import {name}\n")[0]

    def _blank_above(self, lead: Lines, at: int, before: Sequence[Statement]) -> bool:
        if self.form.is_fork and before and _is_import(before[0]):
            return False
        return lead[-1].comment is not None if lead else at > 0


def _place(body: Sequence[Statement], known: Mapping[str, str]) -> tuple[int, bool]:
    """The index for the guard, and whether it goes below the comments above what is there."""
    stop = _line(body, int(known["before"])) if "before" in known else len(body)
    if "after_imports" in known:
        headers = [index for index in range(stop) if _is_header(body[index])]
        code = (i for i, line in enumerate(body) if not _is_header(line) and not _is_dunder(line))
        first = min(next(code, stop), stop)
        if headers and (any(map(_is_import, body[:stop])) or first == headers[-1] + 1):
            return headers[-1] + 1, False
        return first, True  # no code above an import
    return stop, True


def _line(body: Sequence[Statement], statement: int) -> int:
    """The index of the line that a statement of `ast` is in."""
    for index, line in enumerate(body):
        statement -= len(line.body) if isinstance(line, cst.SimpleStatementLine) else 1
        if statement < 0:
            return index
    return len(body)


def _place_of_import(body: Sequence[Statement], stop: int, name: str) -> int:
    """The index for an import of a module of Python's own, in the order that isort gives: among the
    plain imports by name, above `from ... import` and other packages; else below what is there."""
    last = 0
    for index, line in enumerate(body[:stop]):
        statement = _only(line)
        if not _is_header(line):
            break
        if isinstance(statement, cst.Import) and _is_standard(statement):
            if (get_full_name_for_node(statement.names[0].name) or "") > name:
                return index
        elif _is_import(line) and not _is_future(statement):
            return index
        last = index + 1
    return last


def _insert(body: list[Statement], index: int, statement: Statement) -> None:
    """Put an import into its section, with an empty line below that where another one follows."""
    above = _only(body[index - 1]) if index else None
    if not isinstance(above, cst.Import | cst.ImportFrom) or _is_future(above):
        following = body[index]
        statement = _replace_leading_lines(statement, following.leading_lines)
        apart = () if _is_standard(_only(following)) else (BLANK,)
        body[index] = _replace_leading_lines(following, apart)
    body.insert(index, statement)


def _is_standard(statement: cst.CSTNode) -> bool:
    """Whether it imports of Python's own library alone."""
    if isinstance(statement, cst.ImportFrom):
        names = [statement.module] if statement.module and not statement.relative else [None]
    else:
        names = [a.name for a in statement.names] if isinstance(statement, cst.Import) else [None]
    found = [get_full_name_for_node(name) or "" if name else "" for name in names]
    return all(name.partition(".")[0] in sys.stdlib_module_names for name in found)


def _imported_modules(line: Statement) -> set[str]:
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


def _is_dunder(line: Statement) -> bool:
    """Whether it is `__version__ = "1"` or the like, which stand above imports."""
    statement = _only(line)
    if not isinstance(statement, cst.Assign):
        return False
    name = get_full_name_for_node(statement.targets[0].target) or ""
    return name.startswith("__") and name.endswith("__")


def _is_import(line: Statement) -> bool:
    return isinstance(_only(line), cst.Import | cst.ImportFrom)


def _is_future(statement: cst.CSTNode) -> bool:
    module = statement.module if isinstance(statement, cst.ImportFrom) else None
    return module is not None and get_full_name_for_node(module) == "__future__"


def _only(line: Statement) -> cst.CSTNode:
    """The first small statement of a line, or the compound statement."""
    return line.body[0] if isinstance(line, cst.SimpleStatementLine) else line


def _replace_leading_lines(statement: Statement, lines: Lines) -> Statement:
    return statement.with_changes(leading_lines=lines)


def _prepend_blank(lines: Lines) -> Lines:
    return lines if lines and lines[0].comment is None else (BLANK, *lines)
