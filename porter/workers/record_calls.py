"""Record how a repository's tests call its operators under torch; stands alone, a pytest plugin.

To the file PORTER_CALLS goes a line of JSON for each kind of call that returned: `call` as parity
cases name it, `args`, `kwargs` as they stand in a file of cases, read back as JSON, and `left_out`
where a case cannot say them. Recorded are operators of torch.ops that are not torch's own,
functions of native modules, and functions of the packages PORTER_INSTALLED that tests call.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import math
import os
import types
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader
from types import ModuleType
from typing import Any

import torch
from torch._ops import OpOverload, OpOverloadPacket

KEPT = 6  # calls of one function, each of another kind
GIVEN = 64  # integers up to which they are written one by one
MOST = 1 << 20  # elements of a tensor that a case makes
TORCHS = {"aten", "prim", "prims", "quantized", "c10d", "c10d_functional", "_c10d_functional"}
PACKAGES = set(json.loads(os.environ.get("PORTER_INSTALLED", "[]")))
FLOATING = ("float64", "float32", "float16", "bfloat16")
KNOWN = (*FLOATING, "int64", "int32", "int16", "int8", "uint8", "bool", "complex64", "complex128")

seen: dict[str, set[str]] = {}  # call -> kinds of calls that were written
originals: dict[int, Any] = {}  # id of a recorder -> the function
depth = 0  # of functions of the packages that are being called


class LeftOut(Exception):
    """No case can say this argument."""


# ------------------------------------------------------------------- arguments


def argument(value: Any) -> Any:
    if value is None:
        return {"none": True}
    if isinstance(value, (bool, int, float, str)):
        if isinstance(value, float) and not math.isfinite(value):
            return {"number": str(value)}  # JSON has none
        return value
    if isinstance(value, torch.Tensor):
        return tensor(value)
    if isinstance(value, (list, tuple)):
        return [argument(each) for each in value]
    if isinstance(value, torch.dtype):
        return {"torch": str(value).rpartition(".")[2]}
    if isinstance(value, torch.device) and value.type == "cpu":
        return {"device": True}
    raise LeftOut(f"an argument is a {type(value).__name__}")


def tensor(value: Any) -> dict[str, Any]:
    dtype = str(value.dtype).rpartition(".")[2]
    if type(value) not in (torch.Tensor, torch.nn.Parameter) or value.layout is not torch.strided:
        raise LeftOut(f"a tensor is a {type(value).__name__}, {value.layout}")
    if dtype not in KNOWN or value.numel() > MOST or value.device.type != "cpu":
        raise LeftOut(f"a tensor of {value.numel()} {dtype} on {value.device.type}")
    plain = value.detach()
    found: dict[str, Any] = {"shape": list(plain.shape), "dtype": dtype, "layout": layout(plain)}
    if value.requires_grad and dtype in FLOATING:
        found["grad"] = True
    if not plain.numel() or (dtype == "bool" and plain.numel() > GIVEN):
        return found
    if not (plain.is_floating_point() or plain.is_complex()):
        if plain.numel() <= GIVEN:
            return {k: v for k, v in found.items() if k != "shape"} | {"values": plain.tolist()}
        steps = plain.reshape(-1).diff()
        if bool((steps >= 0).all()) and bool((steps > 0).any()):
            raise LeftOut(f"{plain.numel()} integers in order")
        return found | {"low": int(plain.min()), "high": int(plain.max()) + 1}
    real = torch.view_as_real(plain) if plain.is_complex() else plain
    finite = real[torch.isfinite(real)].double()
    if not finite.numel():
        raise LeftOut("a tensor without a finite number")
    low, high = (float(f"{float(end):.4g}") for end in (finite.min(), finite.max()))
    return found | {"low": min(low, high), "high": max(low, high)}


def layout(value: Any) -> str:
    if value.is_contiguous():
        return "contiguous"
    if value.dim() > 1 and value.transpose(-1, -2).is_contiguous():
        return "transposed"
    return "expanded" if value.dim() and value.stride(0) == 0 else "sliced"


def kind(written: Any) -> tuple[Any, ...]:
    """What makes a call another one: not how large its tensors are, nor their numbers."""
    if isinstance(written, dict) and "layout" in written:
        rank = len(written["shape"]) if "shape" in written else -1
        empty = 0 in written.get("shape", ())
        return rank, empty, *(written.get(key) for key in ("dtype", "layout", "grad"))
    if isinstance(written, dict):
        return tuple(sorted((key, kind(each)) for key, each in written.items()))
    if isinstance(written, list):
        return tuple(map(kind, written[:4]))
    return type(written).__name__, written if isinstance(written, (bool, str)) else None


# ------------------------------------------------------------------- recording


def write_call(call: str, args: Any, kwargs: Any) -> tuple[str, dict[str, Any]] | None:
    """What to write of a call before it is made; None where enough of its kind is known."""
    known = seen.setdefault(call, set())
    if len(known) >= KEPT:
        return None
    try:
        found = {
            "args": [argument(each) for each in args],
            "kwargs": {key: argument(each) for key, each in kwargs.items()},
        }
    except LeftOut as why:
        found = {"left_out": str(why)}
    except Exception as error:  # of the recording: no error of the test
        found = {"left_out": f"it could not be recorded: {error!r}"}
    if "left_out" not in found and '"layout"' not in json.dumps(found):
        return None  # no tensor among the arguments
    key = repr(kind(found))
    return None if key in known else (key, {"call": call, **found})


def keep(call: str, key: str, found: dict[str, Any], grad: bool) -> None:
    if key in seen[call] or len(seen[call]) >= KEPT:
        return
    seen[call].add(key)
    with open(os.environ["PORTER_CALLS"], "a", encoding="utf-8") as file:
        file.write(json.dumps(found if grad else drop_gradients(found)) + "\n")


def differentiable(result: Any) -> bool:
    if isinstance(result, (list, tuple)):
        return any(map(differentiable, result))
    return isinstance(result, torch.Tensor) and result.requires_grad


def drop_gradients(found: Any) -> Any:
    if isinstance(found, list):
        return [drop_gradients(each) for each in found]
    if not isinstance(found, dict):
        return found
    tensor = "layout" in found
    return {k: drop_gradients(v) for k, v in found.items() if not (tensor and k == "grad")}


def make_recorder(function: Callable[..., Any], call: str) -> Callable[..., Any]:
    """The function, its calls written once they have returned."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with torch.no_grad():
            found = write_call(call, args, kwargs)
        result = function(*args, **kwargs)
        if found is not None:
            keep(call, *found, differentiable(result))
        return result

    return wrapper


