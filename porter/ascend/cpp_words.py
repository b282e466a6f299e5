"""What words of a C++ file name: functions, the ones that they call, texts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from porter.ascend.file_pieces import FilePieces
from porter.languages.cpp import Code, Function, Kind

_PIECE = re.compile(r'(?:u8|[uUL])?"(.*)"', re.DOTALL)


def reach(code: Code, found: FilePieces) -> None:
    """The names that each function calls, or hands on as a function."""
    for function in code.functions:
        names = found.reaches.setdefault(call_names(function, found.runners), set())
        for at in range(function.opening, function.closing):
            if code.tokens[at].kind is Kind.NAME and _calls_or_hands_on(code, at):
                names.update(_call_names(code, at))


def call_names(function: Function, runners: Collection[str] = ()) -> str:
    """The name that a function is called by: an autograd function's forward by `apply`, those of a
    runner with its class, as each runner has some of the same names."""
    around = function.scope.rpartition("::")[2]
    if around in runners:
        return f"{around}::{function.name}"
    return f"{around}::apply" if function.name == "forward" and around else function.name


def _calls_or_hands_on(code: Code, at: int) -> bool:
    if has_text(code, at + 1, "("):
        return True
    if has_text(code, at + 1, "<"):
        return has_text(code, code.skip_angles(at + 1), "(")
    return has_text(code, at - 1, "&") and not has_text(code, at + 1, ".")


def _call_names(code: Code, at: int) -> Iterator[str]:
    """A name alone, but for `apply`; and with the class or namespace that is written before it."""
    text = code.tokens[at].text
    qualified = has_text(code, at - 1, "::")
    if qualified:
        yield f"{code.tokens[at - 2].text}::{text}"
    if text != "apply" or not qualified:
        yield text


def strings(code: Code, first: int, last: int) -> str:
    """The text of string literals side by side; empty where there is anything else."""
    out = []
    for token in code.tokens[first : last + 1]:
        if token.kind is Kind.STRING:
            match = _PIECE.fullmatch(token.text)
            out.append(match[1] if match else "")
        elif token.kind is Kind.NAME and len(out) == 0 and token.text == "TORCH_SELECTIVE_SCHEMA":
            continue
        elif token.text not in ("(", ")"):
            return ""
    return "".join(out)


def names_in(code: Code, first: int, last: int) -> frozenset[str]:
    """The names between two tokens, also with what qualifies them."""
    found = (i for i in range(first, last + 1) if code.tokens[i].kind is Kind.NAME)
    return frozenset(name for i in found for name in _call_names(code, i))


def has_text(code: Code, index: int, text: str) -> bool:
    return 0 <= index < len(code.tokens) and code.tokens[index].text == text
