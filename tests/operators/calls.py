"""Calls of operators as data: what both frameworks make their arguments of, and how answers are
written down. Imports no framework: `torch` is handed in, the real one or Paddle's proxy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

# Larger tensors say no more of a meaning than smaller ones.
LARGEST = 5000  # elements
DTYPES = ("float32", "float64", "int64", "bool", "complex64", "float16", "bfloat16")
ERRORS = "errors"  # in the place of a dtype: calls that torch refuses
METHOD = "torch.Tensor."
ATTRIBUTE = ".__get__"
LAYER = ".forward"  # a layer is made, given its state, and called


# Of torch, outputs and leaves: gradients.
Gradients = Callable[[Any, list[Any], list[Any]], list[Any]]


class LeftOut(Exception):
    """Something that cannot be written down; the message says what."""


@dataclass(frozen=True)
class Array:
    """A tensor. bfloat16 is held as float32, with the same values."""

    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    grad: bool
    values: Any


@dataclass(frozen=True)
class Named:
    """A member of torch: a dtype, a memory format, a device."""

    kind: str
    name: str


@dataclass(frozen=True)
class Answer:
    """What a call gives; or the type of its error. Values that are free need not be the same."""

    value: Any = None
    error: str = ""
    free: bool = False
    grads: list[Any] | None = None


@dataclass(frozen=True)
class Sample:
    """Arguments, and what each form of the call (`torch.add`, `torch.Tensor.add`) gives."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    answers: dict[str, Answer]


@dataclass
class Entry:
    """An entry of torch's database: its samples by dtype, and how many were left out, and why."""

    name: str
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)


