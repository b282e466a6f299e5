"""Attributes of torch objects in Python: by what the receiver is, else by a name only torch has."""

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
from collections.abc import Iterator
from functools import cache

from porter.languages.python import SCOPES, Module
from porter.surface.load import load_torch

TENSOR = "torch.Tensor"
CONTEXT = "torch.autograd.function.FunctionCtx"
OWNERS = (TENSOR, "torch.cuda.Stream", "torch.cuda.Event", CONTEXT, "torch.cuda.CUDAGraph")
MAKERS = {  # functions whose result is known
    "torch.cuda.current_stream": "torch.cuda.Stream",
    "torch.cuda.default_stream": "torch.cuda.Stream",
    "torch.cuda.Stream": "torch.cuda.Stream",
    "torch.cuda.Event": "torch.cuda.Event",
    "torch.cuda.CUDAGraph": "torch.cuda.CUDAGraph",
    "torch.cuda.ExternalStream": "torch.cuda.Stream",
}
COMMON = (  # classes whose attributes say nothing about torch
    str, bytes, bytearray, memoryview, int, float, complex, list, tuple, dict, set, frozenset,
    type, object, BaseException, collections.OrderedDict, collections.deque, collections.Counter,
    pathlib.Path, io.BytesIO, io.TextIOWrapper, logging.Logger, threading.Thread, threading.Event,
    threading.Lock, queue.Queue, socket.socket, re.Pattern, re.Match, argparse.ArgumentParser,
    argparse.Namespace, ast.AST,
)  # fmt: skip
ARRAYS = frozenset(  # attributes of arrays of other libraries
    """index_select new_empty new_zeros is_contiguous data_ptr element_size from_numpy
    broadcast_to is_floating_point requires_grad""".split()  # noqa: SIM905
)


@cache
def _common() -> frozenset[str]:
    return frozenset().union(*(dir(cls) for cls in COMMON))


@cache
def _members() -> dict[str, frozenset[str]]:
    """The members that torch lists, by class."""
    found: dict[str, set[str]] = {}
    for name in load_torch().python:
        owner, _, member = name.rpartition(".")
        found.setdefault(owner, set()).add(member)
    return {owner: frozenset(names) for owner, names in found.items()}


@cache
def _distinctive() -> dict[str, str]:
    """Attributes that only torch's objects have: attribute -> its full name."""
    modules = _members()["torch.nn.Module"]
    out: dict[str, str] = {}
    for owner in OWNERS:
        for name in _members().get(owner, ()):
            plain = "_" not in name.strip("_") or name in _common() or name in ARRAYS
            if not plain and name not in modules:
                out.setdefault(name, f"{owner}.{name}")
    return out


def makes(function: str) -> str | None:
    """The class of what a torch function or class gives when called, where it is known."""
    if function in MAKERS:
        return MAKERS[function]
    symbol = load_torch().python.get(function)
    if symbol is not None and any(s.endswith("-> Tensor") for s in symbol.signatures):
        return TENSOR
    return None


def members(module: Module) -> Iterator[tuple[str, ast.Attribute]]:
    """(full name, attribute) for each attribute of a torch object, in source order.

    The receiver is known from an annotation, from the one call it is assigned from, or from
    being the context of an autograd function. Else only an attribute that no usual Python
    object has counts, and only where the file does not define one of that name.
    """
    own = _defined(module)
    distinctive, lists = _distinctive(), _members()
    possible = frozenset().union(*(lists.get(owner, frozenset()) for owner in OWNERS))
    found: list[tuple[str, ast.Attribute]] = []
    for node in module.nodes:
        if not isinstance(node, ast.Attribute) or node.attr not in possible:
            continue
        owner = receiver(module, node.value)
        if owner is not None:
            if node.attr in lists.get(owner, ()):
                found.append((f"{owner}.{node.attr}", node))
        elif node.attr in distinctive and node.attr not in own and _unresolved(module, node):
            found.append((distinctive[node.attr], node))
    found.sort(key=lambda item: (item[1].lineno, item[1].col_offset))
    yield from found


def _unresolved(module: Module, node: ast.Attribute) -> bool:
    """Whether the chain is no name of a module, as `torch.cuda.x` is."""
    return module.qualified(node) is None


def _defined(module: Module) -> frozenset[str]:
    """Attributes the file gives its own objects."""
    names = set()
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return frozenset(names)


def receiver(module: Module, node: ast.expr) -> str | None:
    """The torch class of an expression, where the file shows it."""
    if isinstance(node, ast.Call):
        called = module.qualified(node.func)
        return makes(called) if called else None
    if not isinstance(node, ast.Name):
        return None
    called = module.assigned_call(node)
    if called is not None:
        return makes(called)
    return _argument(module, node)


def _argument(module: Module, node: ast.Name) -> str | None:
    """The class of an argument: annotated, or the context of an autograd function."""
    scope: ast.AST = node
    while scope in module.parents and not isinstance(scope, SCOPES):
        scope = module.parents[scope]
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    arguments = [*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs]
    argument = next((a for a in arguments if a.arg == node.id), None)
    if argument is None or module.bound(node.id, scope) != 1:
        return None
    if argument.annotation is not None:
        return _annotated(module, argument.annotation)
    parent = module.parents.get(scope)
    if argument is arguments[0] and isinstance(parent, ast.ClassDef):
        bases = {module.qualified(base) for base in parent.bases}
        if bases & {"torch.autograd.Function", "torch.autograd.function.Function"}:
            return CONTEXT
    return None


def _annotated(module: Module, annotation: ast.expr) -> str | None:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        root, dot, rest = annotation.value.partition(".")
        origin = module.origin(root, annotation)
        name = f"{origin}{dot}{rest}" if origin else None
    else:
        name = module.qualified(annotation)
    return name if name in OWNERS else None
