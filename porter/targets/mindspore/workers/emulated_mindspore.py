"""MindSpore on the emulated NPU: CustomOpBuilder builds what is for an NPU for the CPU, and
MindSpore's own operators, which its build for a CPU runs, take bfloat16 as those of an NPU do.

Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

# What kernels for a CPU refuse tensors of bfloat16 in: float32 holds each of their elements, and
# the result is rounded once.
FUNCTIONS = (
    "abs", "add", "amax", "amin", "argmax", "argmin", "bmm", "ceil", "clamp", "clip", "cos", "cosh",
    "cumsum", "eq", "erf", "erfc", "exp", "expm1", "floor", "fmod", "ge", "gt", "isclose",
    "isfinite", "isinf", "isnan", "le", "lerp", "log", "log1p", "logsumexp", "lt", "masked_select",
    "matmul", "max", "maximum", "mean", "min", "minimum", "nan_to_num", "ne", "nonzero", "norm",
    "pow", "prod", "reciprocal", "remainder", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh",
    "softmax", "sort", "sqrt", "square", "std", "sum", "tan", "tanh", "topk", "trunc", "var",
    "where",
)  # fmt: skip
OPERATORS = (
    "abs", "add", "eq", "ge", "getitem", "gt", "le", "lt", "matmul", "mod", "ne", "pow", "radd",
    "rmod", "rpow", "rsub", "rtruediv",
)  # fmt: skip


def actions(toolkit: str) -> dict[str, tuple[Callable[[], None], Callable[[Any], None]]]:
    """What to do before and after the import of modules."""
    folder = os.path.join(toolkit, "lib64")
    cflags = f"-include {os.path.join(toolkit, 'plugins', 'aclnn.h')}"
    ldflags = f"-L{folder} -Wl,-rpath,{folder} -lemulated_aclnn -lopapi -lascendcl"

    def replace(mindspore: Any) -> None:
        builder = mindspore.ops.CustomOpBuilder
        made = builder.__init__

        def make(self: Any, *args: Any, **options: Any) -> None:
            given = dict(zip(("name", "sources", "backend", "include_paths"), args, strict=False))
            given |= dict(zip(("cflags", "ldflags"), args[4:], strict=False)) | options
            if given.get("backend") == "Ascend":
                given["backend"] = "CPU"
                for key, own in (("cflags", cflags), ("ldflags", ldflags)):
                    given[key] = f"{given.get(key) or ''} {own}".strip()
            made(self, **given)

        builder.__init__ = make
        # on a CPU, MindSpore's own operators do not wait for what plugins run
        mindspore.runtime.launch_blocking()
        widen(mindspore)

    return {"mindspore": (lambda: None, replace)}


def widen(mindspore: Any) -> None:
    """Have functions and methods compute tensors of bfloat16 in float32."""
    methods = [*FUNCTIONS, *(f"__{name}__" for name in OPERATORS)]
    for owner, names in ((mindspore.mint, FUNCTIONS), (mindspore.Tensor, methods)):
        for name in names:
            if (own := getattr(owner, name, None)) is not None:
                setattr(owner, name, _by_float32(mindspore, own))


def _by_float32(mindspore: Any, own: Callable[..., Any]) -> Callable[..., Any]:
    narrow = mindspore.bfloat16

    def is_narrow(value: Any) -> bool:
        return isinstance(value, mindspore.Tensor) and value.dtype == narrow

    def is_wide(value: Any) -> bool:
        return isinstance(value, mindspore.Tensor) and value.dtype == mindspore.float32

    @functools.wraps(own)
    def call(*args: Any, **options: Any) -> Any:
        tensors = [each for each in _flat((args, options)) if isinstance(each, mindspore.Tensor)]
        if not any(map(is_narrow, tensors)):
            return own(*args, **options)
        args, options = _map(lambda v: v.float() if is_narrow(v) else v, (args, options))
        result = own(*args, **options)
        others = {each.dtype for each in tensors} & {mindspore.float32, mindspore.float64}
        if others or "dtype" in options:
            return result
        return _map(lambda v: v.astype(narrow) if is_wide(v) else v, result)

    return call


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = (*value.values(),)
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _flat(each)
    else:
        yield value


def _map(change: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _map(change, each) for key, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_map(change, each) for each in value)
    return change(value)
