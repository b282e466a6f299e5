"""Stand-ins for what Paddle lacks of torch, so that code which imports it and may not use it runs.

In code that imports this package, an `import` of a module or name that Paddle lacks, and that
nothing around it expects to fail, gives a class that raises NotImplementedError when it is called.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import sys
import types
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from porter_compat.pieces.scope import covers, imports_torch

OF_IMPORTS = frozenset(["BaseException", "Exception", "ImportError", "ModuleNotFoundError"])
OF_ATTRIBUTES = frozenset(["AttributeError", "BaseException", "Exception"])
REACHED = (  # torch imports them itself
    *("ao", "export", "masked", "nested", "package", "quasirandom", "return_types"),
    *("_custom_ops", "_decomp", "_dispatch", "_export", "_functorch", "_guards", "_logging"),
    *(
        "_higher_order_ops",
        "_meta_registrations",
        "_prims",
        "_prims_common",
        "_refs",
        "_subclasses",
    ),
)
MADE: list[str] = []  # names that stand-ins were made for, as they were imported


class _Absent(type):
    """A class that torch has and Paddle has not; a module that Paddle lacks is one too."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        name = next(base.__doc__ for base in cls.__mro__ if "_stands_in" in vars(base))
        raise NotImplementedError(f"Paddle lacks {name}, which this code imports and now uses")

    def __getattr__(cls, name: str) -> Any:
        own = "_stands_in" in vars(cls) and not name.startswith("__")
        if not own or not _is_needed(sys._getframe(1)):
            raise AttributeError(f"Paddle lacks {cls.__doc__}.{name}" if own else name)
        return _make(f"{cls.__doc__}.{name}")


@functools.cache
def _make(name: str) -> Any:
    parent, _, last = name.rpartition(".")
    return _Absent(last, (), {"__module__": parent, "__doc__": name, "_stands_in": True})


def _tell(module: _Absent) -> _Absent:
    name = module.__doc__ or ""
    if name not in MADE:
        MADE.append(name)
        said = f"Paddle lacks {name}: what is imported raises an error when it is used"
        with contextlib.suppress(ImportWarning):  # an error in tests that accept no warnings
            warnings.warn(said, ImportWarning, stacklevel=3)
    return module


class _Loader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        return _make(spec.name)

    def exec_module(self, module: Any) -> None:
        _tell(module)


class Finder(importlib.abc.MetaPathFinder):
    """Asks Paddle's finder first, which raises an error for what Paddle lacks."""

    def __init__(self, theirs: Any) -> None:
        self.theirs = theirs

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        root, below, _ = fullname.partition(".")
        if not below or self.theirs not in sys.meta_path:
            return None
        if root == "functorch":  # torch's other top-level module, of which a piece has the names
            if path is None or [*path] or not _is_needed(sys._getframe(1)):
                return None
        elif root != "torch":
            return None
        else:
            try:
                found: importlib.machinery.ModuleSpec | None = self.theirs.find_spec(
                    fullname, path, target
                )
                return found
            except ModuleNotFoundError as error:
                lacked = (error.name or "").startswith("paddle.")
                if not lacked or not _is_needed(sys._getframe(1)):
                    raise
        return importlib.util.spec_from_loader(fullname, _Loader(), is_package=True)


class _Reached:
    """A module that code reaches from torch without an import of its own."""

    def __init__(self, name: str) -> None:
        self.name = name

    def value_for(self, frame: types.FrameType) -> Any:
        asked = self.name.rpartition(".")[2], frame.f_lineno
        needed = _is_needed(frame, OF_ATTRIBUTES)
        if asked in _asked_for(frame.f_code.co_filename) or not needed:
            raise AttributeError(f"Paddle lacks {self.name}")
        return sys.modules.get(self.name) or _tell(_make(self.name))


def install() -> None:
    """Ask for stand-ins before Paddle's own finder does."""
    import torch
    from paddle.compat import proxy

    from porter_compat.pieces import overrides

    names: dict[str, Any] = overrides._scoped_names(torch)  # type: ignore[no-untyped-call]
    names.update({n: _Reached(f"torch.{n}") for n in REACHED if not hasattr(torch, n)})

    theirs = proxy.TORCH_PROXY_FINDER
    if theirs in sys.meta_path and not any(isinstance(each, Finder) for each in sys.meta_path):
        sys.meta_path.insert(sys.meta_path.index(theirs), Finder(theirs))


def _is_needed(frame: types.FrameType, failures: frozenset[str] = OF_IMPORTS) -> bool:
    """Whether covered code imports, and neither it nor what runs it has a plan for a failure."""
    frames = [each for each in _callers(frame) if not _is_machinery(each)]
    own = [each for each in frames if covers(each) or (each is frames[0] and imports_torch(each))]
    readable = bool(own) and _guarded(own[0].f_code.co_filename, failures) is not None
    planned = any(_expects_failure(each, failures) for each in own)
    return readable and frames[0] is own[0] and not planned


def _callers(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_machinery(frame: types.FrameType) -> bool:
    names = (frame.f_globals.get(key) or "" for key in ("__name__", "__package__"))
    tops = {str(name).partition(".")[0] for name in names}
    return not tops.isdisjoint({"importlib", "paddle", "porter_compat"})


def _expects_failure(frame: types.FrameType, failures: frozenset[str]) -> bool:
    """Whether the line that a frame is at is seen to stand where one of the failures is caught."""
    spans = _guarded(frame.f_code.co_filename, failures) or ()
    return any(first <= frame.f_lineno <= last for first, last in spans)


def _walk(file: str) -> list[ast.AST]:
    """Every node of a file; none where there is no source to read."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return []
    return [*ast.walk(tree)] if tree.body else []


@functools.cache
def _guarded(file: str, failures: frozenset[str]) -> list[tuple[int, int]] | None:
    """The first and last lines of each block of a file in which one of the failures is caught;
    None if there is no source to read."""
    nodes = _walk(file)
    if not nodes:
        return None
    blocks: list[list[ast.stmt]] = []
    for node in nodes:
        caught = isinstance(node, ast.Try) and any(
            (each.type is None or _names(each.type) & failures) and not _ends_by_raising(each.body)
            for each in node.handlers
        )
        dropped = isinstance(node, ast.With) and any(
            isinstance(item.context_expr, ast.Call) and _names(item.context_expr) & failures
            for item in node.items
        )
        if caught or dropped:
            blocks.append(node.body)  # type: ignore[attr-defined]
    return [(body[0].lineno, body[-1].end_lineno or body[-1].lineno) for body in blocks]


def _ends_by_raising(body: list[ast.stmt]) -> bool:
    """Whether a handler only says more of the failure, at least where nothing special holds."""
    last = body[-1]
    otherwise = last.orelse if isinstance(last, ast.If) else []
    return isinstance(last, ast.Raise) or (bool(otherwise) and _ends_by_raising(otherwise))


@functools.cache
def _asked_for(file: str) -> set[tuple[object, int]]:
    """The names that a file asks for by `hasattr(value, name)`, or `getattr`, with their lines."""
    return {
        (call.args[1].value, line)
        for call in _walk(file)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id in ("hasattr", "getattr") and len(call.args) > 1
        if isinstance(call.args[1], ast.Constant)
        for line in range(call.lineno, (call.end_lineno or call.lineno) + 1)
    }


def _names(node: ast.AST) -> set[str]:
    return {
        each.id if isinstance(each, ast.Name) else each.attr
        for each in ast.walk(node)
        if isinstance(each, ast.Name | ast.Attribute)
    }
