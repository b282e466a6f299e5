"""Write down torch's samples of its operators and what it answers, an entry a file.

Run by an interpreter that has torch and expecttest: `python -m tests.operators.recording samples
FOLDER [NAME ...]`. What is there is kept. With `variants` in the place of `samples` it writes down
calls that the database does not make: see `varied`; with `seconds` second gradients in the place of
first ones; with `layers` the calls of the database of layers.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"

import contextlib
import functools
import gzip
import itertools
import pickle
import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode, resolve_name
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db
from torch.testing._internal.opinfo.core import SampleInput

from tests.operators.calls import (
    DTYPES,
    ERRORS,
    LAYER,
    METHOD,
    Answer,
    Entry,
    Gradients,
    LeftOut,
    Sample,
    answer,
    find,
    first_gradients,
    without_grad,
    write,
)
from tests.operators.seconds import second_gradients

SEED = 26
INTERNAL = ("jiterator",)  # for CUDA alone
VARIED = 40  # samples of an entry that variants are made of
LARGER = 50  # times
UNSET = ("empty",)  # results are memory as it is
GRADIENTS = {"seconds": second_gradients}
IN = {
    "variants": DTYPES[:1],
    "seconds": ("float64", "complex64"),
}  # dtypes; of all others every one


class Calls(TorchFunctionMode):
    """The functions of torch that a wrapper of the database calls."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        name = resolve_name(func) or getattr(func, "__name__", "")
        # Attributes such as `dtype` are asked for on the way.
        tensor = name.endswith(("T.__get__", "H.__get__")) or not name.endswith("__get__")
        if tensor and not name.endswith(("__set__", "requires_grad_", "manual_seed")):
            self.seen.append((name, args, dict(kwargs or {})))
        return func(*args, **(kwargs or {}))


def forms(op: Any) -> list[str]:
    """The names by which an operator is called without a wrapper of the database."""
    found = []
    for name in (op.name, *(alias.name for alias in op.aliases)):
        function = getattr(torch.Tensor, name, None) if name.startswith("__") else _function(name)
        first = name == op.name
        if function is not None and (not first or function is op.op):
            found.append(METHOD + name if name.startswith("__") else f"torch.{name}")
        if not found:
            return []
        last = name.rpartition(".")[2]
        if op.method_variant and hasattr(torch.Tensor, last):
            found.append(METHOD + last)
        if op.inplace_variant and hasattr(torch.Tensor, f"{last}_"):
            found.append(f"{METHOD}{last}_")
    return list(dict.fromkeys(found))


def _function(name: str) -> Any:
    try:
        return find(torch, f"torch.{name}")
    except AttributeError:
        return None


def calls_of(op: Any, sample: Any) -> Iterator[tuple[list[str], tuple[Any, ...], dict[str, Any]]]:
    """(names of one meaning, arguments, keywords) of each call that a sample makes."""
    names = forms(op)
    args, kwargs = (sample.input, *sample.args), sample.kwargs
    if names:
        yield names, args, kwargs
        return
    wrapped = op.op
    if isinstance(wrapped, functools.partial):
        args, kwargs = (*args, *wrapped.args), {**wrapped.keywords, **kwargs}
    with Calls() as seen:
        op.op(sample.input, *sample.args, **sample.kwargs)
    last = op.name.rpartition(".")[2]
    meant = [call for call in seen.seen if last in call[0].split(".")] or seen.seen[-1:]
    for name, args, kwargs in meant:
        if not name:
            raise LeftOut("a function without a name")
        yield [name], args, kwargs


def recorded(op: Any, name: str, sample: Sample, gradients: Gradients | None) -> Answer:
    """What torch answers to a call; free where it took random numbers. Raises LeftOut."""
    torch.manual_seed(SEED)
    before = torch.random.get_rng_state()
    try:
        said = answer(torch, name, sample, gradients)
    except LeftOut:
        raise
    except Exception as error:
        return Answer(error=type(error).__name__)
    drawn = not torch.equal(before, torch.random.get_rng_state())
    free = drawn or any(word in op.name for word in UNSET)
    return replace(said, free=free, grads=None if free else said.grads)


def varied(op: Any, made: Iterator[Any]) -> Iterator[Any]:
    """Samples with one argument left out, with zeros, with nan and infinity, and 50 times as large,
    where torch takes them: what the database seldom asks for."""
    for sample in itertools.islice(made, VARIED):
        every = [(sample.input, sample.args[:-1], sample.kwargs)] if sample.args else []
        for name in sample.kwargs:
            rest = {key: value for key, value in sample.kwargs.items() if key != name}
            every.append((sample.input, sample.args, rest))
        if isinstance(sample.input, torch.Tensor) and sample.input.is_floating_point():
            special = sample.input.detach().clone().contiguous()
            for at, value in enumerate((torch.nan, torch.inf, -torch.inf, 0.0)):
                special.view(-1)[at::7] = value
            others = special, torch.zeros_like(special), LARGER * sample.input.detach()
            differentiated = sample.input.requires_grad
            for each in others:
                every.append((each.requires_grad_(differentiated), sample.args, sample.kwargs))
        for input, args, kwargs in every:
            with contextlib.suppress(Exception):
                op.op(input, *args, **kwargs)
                yield SampleInput(input, args=tuple(args), kwargs=dict(kwargs))


