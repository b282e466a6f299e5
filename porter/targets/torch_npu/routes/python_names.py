"""Python that names an operator, where it gets another name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from porter.languages import python
from porter.languages.edits import splice
from porter.languages.python import Module
from porter.model import Edit

_OPS = "torch.ops."


def rename(path: str, data: bytes, names: Mapping[str, str]) -> bytes:
    """A file that says `b::y` and `torch.ops.b.y` for `a::x` and `torch.ops.a.x`."""
    spaces = {name.partition("::")[0].encode() for name in names}
    if not any(space in data for space in spaces):
        return data
    try:
        module = python.parse(data, path)
    except python.Unreadable:
        return data
    return splice(data, {*_strings(module, names), *_attributes(module, names)})


def _strings(module: Module, names: Mapping[str, str]) -> Iterator[Edit]:
    for node in module.nodes_of(ast.Constant):
        if isinstance(node.value, str) and "::" in node.value:
            name, dot, overload = node.value.partition(".")
            if name in names:
                quote = module.text(node)[-1]
                yield module.replace(node, f"{quote}{names[name]}{dot}{overload}{quote}")


def _attributes(module: Module, names: Mapping[str, str]) -> Iterator[Edit]:
    for used in module.names:
        node, name = used.node, used.qualified
        while isinstance(node, ast.Attribute) and name.startswith(_OPS):
            full = name.removeprefix(_OPS).replace(".", "::")
            if full in names:
                head, _, space = module.text(node.value).rpartition(".")
                whole = head.endswith("ops") and space == full.partition("::")[0]
                head = head if whole else "torch.ops"  # it was by a name for the namespace
                yield module.replace(node, f"{head}.{names[full].replace('::', '.')}")
                break
            node, name = node.value, name.rpartition(".")[0]
