"""Functions that are declared and in no library, and the examples that need them."""

from __future__ import annotations

import functools
import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path

from tests.cpp_pieces.toolchain import Toolchain, digest

_OURS = re.compile(r"_ZNK?(2at|3c10|5torch|6paddle|3phi)")
_SECTION = re.compile(r"'\.rela\S*?\.(_Z\S+)'")
_CASE = re.compile(r"case_(\d+)RK")


def undefined(tools: Toolchain, unit: Path) -> str:
    """Of a compiled unit: an error for each example that needs what no library exports."""
    listed = subprocess.run(["nm", "-u", unit], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"^\s+U (_Z\S+)", listed, re.MULTILINE))
    lines = []
    for name in sorted(n for n in needed - exported(tools) if _OURS.match(n)):
        plain = subprocess.run(["c++filt", name], capture_output=True, text=True).stdout.strip()
        lines += [
            f"porter-example-{number}:1:1: error: undefined in {tools.framework}: {plain}"
            for number in _reaching(unit, name)
        ] or [f"undefined in {tools.framework}: {plain}"]
    return "\n".join(lines)


def _reaching(unit: Path, name: str) -> list[int]:
    """The examples from which calls lead to a function."""
    callers = _callers(unit)
    found, waiting = {name}, [name]
    while waiting:
        new = callers[waiting.pop()] - found
        found |= new
        waiting += new
    return sorted({int(number) for each in found for number in _CASE.findall(each)})


@functools.cache
def _callers(unit: Path) -> defaultdict[str, set[str]]:
    """By function, those that use it; each stands in a section of its own."""
    command = ["readelf", "-rW", unit]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: defaultdict[str, set[str]] = defaultdict(set)
    section = ""
    for line in text.splitlines():
        if line.startswith("Relocation section"):
            named = _SECTION.search(line)
            section = named[1] if named else ""
        elif section:
            for used in re.findall(r"(_Z\S+)", line):
                found[used].add(section)
    return found


@functools.cache
def exported(tools: Toolchain) -> frozenset[str]:
    """The mangled names that a framework's libraries export."""
    made = tools.cache / f"exports-{tools.framework}-{digest(tools.libraries)}"
    if not made.is_file():
        names = set()
        for library in tools.libraries:
            command = ["nm", "-D", "--defined-only", "-f", "posix", library]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            names.update(line.split(" ", 1)[0].split("@")[0] for line in text.splitlines())
        part = made.with_suffix(f".{os.getpid()}")
        part.write_text("\n".join(sorted(n for n in names if n.startswith("_Z"))))
        part.rename(made)
    return frozenset(made.read_text().split("\n"))
