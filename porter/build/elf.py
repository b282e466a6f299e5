"""What a shared library needs and gives, as `readelf` says it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.host import process
from porter.model import Step

_ENTRY = re.compile(r"\((?P<tag>NEEDED|RPATH|RUNPATH)\).*\[(?P<value>.*)\]")
_BOUND = ("GLOBAL", "WEAK", "UNIQUE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A shared library, or the objects of one: what it needs, where to look for it, its symbols."""

    path: Path
    needed: tuple[str, ...]
    folders: tuple[Path, ...]
    undefined: tuple[str, ...]  # weak ones may stay so
    defined: frozenset[str]

    def find(self, name: str) -> str:
        """The path of a needed library where its own folders have it, else its name."""
        found = (folder / name for folder in self.folders)
        return next((str(path) for path in found if path.is_file()), name)


def read(path: Path, log: Path) -> Library | None:
    """None where there is no readelf, or where it is no library or object that this can read."""
    program = shutil.which("readelf")
    if program is None:
        return None
    listed = "--syms" if path.suffix == ".o" else "--dyn-syms"
    argv = (program, "--wide", "--dynamic", listed, str(path))
    step = Step(name="readelf", argv=argv, cwd=str(path.parent), environment={"LC_ALL": "C"})
    return parse(log.read_text(errors="replace"), path) if process.run(step, log).ok else None


def parse(listing: str, path: Path) -> Library:
    """The library that `readelf` lists."""
    needed, folders, undefined, defined = [], [], [], set()
    for line in listing.splitlines():
        words = line.split()  # number, value, size, type, bind, visibility, section, name
        entry = _ENTRY.search(line) if "(" in line and "[" in line else None
        if entry and entry["tag"] == "NEEDED":
            needed.append(entry["value"])
        elif entry:
            folders += [folder for folder in entry["value"].split(":") if folder]
        elif len(words) > 7 and words[4] in _BOUND:
            name = words[7].partition("@")[0]
            if words[6] != "UND":
                defined.add(name)
            elif words[4] != "WEAK":
                undefined.append(name)
    return Library(
        path=path,
        needed=tuple(needed),
        folders=tuple(_expanded(folder, path) for folder in folders),
        undefined=tuple(undefined),
        defined=frozenset(defined),
    )


def together(objects: Sequence[Library]) -> Library:
    """What the library of these objects will ask for."""
    defined = frozenset[str]().union(*(one.defined for one in objects))
    asked = dict.fromkeys(name for one in objects for name in one.undefined)
    return Library(
        path=objects[0].path,
        needed=(),
        folders=(),
        undefined=tuple(name for name in asked if name not in defined),
        defined=defined,
    )


def _expanded(folder: str, path: Path) -> Path:
    own = str(path.resolve().parent)
    return Path(folder.replace("${ORIGIN}", own).replace("$ORIGIN", own))
