"""Compares what an example gave under two frameworks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tests.cpp_pieces.examples import Example, Point

# Relative, of the values of a result of that dtype.
TOLERANCES = {
    **{"float64": 1e-9, "float32": 1e-5, "float16": 2e-3, "bfloat16": 1.6e-2},
    **{"complex64": 1e-5, "complex128": 1e-9},
}


def faults(example: Example, pairs: Mapping[Point, tuple[Any, Any]]) -> list[str]:
    """What is wrong with an example's answers: (torch's, Paddle's) at each point."""
    found = []
    for point, (torch, paddle) in pairs.items():
        differs = difference(example, torch, paddle, point.layout in ("contiguous", "special"))
        if differs and not example.may_differ(point):
            found.append(f"{point}: {differs}")
        if not differs and example.may_differ(point):
            found.append(f"{point}: no longer differs ({example.differs}): remove it from `where`")
    return found + _gradient_faults(example, pairs)


def _gradient_faults(example: Example, pairs: Mapping[Point, tuple[Any, Any]]) -> list[str]:
    """What is wrong with the gradients, which are told where the inputs are contiguous float64."""
    if not example.values:
        return []
    told = [
        (point, torch["gradients"], paddle["gradients"])
        for point, (torch, paddle) in pairs.items()
        if "gradients" in torch and "gradients" in paddle and not example.may_differ(point)
    ]
    found = [f"{point}: {why}" for point, a, b in told if (why := _gradients(a, b))]
    if not example.gradients:
        return found
    unneeded = f"the gradients are torch's ({example.gradients}): remove it from [gradients]"
    return [] if found or not told else [unneeded]


def difference(example: Example, torch: Any, paddle: Any, plain: bool = True) -> str:
    """The first difference, in words, or nothing.

    Strides of a new tensor are compared if the inputs are `plain`, contiguous: Paddle's kernels
    write theirs row by row, and keep no order of an input.
    """
    if "crash" in torch or "crash" in paddle:
        return f"torch {_outline(torch)}, paddle {_outline(paddle)}"
    if ("error" in torch) != ("error" in paddle):
        return f"torch {_outline(torch)}, paddle {_outline(paddle)}"
    if "error" in torch:
        same = example.errors != "type" or torch["error"] == paddle["error"]
        return "" if same else f"torch {_outline(torch)}, paddle {_outline(paddle)}"
    ours, theirs = torch["values"], paddle["values"]
    if len(ours) != len(theirs):
        return f"torch gives {_outline(torch)}, paddle {_outline(paddle)}"
    for number, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        found = _entries(example, a, b, plain)
        if found:
            return f"result {number}: {found}" if len(ours) > 1 else found
    for name, after in torch["after"].items():
        found = _tensors(
            replace(example, strides=False, aliases=False), after, paddle["after"][name]
        )
        if found and example.values:
            return f"{name} afterwards: {found}"
    return ""


def _gradients(torch: Any, paddle: Any) -> str:
    """The first input that has another gradient; one without has zeros."""
    if "unrecorded" in torch or "error" in torch:
        return ""
    if "unrecorded" in paddle and not any(
        _array(each[0], each[3]).any() for each in torch.values()
    ):
        return ""
    if "unrecorded" in paddle or "error" in paddle:
        said = paddle.get("text") or "records nothing"
        return f"gradients: torch has those of {', '.join(torch)}, paddle {_first_line(said)}"
    for name in sorted({*torch, *paddle}):
        known = [each[name] for each in (torch, paddle) if name in each]
        dtype, shape = known[0][:2]
        a, b = (
            _array(dtype, each[name][3]) if name in each else np.zeros(shape).ravel()
            for each in (torch, paddle)
        )
        if len(a) != len(b) or not np.allclose(a, b, 1e-6, 1e-6, equal_nan=True):
            return f"gradient of {name}: torch {a[:24]}, paddle {b[:24]}"
    return ""


def _entries(example: Example, torch: Any, paddle: Any, plain: bool) -> str:
    if torch[0] == paddle[0] == "tensor":
        return _tensors(example, torch, paddle, plain)
    if torch[0] != paddle[0]:
        return f"torch {_shown(torch)}, paddle {_shown(paddle)}"
    if torch[0] == "float" and example.values:
        same = _close(example, "float64", float(torch[1]), float(paddle[1]))
    else:
        same = torch[1] == paddle[1] or (torch[0] in ("int", "bool") and not example.values)
    return "" if same else f"torch {_shown(torch)}, paddle {_shown(paddle)}"


def _tensors(example: Example, torch: Any, paddle: Any, plain: bool = False) -> str:
    _, dtype, shape, strides, alias, data = torch
    for what, ours, theirs in (("dtype", dtype, paddle[1]), ("shape", shape, paddle[2])):
        if ours != theirs:
            return f"{what}: torch {ours}, paddle {theirs} ({_shown(torch)}, {_shown(paddle)})"
    if example.strides == "all" or (example.strides and (plain or alias)):
        ours, theirs = _meaningful(shape, strides), _meaningful(shape, paddle[3])
        if ours != theirs:
            return f"strides of {list(shape)}: torch {strides}, paddle {paddle[3]}"
    if example.aliases and alias != paddle[4]:
        return f"storage: torch {alias or 'its own'}, paddle {paddle[4] or 'its own'}"
    if not example.values:
        return ""
    a, b = _array(dtype, data), _array(dtype, paddle[5])
    if example.unordered:
        a, b = np.sort(a), np.sort(b)
    same = len(a) == len(b) and _close(example, dtype, a, b)
    return "" if same else f"values: torch {_shown(torch)}, paddle {_shown(paddle)}"


def _meaningful(shape: tuple[int, ...], strides: tuple[int, ...]) -> list[int]:
    """The strides that lead to another element: none for dimensions of one, or if all is empty."""
    if 0 in shape:
        return []
    return [stride for size, stride in zip(shape, strides, strict=True) if size > 1]


def _array(dtype: str, data: bytes) -> Any:
    if dtype == "bfloat16":
        return (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32)
    return np.frombuffer(data, dtype)


def _close(example: Example, dtype: str, a: Any, b: Any) -> bool:
    if dtype not in TOLERANCES:
        return np.array_equal(a, b)
    tolerance = example.tolerance if example.tolerance is not None else TOLERANCES[dtype]
    if dtype in ("float16", "bfloat16"):
        a, b = a.astype(np.float64), b.astype(np.float64)
    return bool(np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True))


def _outline(answer: Any) -> str:
    if "crash" in answer:
        return f"[{answer['crash']}]"
    if "error" in answer:
        return f"raises {answer['error']} ({_first_line(answer['text'])})"
    return "gives " + ", ".join(_shown(value) for value in answer["values"])


def _first_line(text: str) -> str:
    """That which says most: Paddle's errors begin with a trace of its C++ calls."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if "Error" in line] or lines
    return told[0][:160] if told else ""


def _shown(entry: Any) -> str:
    if entry[0] != "tensor":
        return f"{entry[0]} {entry[1]}".strip()
    values = _array(entry[1], entry[5])
    text = ", ".join(
        f"{value:g}" if value.dtype.kind == "f" else str(value) for value in values[:24]
    )
    return f"{entry[1]}{list(entry[2])} [{text}]"