def outermost(function: Callable[..., Any], call: str) -> Callable[..., Any]:
    """As `recorded`, but for calls that other such functions make."""
    inner = make_recorder(function, call)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        global depth
        depth += 1
        try:
            return (inner if depth == 1 else function)(*args, **kwargs)
        finally:
            depth -= 1

    return wrapper


# -------------------------------------------------------------------- watching


def watch_operators() -> None:
    """Every operator that goes by torch.ops, whoever bound it and when."""

    def watch(cls: Any, name: Callable[[Any], str]) -> None:
        made = cls.__call__

        @functools.wraps(made)
        def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
            space, _, operator = name(self).partition("::")
            if space in TORCHS or torch.compiler.is_compiling():
                return made(self, *args, **kwargs)
            call = f"torch.ops.{space}.{operator}"
            return make_recorder(functools.partial(made, self), call)(*args, **kwargs)

        cls.__call__ = wrapper

    watch(OpOverloadPacket, lambda op: op._qualified_op_name)
    watch(OpOverload, lambda op: op._schema.name)


def watch_native_modules() -> None:
    """Functions of native modules of the packages, before anybody can bind them."""
    execute = ExtensionFileLoader.exec_module

    def exec_module(self: ExtensionFileLoader, module: ModuleType) -> None:
        execute(self, module)
        if module.__name__.partition(".")[0] not in PACKAGES | standing_alone(module):
            return
        for name, value in list(vars(module).items()):
            if isinstance(value, types.BuiltinFunctionType) and not name.startswith("__"):
                with contextlib.suppress(AttributeError, TypeError):
                    setattr(module, name, make_recorder(value, f"{module.__name__}:{name}"))

    setattr(ExtensionFileLoader, "exec_module", exec_module)  # noqa: B010 - a method of others


def standing_alone(module: ModuleType) -> set[str]:
    """An extension made with pybind11 that is in no package."""
    owners = (type(getattr(each, "__self__", None)).__name__ for each in vars(module).values())
    made = any(owner.startswith(("PyCapsule", "pybind11")) for owner in owners)
    return {module.__name__} if made and "." not in module.__name__ else set()


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """The packages' functions, where test modules have them or their modules."""
    done: dict[int, tuple[Any, Any]] = {}  # id of a function and of its recorder -> both
    found = (getattr(item, "module", None) for item in items)
    for module in {id(each): each for each in found if each is not None}.values():
        for name, value in list(vars(module).items()):
            if isinstance(value, types.FunctionType):
                setattr(module, name, wrap(value, done))
            elif isinstance(value, types.ModuleType) and own(value.__name__):
                for inner, function in list(vars(value).items()):
                    if isinstance(function, types.FunctionType) and not inner.startswith("_"):
                        setattr(value, inner, wrap(function, done))


def wrap(function: Any, done: dict[int, tuple[Any, Any]]) -> Any:
    if id(function) in done:
        return done[id(function)][1]
    name, path = getattr(function, "__module__", "") or "", function.__qualname__
    if not own(name) or "<locals>" in path or not is_importable(name, path, function):
        return function
    recorder = outermost(function, f"{name}:{path}")
    done[id(function)] = done[id(recorder)] = (function, recorder)
    originals[id(recorder)] = function
    return recorder


def watch_scripts() -> None:
    """The compiler of TorchScript reads functions themselves, and their globals."""
    made = torch.jit.script

    @functools.wraps(made)
    def script(obj: Any, *args: Any, **kwargs: Any) -> Any:
        return made(originals.get(id(obj), obj), *args, **kwargs)

    torch.jit.script = script


def own(name: str) -> bool:
    return name.partition(".")[0] in PACKAGES


def is_importable(module: str, path: str, function: object) -> bool:
    try:
        return (
            functools.reduce(getattr, path.split("."), importlib.import_module(module)) is function
        )
    except (ImportError, AttributeError):
        return False


if "PORTER_CALLS" in os.environ:
    watch_operators()
    watch_native_modules()
    watch_scripts()
