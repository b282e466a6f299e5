"""What parity cases use of torch, made of MindSpore: tensors, their layouts, one call's gradients.

Run as the prelude of a process that has a plugin. `import torch` then means this, `import ops` the
plugin `ops_ms`, and `torch.ops.any.f` the operator `f` of the plugin. No operator of torch is here.
Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import glob
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from ctypes import CDLL
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

SUFFIX = "_ms"
FLOATING = ("float64", "float32", "float16", "bfloat16")
NAMES = (*FLOATING, "int64", "int32", "int16", "int8", "uint8", "bool", "complex64", "complex128")


class dtype:
    """A type of elements."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


DTYPES = {name: dtype(name) for name in NAMES}


class Tensor:
    """A tensor of MindSpore by torch's methods."""

    def __init__(self, own: Any) -> None:
        self.own = own
        self.requires_grad = False
        self.grad: Tensor | None = None
        self.call: Call | None = None  # that it is a result of
        self.place = 0  # among its results

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.own.shape)

    @property
    def dtype(self) -> dtype:
        name = str(self.own.dtype).lower().rpartition(".")[2]
        return DTYPES["bool" if name == "bool_" else name]

    @property
    def device(self) -> str:
        return os.environ.get("PORTER_DEVICE", "cpu")

    def stride(self) -> tuple[int, ...]:
        return tuple(self.own.stride())

    def data_ptr(self) -> int:
        return int(self.own.data_ptr())

    def element_size(self) -> int:
        return int(self.own.itemsize)

    def requires_grad_(self, wanted: bool = True) -> Tensor:
        self.requires_grad = wanted
        return self

    def detach(self) -> Tensor:
        return Tensor(self.own)

    cpu = detach

    def contiguous(self) -> Tensor:
        return Tensor(self.own.contiguous())

    def to(self, where: str | dtype) -> Tensor:
        """The tensor of another type; there is one device only."""
        if isinstance(where, str):
            return self
        return Tensor(self.own.astype(getattr(MINDSPORE, where.name)))

    def view(self, kind: dtype) -> Tensor:
        """The bits of bfloat16 as integers, and back."""
        if kind is DTYPES["bfloat16"]:
            bits = self.own.asnumpy().view(np.uint16).astype(np.uint32) << 16
            return Tensor(MINDSPORE.Tensor(bits.view(np.float32), MINDSPORE.bfloat16))
        return Tensor(MINDSPORE.Tensor(self.own.asnumpy().view(np.int16)))

    def transpose(self, first: int, second: int) -> Tensor:
        return Tensor(MINDSPORE.mint.transpose(self.own, first, second))

    def __getitem__(self, index: Any) -> Tensor:
        return Tensor(self.own[index])

    def numpy(self) -> Any:
        return self.own.contiguous().asnumpy()


class Call:
    """A call of the plugin, whose results may be differentiated."""

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], named: Any) -> None:
        self.function = function
        self.names = [*named]
        self.args = [*args, *named.values()]

    def run(self, given: Sequence[Any]) -> Any:
        first = len(given) - len(self.names)
        return self.function(*given[:first], **dict(zip(self.names, given[first:], strict=True)))

    def result(self) -> Any:
        """What it gives, as tensors of this module that know their call."""
        found: list[Tensor] = []
        result = wrap(self.run(unwrap(self.args)), found)
        differentiable = any(isinstance(a, Tensor) and a.requires_grad for a in self.args)
        for place, tensor in enumerate(found):
            tensor.call, tensor.place = self, place
            tensor.requires_grad = differentiable and tensor.dtype.name in FLOATING
        return result

    def backward(self, places: Sequence[int], cotangents: Sequence[Tensor]) -> None:
        """Give each argument that asks for it its gradient."""
        wanted = [n for n, a in enumerate(self.args) if isinstance(a, Tensor) and a.requires_grad]

        def function(*inputs: Any) -> Any:
            given = unwrap(self.args)
            for n, value in zip(wanted, inputs, strict=True):
                given[n] = value
            found: list[Tensor] = []
            wrap(self.run(given), found)
            return one_or_all([found[place].own for place in places])

        function.__module__ = "torch"  # MindSpore asks for it, and a prelude has no name
        derive = MINDSPORE.ops.GradOperation(get_all=True, sens_param=True)(function)
        inputs = [self.args[n].own for n in wanted]
        gradients = derive(*inputs, one_or_all([each.own for each in cotangents]))
        for n, gradient in zip(wanted, gradients, strict=True):
            self.args[n].grad = Tensor(gradient)


