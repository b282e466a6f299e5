"""What a target's libraries export of torch's C++ names, overload by overload, as `nm` says it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from porter.host.process import run
from porter.model import Step, Symbol

_NAME = r"(?:at|c10|torch|caffe2)(?:::~?\w+)*?(?:::operator[^\s(]+)?"
_EXPORTED = re.compile(
    rf"^[0-9a-f]+ [A-Zu] (?P<text>(?P<name>{_NAME})(?:\[abi:\w+\])?\(.*)$",
    re.MULTILINE,
)


def exported(folder: Path, logs: Path) -> dict[str, tuple[str, ...]]:
    """Each name of torch's namespaces that a library below a folder exports, with its signatures.

    Nothing where there is no `nm`.
    """
    program = shutil.which("nm")
    found: dict[str, dict[str, None]] = {}
    for path in sorted(folder.rglob("*.so*")) if program else ():
        argv = (str(program), "--dynamic", "--defined-only", "--demangle", str(path))
        step = Step(name="nm", argv=argv, cwd=str(folder), foreign=False)
        log = Path(run(step, logs / "nm.log").log)
        for match in _EXPORTED.finditer(log.read_text(errors="replace")):
            found.setdefault(match["name"], {})[match["text"]] = None
    return {name: tuple(sorted(texts)) for name, texts in sorted(found.items())}


def with_exports(
    symbols: Mapping[str, Symbol], exports: Mapping[str, tuple[str, ...]]
) -> dict[str, Symbol]:
    """The symbols with the signatures that are exported. What no header declares is not usable,
    and stays missing; what torch does not have is the target's own."""
    out = dict(symbols)
    for name, signatures in exports.items():
        known = out.get(name, Symbol(kind="function", provenance="exported"))
        out[name] = replace(known, signatures=signatures)
    return out
