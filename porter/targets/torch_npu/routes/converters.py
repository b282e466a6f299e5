"""Converters for torchair's graphs: an operator of torch's as a node of a package's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from porter.targets.torch_npu.routes.package import Definition
from porter.targets.torch_npu.routes.schema import Schema

_MARK = b"register_fx_node_ge_converter"
_TEXT = """

@torchair.register_fx_node_ge_converter(torch.ops.{space}.{operator}.default)
def convert_{operator}({parameters}):
    return torchair.ge.custom_op(
        "{name}",
        inputs={{{inputs}}},
        outputs=[{outputs}],{attributes}
    )
"""


def place(tree: Mapping[str, bytes], space: str) -> str | None:
    """The file that has the converters of an operator's namespace, else the only one."""
    files = sorted(p for p in tree if p.endswith(".py") and _MARK in tree[p])
    own = [p for p in files if f"torch.ops.{space}.".encode() in tree[p]]
    found = [p for p in own or files if b"import torchair\n" in tree[p]]
    return found[0] if len(found) == 1 else None


def text(
    space: str, read: Schema, made: Definition, given: Sequence[str], defaults: Mapping[str, str]
) -> str:
    """A converter; `given` are the schema's arguments that are the inputs, then the attributes."""
    inputs = dict(zip((each.name for each in made.inputs), given, strict=False))
    numbers = given[len(made.inputs) :]
    attributes = ", ".join(
        f'"{a.name}": torchair.ge.attr.{a.kind}({value})'
        for a, value in zip(made.attributes, numbers, strict=True)
    )
    parameters = [
        f"{a.name}={defaults[a.name]}" if a.name in defaults else a.name for a in read.arguments
    ]
    return _TEXT.format(
        space=space,
        operator=read.name,
        parameters=", ".join([*parameters, "meta_outputs=None"]),
        name=made.name,
        inputs=", ".join(f'"{name}": {value}' for name, value in inputs.items()),
        outputs=", ".join(f'"{each.name}"' for each in made.outputs),
        attributes=f"\n        attrs={{{attributes}}}," if attributes else "",
    )
