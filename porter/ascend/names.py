"""What the names of a C++ file stand for, through its aliases, where they are torch_npu's."""

from __future__ import annotations

from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import ProjectFacts

LIBTORCH = "torch_npu/torch_npu.h"
SPACES = ("c10_npu", "at_npu", "torch_npu")


def qualified(unit: Unit) -> Iterator[tuple[str, int, int]]:
    """(name from the outermost namespace, first token, last token) for each name of torch_npu."""
    aliases, used = _aliases(unit)
    for name, first, last in unit.qualified():
        head, _, rest = name.partition("::")
        whole = f"{aliases[head]}::{rest}" if head in aliases else name
        if whole.partition("::")[0] in SPACES:
            yield whole, first, last
        else:
            for space in used:
                yield f"{space}::{whole}", first, last


def _aliases(unit: Unit) -> tuple[dict[str, str], list[str]]:
    """`using X = a::b;`, `namespace X = a::b;`; the namespaces of torch_npu in use."""
    aliases: dict[str, str] = {}
    used: list[str] = []
    tokens = unit.tokens
    for index in unit.places("using", "namespace"):
        if index + 3 < len(tokens) and tokens[index + 2].text == "=":
            aliases[tokens[index + 1].text] = _name(unit, index + 3)
        elif tokens[index].text == "using" and tokens[index + 1].text == "namespace":
            used.append(_name(unit, index + 2))
    return aliases, [space for space in used if space.partition("::")[0] in SPACES]


def _name(unit: Unit, at: int) -> str:
    parts = []
    while at < len(unit.tokens) and (
        unit.tokens[at].kind is Kind.NAME or unit.tokens[at].text == "::"
    ):
        parts.append(unit.tokens[at].text)
        at += 1
    return "".join(parts).removeprefix("::")


def inside(path: str, facts: ProjectFacts) -> bool:
    """Whether a file is compiled into torch_npu itself, where nothing is hidden from it."""
    return facts.ascend is not None and path.startswith(facts.ascend.inside)


def of_libtorch(unit: Unit) -> bool:
    """Whether a file is of a program that is built with libtorch_npu, torch_npu's distribution for
    C++ alone: its header is in no wheel, and its library exports what that header declares."""
    headers = {header for header, _ in unit.includes}
    return LIBTORCH in headers and "torch/extension.h" not in headers


def has_header(name: str, facts: ProjectFacts) -> bool:
    """Whether the repository brings a header of this name itself."""
    headers = facts.ascend.headers if facts.ascend else frozenset[str]()
    return any(header == name or header.endswith(f"/{name}") for header in headers)