def samples(op: Any, dtype: str, left: Counter[str], which: str) -> Iterator[Sample]:
    """The samples of a dtype, or the calls that torch refuses, with torch's answers."""
    of = getattr(torch, dtype, None)
    backward = of in op.supported_backward_dtypes("cpu") and op.supports_autograd
    if of is None:
        made = (error.sample_input for error in op.error_inputs("cpu"))
    else:
        made = op.sample_inputs("cpu", of, requires_grad=backward)
        made = varied(op, made) if which == "variants" else made
    for sample in made:
        try:
            # Of what is not determined alone, the database says how to compare gradients.
            grads = backward and _is_plain(sample.output_process_fn_grad)
            for names, args, kwargs in calls_of(op, sample):
                asked = Sample(write(tuple(args), torch), write(dict(kwargs), torch), {})
                for name in names:
                    one = asked
                    if name.endswith("_") and not name.endswith("__"):
                        one = without_grads(asked)
                    taken = GRADIENTS.get(which, first_gradients)
                    asked.answers[name] = recorded(
                        op, name, one, taken if grads and not _is_again(name) else None
                    )
                yield asked
        except LeftOut as error:
            left[str(error)] += 1


def without_grads(sample: Sample) -> Sample:
    return Sample(without_grad(sample.args), without_grad(sample.kwargs), sample.answers)


def _is_again(name: str) -> bool:
    """Whether a form is another one's method, whose gradients are the same."""
    return name.startswith(METHOD) and not name.startswith(f"{METHOD}__")


def _is_plain(process: Callable[[Any], Any]) -> bool:
    mark = object()
    try:
        return process(mark) is mark
    except Exception:
        return False


def entry_of(op: Any, name: str, which: str) -> Entry:
    left: Counter[str] = Counter()
    entry = Entry(name)
    for dtype in IN.get(which, (*DTYPES, ERRORS)):
        if dtype == ERRORS and op.error_inputs_func is None:
            continue
        if dtype != ERRORS and getattr(torch, dtype) not in op.supported_dtypes("cpu"):
            continue
        torch.manual_seed(SEED)
        random.seed(SEED)
        np.random.seed(SEED)
        found = []
        try:
            for sample in samples(op, dtype, left, which):
                found.append(sample)
        except Exception as error:  # of the database: no such sample here
            left[f"{type(error).__name__} of the database"] += 1
        entry.samples[dtype] = found
    entry.left_out = dict(left)
    return entry


def is_public(name: str, value: Any) -> bool:
    """Whether an attribute of a layer is one that its users read, not torch's fast path."""
    plain = isinstance(value, bool | int | float | str | tuple | None)
    return plain and not name.startswith(("_", "call_super_init", "activation_relu_or_gelu"))


def entry_of_layer(info: Any, name: str) -> Entry:
    """The samples of a layer in float32, in training and in evaluation."""
    entry, left = Entry(name, {DTYPES[0]: []}), Counter[str]()
    for training in (True, False):
        torch.manual_seed(SEED)
        made = info.module_inputs_func(
            info, device="cpu", dtype=torch.float32, requires_grad=True, training=training
        )
        for sample in made:
            built, called = sample.constructor_input, sample.forward_input
            try:
                layer = info.module_cls(*built.args, **built.kwargs)
                plain = [name for name, value in vars(layer).items() if is_public(name, value)]
                state = {**layer.state_dict()}
                args = (built.args, built.kwargs, training, plain, state, *called.args)
                asked = Sample(write(args, torch), write(dict(called.kwargs), torch), {})
                form = f"torch.{name}{LAYER}"
                asked.answers[form] = recorded(info, form, asked, first_gradients)
                entry.samples[DTYPES[0]].append(asked)
            except LeftOut as error:
                left[str(error)] += 1
    entry.left_out = dict(left)
    return entry


def entries(which: str) -> Iterator[tuple[str, Callable[[], Entry]]]:
    """The name of each entry, and what makes it."""
    if which == "layers":
        for info in module_db:
            if issubclass(info.module_cls, torch.nn.modules.lazy.LazyModuleMixin):
                continue  # no state before the first call
            name = f"nn.{info.module_cls.__name__}"
            yield name, functools.partial(entry_of_layer, info, name)
        return
    for op in op_db:
        name = f"{op.name}.{op.variant_test_name}".rstrip(".")
        if not name.startswith(INTERNAL):
            yield name, functools.partial(entry_of, op, name, which)


def main(which: str, folder: Path, chosen: list[str]) -> None:
    warnings.simplefilter("ignore")
    for name, make in entries(which):
        path = folder / f"{name}.pickle.gz"
        if path.exists() or (chosen and name not in chosen):
            continue
        entry = make()
        path.write_bytes(gzip.compress(pickle.dumps(entry), 3))
        counts = {dtype: len(of) for dtype, of in entry.samples.items()}
        sys.stdout.write(f"{name} {counts} {entry.left_out}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
