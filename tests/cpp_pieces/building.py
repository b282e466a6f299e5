"""Compiles test modules, past the examples that do not compile, and keeps what it made."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.cpp_pieces.examples import Examples
from tests.cpp_pieces.sources import blamed, source
from tests.cpp_pieces.symbols import undefined
from tests.cpp_pieces.toolchain import LATE, Toolchain, compiler, digest, header


@dataclass(frozen=True, slots=True)
class Module:
    """A module that was built, and the numbers of the examples in it, in their order."""

    path: Path
    numbers: tuple[int, ...]


def headers_of(tools: Toolchain, paths: Sequence[str]) -> list[str]:
    """Which of a piece's headers its modules include: those torch has, of the CPU."""
    include = tools.home / "include"
    below = [include, include / "torch/csrc/api/include"]
    plain = [path for path in paths if "cuda" not in path.lower()]
    return [path for path in plain if any((folder / path).is_file() for folder in below)]


def build(
    tools: Toolchain, piece: Examples, numbers: Sequence[int], headers: Sequence[str]
) -> tuple[list[Module], dict[int, str]]:
    """The modules that hold these examples of a piece, and why others are in none.

    If the compiler blames no example, and does not even compile none of them, all have its error;
    else the examples are tried in halves.
    """
    numbers, errors = list(numbers), {}
    while numbers:
        path, output = _module(tools, source(piece, numbers, headers))
        if path is not None:
            return [Module(path, tuple(numbers))], errors
        wrong = {n: error for n, error in blamed(output).items() if n in numbers}
        if not wrong and (len(numbers) == 1 or _module(tools, source(piece, [], headers))[1]):
            return [], errors | dict.fromkeys(numbers, _first_error(output))
        if not wrong:
            half = len(numbers) // 2
            first, failed = build(tools, piece, numbers[:half], headers)
            second, more = build(tools, piece, numbers[half:], headers)
            return first + second, errors | failed | more
        errors |= wrong
        numbers = [n for n in numbers if n not in wrong]
    return [], errors


def _first_error(output: str) -> str:
    lines = [line for line in output.splitlines() if "error" in line or "undefined" in line]
    return lines[0] if lines else output[-600:]


def _module(tools: Toolchain, text: str) -> tuple[Path | None, str]:
    """The shared object, or None and the errors."""
    prefix = header(tools)
    stem = tools.cache / "modules" / f"{tools.framework}-{digest(prefix.parent.name, text)}"
    made, failed = stem.with_suffix(".so"), stem.with_suffix(".errors")
    if made.is_file():
        return made, ""
    if failed.is_file():
        return None, failed.read_text()
    stem.parent.mkdir(parents=True, exist_ok=True)
    unit = stem.with_suffix(".cpp")
    unit.write_text(text)
    part = stem.with_suffix(f".{os.getpid()}.part")
    compiled = stem.with_suffix(f".{os.getpid()}.o")
    done = compiler(tools, "-ffunction-sections", "-include", prefix, "-c", unit, "-o", compiled)
    output = done.stderr if done.returncode else undefined(tools, compiled)
    if not output:
        done = compiler(tools, "-shared", compiled, "-o", part, *tools.link)
        output = done.stderr if done.returncode else ""
    compiled.unlink(missing_ok=True)
    if output:
        if LATE not in output:
            failed.write_text(output)
        return None, output
    part.rename(made)
    return made, ""
