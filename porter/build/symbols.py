"""Spell out the C++ symbols in diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from porter.build.causes import cause
from porter.host import demangle
from porter.model import Diagnostic

_MANGLED = re.compile(r"\b_Z\w+")


def demangled(diagnostics: Iterable[Diagnostic], logs: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics with C++ symbols spelled out; unchanged where there is no c++filt."""
    found = tuple(diagnostics)
    table = demangle.demangled(
        (name for item in found for name in _MANGLED.findall(item.message)), logs
    )
    return tuple(_spelled(item, table) for item in found)


def _spelled(item: Diagnostic, table: dict[str, str]) -> Diagnostic:
    message = _MANGLED.sub(lambda found: table[found[0]], item.message)
    if message == item.message:
        return item
    known = cause(message)
    return replace(item, message=message, cause=known.text, name=known.name, scope=known.scope)
