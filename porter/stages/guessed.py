"""Units of a project whose build script describes none: its sources, as they stand in the tree."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from porter.build.extensions import SOURCES, CompileUnit
from porter.model import UNIT, Language, Role
from porter.survey.discover import discover

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_TORCH = re.compile(rb"\b(?:torch|ATen|at|c10)\b")


def units(project: Path, but: Iterable[str] = ()) -> tuple[CompileUnit, ...]:
    """A unit for each C++ and CUDA source of the library that names torch, with the include
    folders in which the tree has what its files include; none for those below folders in `but`.
    """
    apart = tuple(f"{folder}/" for folder in but)
    native = [
        file
        for file in discover(project).files
        if file.language is Language.CPP
        and not file.path.startswith(apart)
        and UNIT not in file.path.split("/")  # a build's copy of it, say
    ]
    content = {file.path: (project / file.path).read_bytes() for file in native}
    folders = _include_folders(content)
    return tuple(
        CompileUnit(path=file.path, extension="", includes=folders)
        for file in native
        if file.role is Role.LIBRARY
        and file.path.endswith(SOURCES)
        and _TORCH.search(content[file.path])
    )


def _include_folders(content: Mapping[str, bytes]) -> tuple[str, ...]:
    """Folders from which files are included by a path that is not beside those that do so."""
    below: dict[str, list[str]] = {}
    for path in content:
        below.setdefault(posixpath.basename(path), []).append(path)
    found: dict[str, None] = {}
    for path, data in content.items():
        for match in _INCLUDE.finditer(data):
            name = match[1].decode("utf-8", "replace")
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            homes = [
                p for p in below.get(posixpath.basename(name), ()) if f"/{p}".endswith(f"/{name}")
            ]
            if beside not in content and homes:
                found[min(homes, key=len).removesuffix(name).rstrip("/") or "."] = None
    return tuple(found)