def write(value: Any, torch: Any) -> Any:
    """A value of a framework as data. Raises LeftOut."""
    if isinstance(value, torch.Tensor):
        return _write_tensor(value, torch)
    if isinstance(value, torch.Size):
        return Named("Size", repr(tuple(value)))
    if isinstance(value, torch.dtype | torch.device | torch.layout | torch.memory_format):
        return Named(type(value).__name__, str(value).rpartition(".")[2])
    if isinstance(value, list | tuple):
        inner = [write(item, torch) for item in value]
        return inner if isinstance(value, list) else tuple(inner)
    if isinstance(value, dict):
        return {key: write(item, torch) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(*(write(at, torch) for at in (value.start, value.stop, value.step)))
    if isinstance(value, bool | int | float | complex | str | None | type(Ellipsis)):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return value
    raise LeftOut(f"a {type(value).__name__}")


def _write_tensor(value: Any, torch: Any) -> Array:
    if value.layout != torch.strided:
        raise LeftOut("a sparse tensor")
    if value.numel() > LARGEST:
        raise LeftOut(f"a tensor of more than {LARGEST} elements")
    dtype = str(value.dtype).rpartition(".")[2]
    plain = value.detach()
    for name in ("resolve_conj", "resolve_neg"):  # numpy has no views of that kind
        plain = getattr(plain, name)() if hasattr(plain, name) else plain
    try:
        values = (plain.to(torch.float32) if dtype == "bfloat16" else plain.cpu()).numpy()
    except (TypeError, RuntimeError) as error:
        raise LeftOut(f"a tensor of {dtype}") from error
    shape, strides = tuple(map(int, value.shape)), tuple(map(int, value.stride()))
    return Array(dtype, shape, strides, bool(value.requires_grad), np.array(values))


def read(value: Any, torch: Any, leaves: list[Any]) -> Any:
    """A value as a framework has it; tensors that need a gradient are added to `leaves`."""
    if isinstance(value, Array):
        return _read_tensor(value, torch, leaves)
    if isinstance(value, Named):
        if value.kind == "Size":
            return torch.Size(eval(value.name))
        return torch.device(value.name) if value.kind == "device" else getattr(torch, value.name)
    if isinstance(value, list | tuple):
        return type(value)(read(item, torch, leaves) for item in value)
    if isinstance(value, dict):
        return {key: read(item, torch, leaves) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(*(read(at, torch, leaves) for at in (value.start, value.stop, value.step)))
    return value


def _read_tensor(value: Array, torch: Any, leaves: list[Any]) -> Any:
    values, strides = value.values, tuple(value.strides)
    if strides == contiguous(value.shape) or not values.size:
        made = torch.tensor(np.ascontiguousarray(values).reshape(value.shape))
    else:  # the memory that it lies in
        length = 1 + sum((n - 1) * step for n, step in zip(value.shape, strides, strict=True))
        memory = np.zeros(length, values.dtype)
        steps = [step * memory.itemsize for step in strides]
        np.lib.stride_tricks.as_strided(memory, value.shape, steps)[...] = values
        made = torch.tensor(memory)
    if value.dtype == "bfloat16":
        made = made.to(torch.bfloat16)
    if made.dim() != len(value.shape) or (tuple(made.stride()) != strides and values.size):
        made = torch.as_strided(made, value.shape, strides)
    if value.grad:
        made.requires_grad_()
        leaves.append(made)
    return made


def contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a tensor whose elements lie row by row."""
    strides = [1]
    for length in reversed(shape[1:]):
        strides.insert(0, strides[0] * max(length, 1))
    return tuple(strides[: len(shape)])


def find(torch: Any, name: str) -> Any:
    """What has a name; raises AttributeError."""
    here = torch
    for word in name.split(".")[1:]:
        here = here if word == "torch" else getattr(here, word)  # aliases are named in full
    return here


def call_layer(
    layer_type: Any, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]
) -> Any:
    """A layer's attributes, the names of its state, and what it gives.

    `args` are the constructor's arguments and keywords, whether the layer is trained, the names of
    its attributes, its state, and the inputs; its parameters join the `leaves`.
    """
    positional, keywords, training, attributes, state, *inputs = args
    layer = layer_type(*positional, **keywords).train(training)
    has = [(name, getattr(layer, name)) for name in attributes if hasattr(layer, name)]
    names = [*layer.state_dict()]
    layer.load_state_dict(state)
    leaves += [parameter for _, parameter in layer.named_parameters()]
    return has, names, layer(*inputs, **kwargs)


def invoke(
    torch: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]
) -> Any:
    """Call a function, a method of the first argument, or a layer, by its name."""
    if name.endswith(LAYER):
        return call_layer(find(torch, name.removesuffix(LAYER)), args, kwargs, leaves)
    if not name.startswith(METHOD):
        return find(torch, name)(*args, **kwargs)
    method = name.removeprefix(METHOD)
    if method.endswith(ATTRIBUTE):
        return getattr(args[0], method.removesuffix(ATTRIBUTE))
    return getattr(args[0], method)(*args[1:], **kwargs)


def answer(torch: Any, name: str, sample: Sample, gradients: Gradients | None) -> Answer:
    """What a call of a sample gives: its value, and the gradients of what needs one.

    An error is that of the call or of its gradients, and is raised. Raises LeftOut.
    """
    leaves: list[Any] = []
    args = read(sample.args, torch, leaves)
    kwargs = read(sample.kwargs, torch, leaves)
    value = invoke(torch, name, args, kwargs, leaves)
    # Before the gradients: what follows of a result is no matter of theirs.
    said = Answer(write(value, torch))
    if gradients is None or not leaves:
        return said
    outputs = [each for each in tensors(value, torch) if each.requires_grad]
    if not outputs:
        return said
    try:
        given = gradients(torch, outputs, leaves)
        return replace(said, grads=[write(each, torch) for each in given])
    except Exception as error:
        return replace(said, grads=None, error=f"gradient: {type(error).__name__}: {error}")


def first_gradients(torch: Any, outputs: list[Any], leaves: list[Any]) -> list[Any]:
    """The gradients of the leaves, None where there is none."""
    ways = [direction(each, torch) for each in outputs]
    return list(torch.autograd.grad(outputs, leaves, ways, allow_unused=True))


def tensors(value: Any, torch: Any) -> Iterator[Any]:
    """The tensors in a result."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tensors(item, torch)


def direction(output: Any, torch: Any) -> Any:
    """The gradient of the output that gradients are taken of: exact in each dtype."""
    count = int(output.numel())
    values = (np.arange(count) * 7 % 11 - 5) / 4
    dtype = str(output.dtype).rpartition(".")[2]
    if dtype.startswith("complex"):
        values = values + 1j * values[::-1]
    made = torch.tensor(values).to(getattr(torch, dtype))
    return made.reshape(tuple(map(int, output.shape)))


def without_grad(value: Any) -> Any:
    """The arguments, none of which needs a gradient: for calls in place."""
    if isinstance(value, Array):
        return replace(value, grad=False)
    if isinstance(value, list | tuple):
        return type(value)(map(without_grad, value))
    if isinstance(value, dict):
        return {key: without_grad(item) for key, item in value.items()}
    return value
