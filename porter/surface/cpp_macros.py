"""Preprocessor lines of a C++ header: macros that declare by list, and which branch is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from porter.languages.cpp import Unit
from porter.languages.cpp_tokens import Kind, Token, closing
from porter.surface.cpp_declarations import Declarations, Entry
from porter.surface.cpp_heads import split_commas

Body = tuple[tuple[str, ...], tuple[Token, ...]]  # parameters and replacement of a macro


def function_macros(unit: Unit) -> Iterator[tuple[str, Body]]:
    """Function-like macros of a header, for the lists that declare by macro."""
    tokens = unit.tokens
    for index in unit.places("#define"):
        if index + 2 >= len(tokens):
            continue
        name, opening = tokens[index + 1], tokens[index + 2]
        if opening.text != "(" or opening.start != name.end:
            continue
        rest = tokens[index + 3 : unit.directive_end(index)]
        close = next((k for k, t in enumerate(rest) if t.text == ")"), len(rest))
        parameters = tuple(t.text for t in rest[:close] if t.text != ",")
        yield name.text, (parameters, tuple(rest[close + 1 :]))


def code(unit: Unit, declared: Declarations, header: str) -> list[Token]:
    """The tokens outside directives; macros are noted, of #if only the first branch is read
    where the branches would open braces twice."""
    out: list[Token] = []
    tokens = unit.tokens
    branches: list[tuple[int, int]] = []  # (tokens before #if, braces open there)
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.kind is not Kind.DIRECTIVE:
            stands_for, index = _namespace_macro(tokens, index)
            out += stands_for
            continue
        if token.text == "#define" and index + 1 < len(tokens):
            declared.macros.setdefault(tokens[index + 1].text, Entry("macro", header))
        elif token.text.startswith("#if"):
            branches.append((len(out), -1))
        elif token.text in ("#else", "#elif", "#endif") and branches:
            _branch(token.text, out, branches)
        index = unit.directive_end(index)
    return out


def _namespace_macro(tokens: Sequence[Token], at: int) -> tuple[Sequence[Token], int]:
    """What a token stands for, and the next index: `X_NAMESPACE_BEGIN(a, b)` opens a::b, and
    `X_NAMESPACE_END(a, b)` closes it; anything else stands for itself."""
    token = tokens[at]
    opens, closes = token.text.endswith("NAMESPACE_BEGIN"), token.text.endswith("NAMESPACE_END")
    if not (opens or closes) or at + 1 >= len(tokens) or tokens[at + 1].text != "(":
        return tokens[at : at + 1], at + 1
    after = closing(tokens, at + 1) + 1
    if closes:
        return (token._replace(kind=Kind.PUNCTUATION, text="}"),), after
    names = [t for t in tokens[at + 2 : after] if t.kind is Kind.NAME]
    opening = token._replace(kind=Kind.PUNCTUATION, text="{")
    return (token._replace(text="namespace"), *names, opening), after


def _branch(word: str, out: list[Token], branches: list[tuple[int, int]]) -> None:
    """At the end of a branch that leaves braces open or closed, drop what later ones repeat."""
    start, first = branches[-1]
    balance = sum((t.text == "{") - (t.text == "}") for t in out[start:])
    if first != -1 and balance != 0:
        del out[start:]
    if word == "#endif":
        branches.pop()
    else:
        branches[-1] = (len(out), balance)


def expansion(
    macros: Mapping[str, Body], tokens: Sequence[Token], at: int
) -> tuple[list[Token], int] | None:
    """What LIST(ENTRY) declares, where both are macros that are known; and what follows."""
    if at + 3 >= len(tokens) or tokens[at + 1].text != "(" or tokens[at].text.islower():
        return None
    listing, entry = macros.get(tokens[at].text), macros.get(tokens[at + 2].text)
    if listing is None or entry is None or tokens[at + 3].text not in (")", ","):
        return None
    close = closing(tokens, at + 1)
    return list(_expand_list(macros, listing, entry, 0)), close + 1


def expand_using(
    macros: Mapping[str, Body], tokens: Sequence[Token], at: int
) -> tuple[list[Token], int] | None:
    """What MACRO(NAME, TYPE) declares, where the macro writes a `using`; and what follows."""
    macro = macros.get(tokens[at].text)
    if macro is None or at + 1 >= len(tokens) or tokens[at + 1].text != "(":
        return None
    if not macro[1] or macro[1][0].text != "using":
        return None
    close = closing(tokens, at + 1)
    return list(_instance(macro, split_commas(tokens[at + 2 : close]))), close + 1


def _expand_list(
    macros: Mapping[str, Body], listing: Body, entry: Body, depth: int
) -> Iterator[Token]:
    parameters, body = listing
    index = 0
    while index < len(body):
        token = body[index]
        calls = index + 1 < len(body) and body[index + 1].text == "("
        if parameters and token.text == parameters[0] and calls:
            close = closing(body, index + 1)
            yield from _instance(entry, split_commas(body[index + 2 : close]))
            index = close + 1
            continue
        inner = macros.get(token.text)
        if inner is not None and calls and depth < 5:
            yield from _expand_list(macros, inner, entry, depth + 1)
            index = closing(body, index + 1) + 1
            continue
        index += 1


def _instance(entry: Body, arguments: Sequence[Sequence[Token]]) -> Iterator[Token]:
    """One entry of a list macro, arguments put in and `##` pasted."""
    parameters, body = entry
    values = dict(zip(parameters, arguments, strict=False))
    out: list[Token] = []
    paste = False
    index = 0
    while index < len(body):
        if body[index].text == "#" and index + 1 < len(body) and body[index + 1].text == "#":
            paste, index = True, index + 2
            continue
        for token in values.get(body[index].text, (body[index],)):
            if paste and out:
                out[-1] = out[-1]._replace(text=out[-1].text + token.text)
            else:
                out.append(token)
            paste = False
        index += 1
    yield from out