def one_or_all(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else tuple(values)


def unwrap(value: Any) -> Any:
    """An argument as MindSpore has it."""
    if isinstance(value, (list, tuple)):
        return type(value)(unwrap(each) for each in value)
    if isinstance(value, dtype):
        return getattr(MINDSPORE, value.name)
    return value.own if isinstance(value, Tensor) else value


def wrap(value: Any, found: list[Tensor]) -> Any:
    """A result as torch has it; its tensors are added to those that were found."""
    if isinstance(value, (list, tuple)):
        return type(value)(wrap(each, found) for each in value)
    if isinstance(value, MINDSPORE.Tensor):
        found.append(Tensor(value))
        return found[-1]
    return value


def take(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the plugin for tensors of this module."""
    return lambda *args, **named: Call(function, args, named).result()


class Package(ModuleType):
    """A package of torch operators by the plugin that was made of it."""

    plugin: ModuleType

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return take(getattr(self.plugin, name))


class Namespace:
    """torch.ops.any: the operators of all plugins."""

    def __getattr__(self, name: str) -> Any:
        for plugin in plugins():
            operators = importlib.import_module(f"{plugin}{SUFFIX}._custom_ops")
            if hasattr(operators, name):
                return take(getattr(operators, name))
        raise AttributeError(f"no plugin has an operator {name}")


class Finder:
    """Finds torch, and packages that there are plugins of."""

    def find_spec(self, name: str, path: Any = None, target: object = None) -> ModuleSpec | None:
        known = name == "torch" or name in plugins()
        return ModuleSpec(name, self) if known else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return make_torch() if spec.name == "torch" else Package(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        if isinstance(module, Package):
            module.plugin = importlib.import_module(module.__name__ + SUFFIX)


def plugins() -> list[str]:
    """The packages that there are plugins of, in the folders of installed ones."""
    pattern = os.path.join("*" + SUFFIX, "_custom_ops.py")
    found = (path for folder in sys.path if folder for path in glob.glob(pattern, root_dir=folder))
    return [os.path.dirname(path).removesuffix(SUFFIX) for path in found]


def backward(results: Sequence[Tensor], cotangents: Sequence[Tensor]) -> None:
    (call,) = {result.call for result in results}
    assert call is not None
    call.backward([result.place for result in results], cotangents)


def as_strided(tensor: Tensor, shape: Sequence[int], strides: Sequence[int]) -> Tensor:
    from mindspore.ops.auto_generate import as_strided as make

    return Tensor(make(tensor.own, tuple(shape), tuple(strides), 0))


def make_torch() -> ModuleType:
    """The module; MindSpore is imported here, as few processes that have this need it."""
    global MINDSPORE
    import mindspore

    MINDSPORE = mindspore
    module: Any = ModuleType("torch")
    device = SimpleNamespace(is_available=lambda: True)
    vars(module).update(DTYPES, Tensor=Tensor, dtype=dtype, as_strided=as_strided)
    module.from_numpy = lambda array: Tensor(mindspore.Tensor(array))
    module.manual_seed = mindspore.set_seed
    module.autograd = SimpleNamespace(backward=backward)
    ops = {"__getattr__": lambda self, name: Namespace(), "load_library": staticmethod(CDLL)}
    module.ops = type("Ops", (), ops)()
    setattr(module, os.environ.get("PORTER_DEVICE", "cpu"), device)
    return module


MINDSPORE: Any = None
sys.meta_path.insert(0, Finder())  # type: ignore[arg-type]
