"""Names of torch that tests use, and what they are for tensors of MindSpore."""

from __future__ import annotations

HELPER = "_testing"  # the module of the plugin that has what MindSpore has not, or not on a CPU
MODULE = "torch.nn.Module"
_TYPES = {
    **{name: name for name in ("float16", "bfloat16", "float32", "float64", "uint8")},
    **{name: name for name in ("int8", "int16", "int32", "int64", "complex64", "complex128")},
    "half": "float16", "float": "float32", "double": "float64", "bool": "bool_",
    "short": "int16", "int": "int32", "long": "int64",
}  # fmt: skip
FACTORIES = (
    "tensor", "full", "zeros", "ones", "empty", "eye", "arange", "linspace", "randn", "rand",
    "randint", "randperm", "zeros_like", "ones_like", "empty_like", "full_like", "randn_like",
    "rand_like",
)  # fmt: skip
_HELPED = {
    **{name: name for name in FACTORIES},
    **{name: name for name in ("equal", "allclose", "finfo", "iinfo", "manual_seed", "no_grad")},
    "stack": "stack",
    "testing.assert_close": "assert_close",
    "testing._internal.common_utils.TestCase": "TestCase",
    "autograd.gradcheck": "gradcheck",
}
# Functions whose results in MindSpore 2.10 on a CPU were compared with those of torch.
_SAME = (
    "abs", "add", "all", "amax", "amin", "any", "atanh", "bitwise_and", "bmm", "broadcast_to",
    "cat", "ceil", "cdist", "chunk", "clamp", "clip", "concat", "cos", "cosh", "cross", "cumprod",
    "diff", "div", "eq", "erf", "erfc", "erfinv", "exp", "expm1", "flatten", "flip", "floor",
    "fmod", "gather", "ge", "gt", "hstack", "isclose", "isfinite", "isinf", "isnan", "le", "lerp",
    "log", "log1p", "logical_and", "logical_not", "logical_or", "logical_xor", "lt",
    "masked_select", "matmul", "max", "maximum", "mean", "meshgrid", "min", "minimum", "mul",
    "nan_to_num", "nansum", "narrow", "ne", "neg", "nonzero", "permute", "pow", "prod", "ravel",
    "reciprocal", "remainder", "reshape", "round", "rsqrt", "sigmoid", "sign", "sin", "sinc",
    "sinh", "softmax", "split", "sqrt", "square", "sub", "sum", "swapaxes", "tan", "tanh", "tile",
    "transpose", "triu", "trunc", "unbind", "unsqueeze", "where",
)  # fmt: skip
_SAME_FUNCTIONAL = (
    "binary_cross_entropy_with_logits", "glu", "hardsigmoid", "hardswish", "linear", "prelu",
    "relu", "sigmoid", "silu", "smooth_l1_loss", "softmax", "softplus", "softshrink", "tanh",
)  # fmt: skip
COUNTERPARTS = {
    "torch.Tensor": "mindspore.Tensor",
    MODULE: "mindspore.nn.Cell",
    "torch_npu.testing.testcase.TestCase": f"{HELPER}.TestCase",
    "torch.device": "str",  # devices are passed by name
    "torch.dtype": "mindspore.dtype.Type",
    "torch.relu": "mindspore.mint.nn.functional.relu",
    "torch.from_numpy": "mindspore.Tensor",
    **{f"torch.{name}": f"mindspore.{own}" for name, own in _TYPES.items()},
    **{f"torch.{name}": f"{HELPER}.{own}" for name, own in _HELPED.items()},
    **{f"torch.{name}": f"mindspore.mint.{name}" for name in _SAME},
    **{
        f"torch.nn.functional.{name}": f"mindspore.mint.nn.functional.{name}"
        for name in _SAME_FUNCTIONAL
    },
}
MOVES = ("cpu", "cuda", "npu")  # methods that move tensors, which MindSpore does itself
RENAMED = {"clone": ".copy()", "size": ".shape", "element_size": ".itemsize"}  # without arguments
# Members of torch's tensors that no rewriting of one place gives a meaning.
WITHOUT = (
    "backward", "grad", "grad_fn", "is_leaf", "pin_memory", "record_stream", "register_hook",
    "requires_grad", "requires_grad_", "retain_grad", "share_memory_",
)  # fmt: skip
# A plugin is for a CPU, or for the NPU that torch_npu's tests ask for.
AVAILABLE = {"torch.cuda.is_available": "False", "torch.npu.is_available": "True"}
# Statements without a meaning: MindSpore chooses the device, and waits for what is read.
NEEDLESS = tuple(
    f"torch.{device}.{name}"
    for device in ("cuda", "npu")
    for name in ("synchronize", "set_device", "empty_cache")
)
DEVICES = ("device", "is_cuda", "is_cpu", "is_npu")
