"""Record with what tests call operators that the framework itself does not have; a pytest plugin.

To the file PORTER_OPERATORS goes a line of JSON for each kind of call: `operator` (its overload,
too), `args` and `kwargs` as npu_graph.py takes them, and `grad` where a tensor wants a gradient.
Calls by C++ are seen, those of a backward among them; calls while something is compiled are not.
The last line has the `modules` of the packages PORTER_INSTALLED that were imported. Stands alone,
imports nothing of porter.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch._ops import OpOverload, OpOverloadPacket
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

KEPT = 4  # calls of one operator, each of another kind; as many that want gradients
MOST = 1 << 16  # elements of a tensor
KNOWN = set(torch._C._dispatch_get_all_op_names())  # before anything of the repository is there

# operator, with a gradient -> kinds of calls that were written
seen: dict[tuple[str, bool], set[Any]] = {}


class Unwritten(Exception):
    """An argument that no request can say."""


def argument(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return tensor(value)
    if isinstance(value, (list, tuple)):
        return [argument(each) for each in value]
    if isinstance(value, torch.dtype):
        return {"torch_type": str(value).rpartition(".")[2]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise Unwritten


def tensor(value: Any) -> dict[str, Any]:
    if type(value) not in (torch.Tensor, torch.nn.Parameter) or value.numel() > MOST:
        raise Unwritten
    found: dict[str, Any] = {
        "shape": list(value.shape),
        "type": str(value.dtype).rpartition(".")[2],
    }
    if value.requires_grad:
        found["grad"] = True
    if not (value.is_floating_point() or value.is_complex()):  # indices, lengths, masks
        found["values"] = value.detach().cpu().reshape(-1).tolist()
    return found


def kind(written: Any) -> Any:
    """What makes a call another one: not how large its tensors are, beyond one element."""
    if isinstance(written, dict) and "shape" in written:
        shape = written["shape"]
        return written["type"], len(shape), min(math.prod(shape), 2), "grad" in written
    if isinstance(written, (dict, list)):
        parts = written.values() if isinstance(written, dict) else written
        return tuple(kind(each) for each in parts)
    return type(written).__name__


def note(function: Any, args: Any, kwargs: Any) -> None:
    """Write a call, unless enough of its operator are known."""
    if isinstance(function, OpOverloadPacket):
        overloads = function.overloads()
        function = getattr(function, overloads[0]) if len(overloads) == 1 else None
    if not isinstance(function, OpOverload) or torch.compiler.is_compiling():
        return
    if function.name() in KNOWN:
        return
    try:
        found: dict[str, Any] = {
            "args": [argument(each) for each in args],
            "kwargs": {key: argument(each) for key, each in (kwargs or {}).items()},
        }
    except Unwritten:
        return
    found["operator"] = f"{function._schema.name}.{function._overloadname}"
    found["grad"] = '"grad": true' in json.dumps(found)
    known = seen.setdefault((found["operator"], found["grad"]), set())
    if len(known) < KEPT and kind(found) not in known:
        known.add(kind(found))
        write(found)


def write(line: dict[str, Any]) -> None:
    with open(os.environ["PORTER_OPERATORS"], "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def note_and_call(mode: Any, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    note(function, args, kwargs)
    return function(*args, **(kwargs or {}))


class Called(TorchFunctionMode):
    """Calls from Python, of operators without a kernel of their own below autograd, too."""

    __torch_function__ = note_and_call


class Dispatched(TorchDispatchMode):
    """Calls from C++, too."""

    __torch_dispatch__ = note_and_call


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with Called(), Dispatched():
        yield


def pytest_sessionfinish() -> None:
    packages = json.loads(os.environ.get("PORTER_INSTALLED", "[]"))
    found = [
        name
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] in packages
        and (getattr(module, "__file__", "") or "").endswith(".py")
    ]
    write({"modules": found})
