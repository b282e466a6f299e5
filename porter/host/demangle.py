"""C++ names of the symbols of object files."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from porter.host import process
from porter.model import Step


def demangle(symbols: Iterable[str], logs: Path) -> dict[str, str]:
    """Map each symbol to the C++ name it stands for; to itself where it is not mangled, or where
    c++filt is not installed. Symbols may come from files of others: no library of this process
    reads them."""
    asked = tuple(dict.fromkeys(symbols))
    same = dict(zip(asked, asked, strict=True))
    program = shutil.which("c++filt")
    if not asked or program is None:
        return same
    logs.mkdir(parents=True, exist_ok=True)
    listed = logs / "symbols.rsp"  # a command line of them could be too long
    listed.write_text("\n".join(asked))
    step = Step(
        name="demangle", argv=(program, "--no-verbose", f"@{listed}"), cwd=str(logs), timeout=60
    )
    result = process.run(step, logs / "demangle.log")
    found = Path(result.log).read_text(errors="replace").splitlines()
    return dict(zip(asked, found, strict=True)) if len(found) == len(asked) else same
