"""Symbols in messages as people read them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from porter.build.causes import cause
from porter.host import process
from porter.model import Diagnostic, Step

_MANGLED = re.compile(r"\b_Z\w+")


def spelled(names: Iterable[str], logs: Path) -> dict[str, str]:
    """What C++ names each symbol is; itself where there is no c++filt, or no C++ in it."""
    asked = tuple(dict.fromkeys(names))
    same = dict(zip(asked, asked, strict=True))
    program = shutil.which("c++filt")
    if not asked or program is None:
        return same
    listed = logs / "symbols.rsp"  # a command line of them could be too long
    listed.write_text("\n".join(asked))
    step = Step(name="demangle", argv=(program, f"@{listed}"), cwd=str(logs), timeout=60)
    result = process.run(step, logs / "demangle.log")
    found = Path(result.log).read_text(errors="replace").splitlines()
    return dict(zip(asked, found, strict=True)) if len(found) == len(asked) else same


def demangled(diagnostics: Iterable[Diagnostic], logs: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics with C++ symbols spelled out; unchanged where there is no c++filt."""
    found = tuple(diagnostics)
    table = spelled((name for item in found for name in _MANGLED.findall(item.message)), logs)
    return tuple(_spelled(item, table) for item in found)


def _spelled(item: Diagnostic, table: dict[str, str]) -> Diagnostic:
    message = _MANGLED.sub(lambda found: table[found[0]], item.message)
    if message == item.message:
        return item
    known = cause(message)
    return replace(item, message=message, cause=known.text, name=known.name, scope=known.scope)
