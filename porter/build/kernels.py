"""CUDA sources: how nvcc checks one without making code, and how a host compiler reads it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from porter.build.extensions import CompileUnit
from porter.languages import cpp

# The device's pass alone: it says what is wrong with host code as well, in a third of the time.
SYNTAX = ("-ptx", "-fdevice-syntax-only", "-o", os.devnull)
# What nvcc includes of itself, and the kernel's variables.
FORCED = ("cuda_runtime.h", "device_launch_parameters.h")
_ARCHITECTURE = re.compile(r"(?:compute|sm)_(\d+)(\w?)")
_OLDEST, _USUAL = 75, "90"
# Options of nvcc's whose value is the next word, and that a check drops.
_VALUED = (
    *("gencode", "generate-code", "arch", "gpu-architecture", "code", "gpu-code", "O", "optimize"),
    *("Xptxas", "ptxas-options", "Xnvlink", "Xfatbin", "fatbin-options", "maxrregcount"),
    *("Werror", "diag-suppress", "diag-error", "diag-warn", "t", "threads", "split-compile"),
    "keep-dir",
)
_TAKES = frozenset(f"{dashes}{name}" for dashes in ("-", "--") for name in _VALUED)
_ALONE = re.compile(
    r"-{1,2}(?:gencode|generate-code|arch|gpu-architecture|code|gpu-code|ptxas-options|Xptxas"
    r"|Werror|diag-\w+|threads|t|maxrregcount|split-compile|fatbin-options|Xfatbin|optimize)=.*\Z"
    r"|-O\d\Z|-g\Z|-G\Z|-w\Z|--?(?:lineinfo|generate-line-info|device-debug|debug|keep|verbose"
    r"|resource-usage|disable-warnings|res-usage|dlto|rdc=\w+|relocatable-device-code=\w+)\Z"
    r"|-v\Z|-dc\Z|-Wno-.*\Z|-W[a-z-]*\Z"
)
_HOST = re.compile(r"-Xcompiler|--compiler-options")
_WARNING = re.compile(r"-(?:W(?![lpa],).*|w|O\w*|g\w*|pedantic.*|flto.*)\Z")


def lean(unit: CompileUnit) -> CompileUnit:
    """A CUDA unit with the flags that say what its code means, and one architecture: the newest
    of its own."""
    found = [(int(n), x) for f in unit.flags for n, x in _ARCHITECTURE.findall(f)]
    number, suffix = max(found, default=(0, ""))
    chosen = f"{number}{suffix}" if number >= _OLDEST else _USUAL
    return replace(unit, flags=(*_keep_flags(unit.flags), f"-arch=sm_{chosen}"))


def _keep_flags(flags: Sequence[str]) -> Iterator[str]:
    waiting = iter(flags)
    for flag in waiting:
        if flag in _TAKES:
            next(waiting, None)
        elif flag in ("-Xcompiler", "--compiler-options"):
            yield from _translate_for_host(next(waiting, ""))
        elif _HOST.match(flag):
            yield from _translate_for_host(flag.partition("=")[2])
        elif not _ALONE.match(flag):
            yield flag


def _translate_for_host(written: str) -> Iterator[str]:
    for flag in re.split(r"[,\s]+", written.strip("'\"")):
        if flag and not _WARNING.match(flag):
            yield from ("-Xcompiler", flag)


def make_host_unit(unit: CompileUnit) -> CompileUnit:
    """A CUDA unit as one of C++, with the flags that a host compiler takes too."""
    kept: list[str] = []
    waiting = iter(unit.flags)
    for flag in waiting:
        if flag in ("-D", "-U", "-I", "-isystem", "-include"):
            kept += [flag, next(waiting, "")]
        elif flag.lstrip("-").startswith("std="):
            kept.append(f"-{flag.lstrip('-')}")
        elif re.match(r"-[DUI]\S", flag):
            kept.append(flag)
    return replace(unit, path=f"{unit.path}.cpp", flags=tuple(kept))


def blank_launches(files: Iterable[Path], project: Path, folder: Path) -> Path:
    """Copies of a unit's own files below `folder`, each `<<<...>>>` blanked out, the unit first.

    Line and column of what is left stay. Files outside of the project are not copied.
    """
    first = None
    for path in files:
        if not path.is_relative_to(project):
            continue
        copy = folder / path.relative_to(project)
        first = first or copy
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(_blank_launches(path.read_bytes()) if path.is_file() else b"")
    return first or folder


def _blank_launches(data: bytes) -> bytes:
    if b"<<<" not in data:
        return data
    out = bytearray(data)
    unit = cpp.parse(data, "")
    for opening in unit.places("<<<"):
        closing = next((i for i in unit.places(">>>") if i > opening), None)
        if closing is not None:
            start, end = unit.tokens[opening].start, unit.tokens[closing].end
            out[start:end] = re.sub(rb"[^\n]", b" ", data[start:end])
    return bytes(out)
