"""Constants and enumerations of a source that kernels name."""

from __future__ import annotations

from collections.abc import Mapping

from porter.languages.cpp import Kind, Unit
from porter.targets.torch_npu.translate.syntax import is_integer


def numbers_of(unit: Unit, constants: Mapping[str, str]) -> dict[str, int]:
    """The constants that are whole numbers, as they are written."""
    out: dict[str, int] = {}
    for name in constants:
        for at in unit.places(name):
            after = unit.tokens[at + 1 : at + 3]
            if after and after[0].text == "=" and len(after) > 1:
                after = after[1:]
            elif unit.tokens[at - 1].text != "#define":
                continue
            text = after[0].text.rstrip("uUlL")
            ends = unit.tokens[at + 3].text if unit.tokens[at - 1].text != "#define" else ";"
            if text.isdigit() and ends in (";", ","):
                out[name] = int(text)
                break
    return out


def enumerations(unit: Unit) -> dict[str, tuple[str, ...]]:
    """The enumerations of a file, and the names of their values."""
    code, out = unit.code, dict[str, tuple[str, ...]]()
    for at in code.places("enum"):
        place = at + 1
        scoped = code.tokens[place].text in ("class", "struct")
        place += scoped
        name = code.tokens[place].text if code.tokens[place].kind is Kind.NAME else ""
        while code.tokens[place].text not in ("{", ";"):
            place += 1
        closing = code.pairs.get(place)
        if closing is None:
            continue
        after = code.tokens[closing + 1 : closing + 2]
        if not name and after and after[0].kind is Kind.NAME:
            name = after[0].text  # typedef enum {...} name;
        values = [code.tokens[first].text for first, _ in code.arguments(place)]
        out[name] = tuple(f"{name}::{value}" if scoped else value for value in values)
    return out


def constants_of(unit: Unit) -> dict[str, str]:
    """Constants of the file that a kernel may name: `constexpr T NAME = ...`, and numbers that are
    `#define`d."""
    out: dict[str, str] = {}
    code = unit.code
    for at in code.places("constexpr", "const"):
        if code.function_at(at) is not None:
            continue
        end = next(
            (k for k in range(at, min(at + 8, len(code.tokens))) if code.tokens[k].text == "="), 0
        )
        if not end:
            continue
        words = [t.text for t in code.tokens[at + 1 : end]]
        words = [
            w for w in words if w not in ("constexpr", "const", "static", "inline", "__device__")
        ]
        if len(words) >= 2 and (
            is_integer(" ".join(words[:-1])) or words[0] in ("float", "double", "bool")
        ):
            out[words[-1]] = " ".join(words[:-1])
    tokens = unit.tokens
    for at in unit.places("#define"):
        if at + 3 > len(tokens) or tokens[at + 2].kind is not Kind.NUMBER:
            continue
        line = unit.position(tokens[at].start)[0]
        alone = at + 3 == len(tokens) or unit.position(tokens[at + 3].start)[0] != line
        if alone:
            floating = "." in tokens[at + 2].text or "e" in tokens[at + 2].text.lower()
            out[tokens[at + 1].text] = "double" if floating else "int"
    return out
