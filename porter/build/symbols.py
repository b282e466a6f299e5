"""Symbols in messages as people read them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from porter import process
from porter.build.causes import cause
from porter.model import Diagnostic, Step

_MANGLED = re.compile(r"\b_Z\w+")


def demangled(diagnostics: Iterable[Diagnostic], logs: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics with C++ symbols spelled out; unchanged where there is no c++filt."""
    found = tuple(diagnostics)
    names = sorted({name for item in found for name in _MANGLED.findall(item.message)})
    program = shutil.which("c++filt")
    if not names or program is None:
        return found
    step = Step(name="demangle", argv=(program, *names), cwd=str(logs), timeout=60)
    result = process.run(step, logs / "demangle.log")
    spelled = Path(result.log).read_text(errors="replace").splitlines()
    if not result.ok or len(spelled) != len(names):
        return found
    table = dict(zip(names, spelled, strict=True))
    return tuple(_spelled(item, table) for item in found)


def _spelled(item: Diagnostic, table: dict[str, str]) -> Diagnostic:
    message = _MANGLED.sub(lambda found: table[found[0]], item.message)
    if message == item.message:
        return item
    known = cause(message)
    return replace(item, message=message, cause=known.text, name=known.name, scope=known.scope)
