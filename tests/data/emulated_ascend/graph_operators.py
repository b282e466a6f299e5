"""Operators of ours with converters for graph mode: right ones, and ones with one fault each."""

import torch
import torchair
from torchair.ge import attr, custom_op

library = torch.library.Library("graphs", "DEF")
AXPY = "(Tensor x, Tensor y, float alpha=1.0) -> Tensor"


def axpy(x, y, alpha=1.0):
    return x * alpha + y


def same(x, *rest, **named):
    return torch.empty_like(x)


def operator(name, run=axpy, schema=AXPY, fake=same):
    """Define one, and give the decorator for its converter."""
    library.define(name + schema)
    library.impl(name, run, "PrivateUse1")
    torch.library.register_fake(f"graphs::{name}", fake)
    overload = getattr(torch.ops.graphs, name).default
    return torchair.register_fx_node_ge_converter(overload)


def node(x, y, alpha, inputs=("x", "y"), outputs=("z",), of="AxpyCustom", attributes=None):
    attributes = attributes or {"alpha": attr.Float(alpha)}
    given = dict(zip(inputs, (x, y), strict=False))
    return custom_op(of, inputs=given, attrs=attributes, outputs=list(outputs))


# Right.


@operator("right")
def right(x, y, alpha=1.0, meta_outputs=None):
    assert meta_outputs.dtype == x.dtype
    return node(x, y, alpha)


@operator("by_position")
def by_position(x, y, alpha: float = 1.0):
    return custom_op("AxpyCustom", x, y, alpha)


@operator(
    "two_nodes",
    lambda x, y, *, alpha: (x.float() * alpha + y.float()).to(x.dtype),
    "(Tensor x, Tensor y, *, float alpha) -> Tensor",
)
def two_nodes(x, y, *, alpha, meta_outputs=None):
    x, y = (torchair.ge.Cast(each, dst_type=torchair.ge.DataType.DT_FLOAT) for each in (x, y))
    return torchair.ge.Cast(node(x, y, alpha), dst_type=meta_outputs.dtype)


@operator("pick", lambda x, bias=None: x.clone(), "(Tensor x, Tensor? bias=None) -> Tensor")
def pick(x, bias=None):
    return custom_op(
        "PickCustom",
        inputs={"x": x, "bias": bias},
        attrs={"axes": attr.ListInt([0, -1]), "keep": attr.Bool(True)},
        outputs=["y"],
    )


@operator("vendors", lambda x: torch.relu(x) * 3 - 0.5, "(Tensor x) -> Tensor")
def vendors(x):
    from torchair._ge_concrete_graph.ge_apis import Adds, Mul, Relu

    three = torchair.ge.Const(3.0, dtype=torchair.ge.DataType.DT_FLOAT)
    return Adds(Mul(Relu(x), three), value=-0.5)


@operator("refused", lambda x: torch.softmax(x, -1), "(Tensor x) -> Tensor")
def refused(x):
    from torchair._ge_concrete_graph.ge_apis import SoftmaxV2

    return SoftmaxV2(x, axes=[-1])


operator("axpy_custom")  # torchair makes its converter from the prototype

# Wrong.


@operator("meta_misnamed")
def meta_misnamed(x, y, alpha=1.0, meta_output=None):
    assert meta_output.dtype == x.dtype
    return node(x, y, alpha)


@operator("attribute_misnamed")
def attribute_misnamed(x, y, alpha=1.0):
    return node(x, y, alpha, attributes={"alpah": attr.Float(alpha)})


@operator("attribute_kind")
def attribute_kind(x, y, alpha=1.0):
    return node(x, y, alpha, attributes={"alpha": attr.Int(int(alpha))})


@operator("attribute_plain")
def attribute_plain(x, y, alpha=1.0):
    return custom_op(
        "AxpyCustom", inputs={"x": x, "y": y}, attrs={"alpha": alpha}, outputs=["z"]
    )


@operator("attribute_ignored")
def attribute_ignored(x, y, alpha=1.0):
    return custom_op("AxpyCustom", inputs={"x": x, "y": y}, outputs=["z"])


@operator("attribute_required", lambda x: x.clone(), "(Tensor x) -> Tensor")
def attribute_required(x):
    return custom_op("PickCustom", inputs={"x": x, "bias": None}, outputs=["y"])


@operator("output_misnamed")
def output_misnamed(x, y, alpha=1.0):
    return node(x, y, alpha, outputs=("out",))


@operator("output_too_many")
def output_too_many(x, y, alpha=1.0):
    return node(x, y, alpha, outputs=("z", "w"))[0]


@operator("outputs_of_two", lambda x, y: (x + y, x), "(Tensor x, Tensor y) -> (Tensor, Tensor)",
          lambda x, y: (torch.empty_like(x), torch.empty_like(x)))  # fmt: skip
def outputs_of_two(x, y):
    return node(x, y, 1.0)


@operator("input_misnamed")
def input_misnamed(x, y, alpha=1.0):
    return node(x, y, alpha, inputs=("x", "b"))


@operator("input_missing")
def input_missing(x, y, alpha=1.0):
    return node(x, y, alpha, inputs=("x",))


@operator("inputs_exchanged")
def inputs_exchanged(x, y, alpha=1.0):
    return node(y, x, alpha)


@operator("inputs_out_of_order")
def inputs_out_of_order(x, y, alpha=1.0):
    return node(y, x, alpha, inputs=("y", "x"))


@operator("optional_left_out", lambda x, bias=None: x.clone(), "(Tensor x, Tensor? bias=None) -> Tensor")  # fmt: skip
def optional_left_out(x, bias=None):
    return custom_op("PickCustom", inputs={"x": x}, attrs={"keep": attr.Bool(True)}, outputs=["y"])


@operator("unknown_operator")
def unknown_operator(x, y, alpha=1.0):
    return node(x, y, alpha, of="AxpyCustomized")


@operator("other_default")
def other_default(x, y, alpha=2.0):
    return node(x, y, alpha)


@operator("no_default")
def no_default(x, y, alpha):
    return node(x, y, alpha)


@operator("no_parameter", schema="(Tensor x, Tensor y, *, float alpha=1.0) -> Tensor")
def no_parameter(x, y):
    return node(x, y, 1.0)


@operator("wrong_type")
def wrong_type(x, y, alpha=1.0):
    return node(torchair.ge.Cast(x, dst_type=torchair.ge.DataType.DT_FLOAT16), y, alpha)


@operator("meta_type", fake=lambda x, y, alpha=1.0: torch.empty_like(x, dtype=torch.float16))
def meta_type(x, y, alpha=1.0):
    return node(x, y, alpha)


@operator("meta_shape", fake=lambda x, y, alpha=1.0: x.new_empty(x.shape[0]))
def meta_shape(x, y, alpha=1.0):
    return node(x, y, alpha)


@operator("raises")
def raises(x, y, alpha=1.0):
    return {}[alpha]
