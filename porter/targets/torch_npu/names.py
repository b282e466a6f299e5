"""What sources name torch_npu by, and what the names of a C++ file stand for."""

from __future__ import annotations

from collections.abc import Iterator

from porter.ascend.names import Names
from porter.languages.cpp import Kind, Unit

LIBTORCH = "torch_npu/torch_npu.h"
NAMES = Names(
    modules=("torch_npu",),
    namespaces=("c10_npu", "at_npu", "torch_npu"),
    plugin_headers=("npu_cpp_extension.h", "op_plugin/"),
    own_headers=("op_plugin/utils/op_api_common.h", "torch_npu/csrc/core/npu/NPUStream.h"),
)


def qualify_names(unit: Unit) -> Iterator[tuple[str, int, int]]:
    """(name from the outermost namespace, first token, last token) for each name of torch_npu."""
    aliases, used = _aliases(unit)
    for name, first, last in unit.full_names():
        head, _, rest = name.partition("::")
        whole = f"{aliases[head]}::{rest}" if head in aliases else name
        if NAMES.are_of(whole):
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
    return aliases, [space for space in used if NAMES.are_of(space)]


def _name(unit: Unit, at: int) -> str:
    parts = []
    while at < len(unit.tokens) and (
        unit.tokens[at].kind is Kind.NAME or unit.tokens[at].text == "::"
    ):
        parts.append(unit.tokens[at].text)
        at += 1
    return "".join(parts).removeprefix("::")


def uses_libtorch(unit: Unit) -> bool:
    """Whether a file is of a program that is built with libtorch_npu, torch_npu's distribution for
    C++ alone: its header is in no wheel, and its library exports what that header declares."""
    headers = {header for header, _ in unit.includes}
    return LIBTORCH in headers and "torch/extension.h" not in headers
