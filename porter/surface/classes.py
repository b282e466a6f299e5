"""The classes of torch whose objects operator code handles, and what tells that a value is one."""

from __future__ import annotations

import argparse
import ast
import collections
import io
import logging
import pathlib
import queue
import re
import socket
import threading
from functools import cache

from porter.surface.load import load_torch

TENSOR = "torch.Tensor"
STREAM = "torch.cuda.Stream"
EVENT = "torch.cuda.Event"
CONTEXT = "torch.autograd.function.FunctionCtx"
GRAPH = "torch.cuda.CUDAGraph"
OWNERS = (TENSOR, STREAM, EVENT, CONTEXT, GRAPH)
SAME = {"torch.Stream": STREAM, "torch.Event": EVENT, "torch.nn.Parameter": TENSOR}
MAKERS = {  # functions whose result is known
    "torch.cuda.current_stream": STREAM,
    "torch.cuda.default_stream": STREAM,
    "torch.cuda.Stream": STREAM,
    "torch.cuda.ExternalStream": STREAM,
    "torch.cuda.Event": EVENT,
    "torch.Stream": STREAM,
    "torch.Event": EVENT,
    "torch.cuda.CUDAGraph": GRAPH,
}
BUILTINS = (
    str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, type, object,
)  # fmt: skip
COMMON = (  # classes whose attributes say nothing about torch
    *BUILTINS, memoryview, BaseException, collections.OrderedDict, collections.deque,
    collections.Counter, pathlib.Path, io.BytesIO, io.TextIOWrapper,
    logging.Logger, threading.Thread, threading.Event, queue.Queue,
    socket.socket, re.Pattern, re.Match, argparse.ArgumentParser, ast.AST,
)  # fmt: skip
ARRAYS = frozenset(  # attributes that arrays of other libraries have too
    (
        "broadcast_to",
        "data_ptr",
        "element_size",
        "from_numpy",
        "index_select",
        "is_contiguous",
        "is_floating_point",
        "new_empty",
        "new_zeros",
        "requires_grad",
    )
)
PAIRS = frozenset(
    {"max", "median", "min", "mode", "sort"}
)  # give (values, indices) for a dimension
ALONE = frozenset({"nelement", "contiguous"})  # no underscore, and still nobody else's


@cache
def members_of() -> dict[str, frozenset[str]]:
    """The members that torch lists, by class."""
    found: dict[str, set[str]] = {}
    for name in load_torch().python:
        owner, _, member = name.rpartition(".")
        found.setdefault(owner, set()).add(member)
    return {owner: frozenset(names) for owner, names in found.items()}


@cache
def possible() -> frozenset[str]:
    """Every attribute of these classes."""
    return frozenset[str]().union(*(members_of().get(owner, frozenset()) for owner in OWNERS))


@cache
def receivers() -> dict[str, tuple[str, ...]]:
    """By attribute, but for Python's own, the classes whose objects come from anywhere."""
    found: dict[str, tuple[str, ...]] = {}
    for owner in (TENSOR, "torch.dtype", "torch.Generator"):
        for name in sorted(members_of().get(owner, ())):
            if not name.startswith("__"):
                found[name] = (*found.get(name, ()), owner)
    return found


@cache
def builtin_attributes() -> frozenset[str]:
    """Attributes that objects of Python's own types have."""
    return frozenset[str]().union(*map(dir, BUILTINS))


@cache
def distinctive() -> dict[str, str]:
    """Attributes that only torch's objects have: attribute -> its full name."""
    common = frozenset[str]().union(*map(dir, COMMON)) | ARRAYS
    modules = members_of()["torch.nn.Module"]
    out: dict[str, str] = {}
    for owner in OWNERS:
        for name in sorted(members_of().get(owner, ())):
            in_place = name.endswith("_") and not name.endswith("__")
            telling = in_place or "_" in name.strip("_") or name in ALONE
            telling = telling and not name.startswith("_")  # private ones are like anybody's
            if telling and name not in common and name not in modules:
                out.setdefault(name, f"{owner}.{name}")
    return out


@cache
def tensor_methods() -> frozenset[str]:
    """The methods of a tensor that give one, however they are called."""
    prefix, end = f"{TENSOR}.", "-> Tensor"
    found = load_torch().python.items()
    return frozenset(
        name.removeprefix(prefix)
        for name, symbol in found
        if name.startswith(prefix) and symbol.signatures
        if all(signature.endswith(end) for signature in symbol.signatures)
    )


@cache
def makes(function: str) -> str | None:
    """The class of what a torch function or class gives when called, where it is known."""
    if function in MAKERS:
        return MAKERS[function]
    symbol = load_torch().python.get(function)
    if symbol is not None and any(s.endswith("-> Tensor") for s in symbol.signatures):
        return TENSOR
    return None


def class_of(name: str | None) -> str | None:
    """One of these classes by its name or another name of it."""
    name = SAME.get(name, name) if name is not None else None
    return name if name in OWNERS else None
