"""Members of tensors that C++ calls, as far as declarations tell what is a tensor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from porter import targets
from porter.languages.cpp import Kind, Token, Unit

TENSOR = "Tensor"
BESIDE = ("const", "&", "&&")  # between the type and the name
AFTER = ("=", ";", ",", ")", "{", ":")  # what follows a variable or a parameter that is declared
FACTORIES = frozenset(
    f"{name}{like}"
    for name in ("empty", "zeros", "ones", "full", "rand", "randn")
    for like in ("", "_like")
) | {"arange", "cat", "eye", "from_blob", "stack", "tensor", "where"}


@cache
def _namespaces() -> frozenset[str]:
    return frozenset(name for f in targets.frameworks() for name in f.tensor_namespaces)


def tensor_members(unit: Unit) -> Iterator[tuple[str, int]]:
    """(member, index of its token) for each call of a member on a variable that the file declares
    as a tensor, and as nothing else."""
    tensors, others = _declared(unit.tokens)
    tokens = unit.tokens
    for index in unit.places("."):
        around = tokens[index - 2 : index + 3]
        if index < 2 or len(around) < 5 or around[3].kind is not Kind.NAME:
            continue
        known = around[1].text in tensors - others and around[0].text not in (".", "->", "::")
        if known and around[4].text in ("(", "<"):
            yield around[3].text, index + 1


def _declared(tokens: Sequence[Token]) -> tuple[set[str], set[str]]:
    """The variables declared as tensors, and those declared with another type."""
    tensors: set[str] = set()
    others: set[str] = set()
    for index, token in enumerate(tokens[:-1]):
        if token.kind is not Kind.NAME or tokens[index + 1].text not in AFTER or not index:
            continue
        before = index - 1
        while before > 0 and tokens[before].text in BESIDE:
            before -= 1
        kind = tokens[before].text
        if kind == TENSOR or (kind == "auto" and _made(tokens[index + 1 : index + 5])):
            tensors.add(token.text)
        elif _is_type(tokens[before]):
            others.add(token.text)
    return tensors, others


def _is_type(token: Token) -> bool:
    words = ("return", "auto", "else", "case")
    return token.text in (">", "*") or (token.kind is Kind.NAME and token.text not in words)


def _made(tokens: Sequence[Token]) -> bool:
    """Whether this begins `= at::empty`."""
    words = [token.text for token in tokens]
    begins = words[:1] == ["="] and words[1] in _namespaces() and words[2] == "::"
    return begins and words[3] in FACTORIES
