"""Decide whether Paddle stands in for torch in this process, and give it the pieces for that."""

from __future__ import annotations

import functools
import gc
import importlib.util
import inspect
import json
import logging
import os
import re
import sys
import types
import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any, cast

FIRST = (3, 3)  # of Paddle's versions, the first that has a torch proxy
TESTED = ("3.3.0", "3.3.1")  # those that the pieces were tested with
INDEX = Path(__file__).with_name("pieces") / "index.json"
_PIECES = f"{INDEX.parent}{os.sep}"


@dataclass
class State:
    """What was decided: `why` nothing happened, or which pieces are on, and why others are off."""

    active: bool = False
    why: str = ""
    on: list[str] = field(default_factory=list)
    off: dict[str, str] = field(default_factory=dict)


STATE = State()


def known() -> dict[str, Any]:
    """The pieces in the order in which they are run, and which version of torch they follow."""
    found: dict[str, Any] = json.loads(INDEX.read_text(encoding="utf-8"))
    found["pieces"] = [dict(zip(found["keys"], row, strict=True)) for row in found.pop("rows")]
    return found


def activate() -> None:
    """Give Paddle's proxy what it lacks, unless torch is torch in this process.

    Raises ImportError where there is neither torch nor a Paddle that has a proxy.
    """
    if STATE.active:
        return
    STATE.why = _torch_is_meant()
    if STATE.why:
        return
    if importlib.util.find_spec("paddle") is None:
        raise ImportError(
            "porter_compat completes Paddle, which is not installed: "
            "pip install 'paddlepaddle>=3.3'"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Paddle's, about itself: errors in tests that accept none
        paddle = _imported_without_logging()
    if not hasattr(paddle, "enable_compat"):
        raise ImportError(
            f"Paddle {paddle.__version__} has no torch proxy: porter_compat needs paddlepaddle>="
            + ".".join(map(str, FIRST))
        )
    if not _is_proxied():
        paddle.enable_compat()
    STATE.active = True
    collecting = gc.isenabled()
    gc.disable()  # Paddle is much to look through, and of what is made now nothing is garbage
    try:
        _give()
    except Exception as error:
        if untested := newer_than_tested():
            raise ImportError(f"{untested}, and a piece fails: {error}") from error
        raise
    finally:
        if collecting:
            gc.enable()


def _imported_without_logging() -> Any:
    """Paddle. Its import gives the root logger a level and a handler, after which a program's
    `logging.basicConfig` does nothing; that of torch leaves them to the program."""
    root = logging.getLogger()
    level, handlers = root.level, [*root.handlers]
    paddle = importlib.import_module("paddle")
    root.setLevel(level)
    for handler in [*root.handlers]:
        if handler not in handlers:
            root.removeHandler(handler)
    return paddle


def newer_than_tested() -> str:
    """What is to be said of a Paddle that is newer than those of the tests; else nothing."""
    import paddle

    if _numbers(paddle.__version__) <= _numbers(TESTED[-1]):
        return ""
    return (
        f"Paddle {paddle.__version__} is newer than the versions that this porter-compat was tested"
        f" with ({', '.join(TESTED)})"
    )


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()


def _torch_is_meant() -> str:
    """Why torch is torch here, or nothing."""
    chosen = os.environ.get("PORTER_FRAMEWORK", "")
    if chosen == "torch":
        return "PORTER_FRAMEWORK is torch"
    if chosen == "paddle" or _is_proxied():
        return ""
    if "torch" in sys.modules:
        return "torch was imported"
    found = importlib.util.find_spec("torch")
    if found is not None and found.origin:  # a folder of that name alone is no torch
        return f"torch is installed: {found.origin}"
    return ""


def _is_proxied() -> bool:
    proxy = sys.modules.get("paddle.compat.proxy")
    return getattr(proxy, "TORCH_PROXY_FINDER", None) in sys.meta_path


def _give() -> None:
    """Run the pieces in their order, and register the names that they give."""
    from porter_compat.probes import answers

    rows: list[dict[str, Any]] = known()["pieces"]
    holding = answers()
    by_id = {row["id"]: row for row in rows}
    STATE.off = {
        row["id"]: why for row in rows if not row["helper"] and (why := _unneeded(row, holding))
    }
    todo = [row["id"] for row in rows if not row["helper"] and row["id"] not in STATE.off]
    on: set[str] = set()
    while todo:
        id = todo.pop()
        # of a family others may import what is off: it gives nothing itself
        spared = id in STATE.off and by_id[id]["family"]
        if id not in on and not spared:
            on.add(id)
            todo += by_id[id]["needs"]
    wanted = [row for row in rows if row["id"] in on]
    STATE.on = [row["id"] for row in wanted if not row["helper"]]
    STATE.off = {id: why for id, why in STATE.off.items() if id not in on}
    _offer()
    for group in sorted({row["group"] for row in wanted}):
        _run([row for row in wanted if row["group"] == group])


def _run(rows: list[dict[str, Any]]) -> None:
    overrides = _module("overrides")
    methods = _module("methods_of_tensors")
    put_off = _putting_off()
    later = {row["id"]: row for row in rows if row["later"] and not any(map(_has, row["later"]))}
    names: dict[bool, dict[str, Any]] = {True: _later_modules(later.values()), False: {}}
    for row in rows:
        if row["id"] in later:
            continue
        value = put_off
        if not row["deferred"]:
            _module(row["module"])
            value = _imported
        for name, own in row["names"].items():
            names[row["lacking"]][name] = value(row["module"], own)
        given = {
            name: value(row["module"], own)
            for name, own in row["methods"].items()
            if f"torch.Tensor.{name}" in row["differing"] or not _has(f"torch.Tensor.{name}")
        }
        methods._methods(**given)
    overrides._register(lacking=names[True], different=names[False])


def _putting_off() -> Callable[[str, str], Any]:
    """A function for what a module has by a name: it is imported when it is asked for."""
    later = _module("put_off")._Later
    return lambda module, own: later(functools.partial(_imported, module, own))


def _imported(module: str, own: str) -> Any:
    name = f"porter_compat.pieces.{module}"
    __import__(name)  # which takes a tenth of what importlib's function does
    return getattr(sys.modules[name], own)


_DICT: Any = vars(types.ModuleType)["__dict__"]


class _LaterModule(types.ModuleType):
    """A module that Paddle lacks: the piece of a name is run when it is asked for.

    Of a piece that makes the whole module, it has what that has.
    """

    def __init__(self, name: str, whole: tuple[str, str] | None = None) -> None:
        super().__init__(name.replace("torch", "paddle", 1))
        self.__path__: list[str] = []  # so that it can have modules
        if whole is None:
            self.__all__: list[str] = []
        self._pieces: dict[str, tuple[str, str]] = {}
        self._whole = whole

    def __getattr__(self, name: str) -> Any:
        place = None if name.startswith("__") else self._pieces.get(name, self._whole)
        if place is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = _imported(*place)
        if name not in self._pieces:
            value = getattr(value, name)
        setattr(self, name, value)
        return value

    def _names(self) -> set[str]:
        whole = dir(_imported(*self._whole)) if self._whole else ()
        return {name for name in (*whole, *self._pieces) if not name.startswith("__")}

    def __dir__(self) -> list[str]:
        return sorted({*_DICT.__get__(self), *self._names()})

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        """All names and values for code that goes through them, as it finds them in torch."""
        from porter_compat.pieces.scope import covers

        if covers(sys._getframe(1)):
            for name in self._names():
                getattr(self, name)
        return cast(dict[str, Any], _DICT.__get__(self))


def _later_modules(rows: Collection[dict[str, Any]]) -> dict[str, Any]:
    """The modules of pieces that need not be run before one of their names is used."""
    found: dict[str, Any] = {}
    given: dict[str, tuple[str, str]] = {}
    for row in rows:
        given |= {name: (row["module"], own) for name, own in row["names"].items()}
        for name in row["later"]:
            found.setdefault(name, _LaterModule(name, given.pop(name, None)))
    for name, place in given.items():
        parent, _, last = name.rpartition(".")
        if parent not in found:
            found[parent] = _LaterModule(parent)
            outer, _, inner = parent.rpartition(".")
            setattr(found[outer], inner, found[parent])
        found[parent].__all__ += [last] if last[0] != "_" else []
        found[parent]._pieces[last] = place
    return found


def _module(name: str) -> Any:
    """The module of a piece. Its file is known: to ask each finder for it takes as long as it."""
    full = f"porter_compat.pieces.{name}"
    if full not in sys.modules:
        loader = SourceFileLoader(full, f"{_PIECES}{name}.py")
        spec = ModuleSpec(full, loader, origin=loader.path)
        spec.has_location = True
        sys.modules[full] = module = importlib.util.module_from_spec(spec)
        try:
            loader.exec_module(module)
        except BaseException:
            del sys.modules[full]
            raise
        setattr(sys.modules["porter_compat.pieces"], name, module)
    return sys.modules[full]


def _unneeded(row: dict[str, Any], holding: dict[str, bool]) -> str:
    """Why the installed Paddle does not need a piece, or nothing."""
    if row["device"]:
        import paddle

        if row["device"] not in paddle.device.get_all_custom_device_type():
            return f"this Paddle has no device {row['device']}"
    if row["quirks"]:
        gone = not any(holding.get(quirk, True) for quirk in row["quirks"])
        return f"this Paddle is as torch is: {', '.join(row['quirks'])}" if gone else ""
    names = row["unless"]
    if not names or row["differing"]:
        return ""
    if all(map(_has, names)) and all(map(_accepts, row["accepts"])):
        return f"this Paddle has {', '.join(names[:3])}{', ...' if len(names) > 3 else ''}"
    return ""


def _has(name: str) -> bool:
    """Whether Paddle has what stands behind a name of torch."""
    return _found(name) is not None


def _found(name: str) -> Any:
    import paddle
    import paddle.compat.proxy as proxy  # the other form asks for the module again

    known = proxy.GLOBAL_OVERRIDES.get(name)
    if known is not None:
        return known.get_value()
    value: Any = paddle
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
        if value is None:
            return None
    return value


def _accepts(form: str) -> bool:
    """Whether Paddle takes a form of call, `torch.f(key=)`; of other forms nothing is known."""
    name, _, asked = form.removesuffix(")").partition("(")
    if not asked.endswith("="):
        return False
    try:
        parameters = inspect.signature(_found(name)).parameters
    except (TypeError, ValueError):
        return False
    any_keyword = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    return asked[:-1] in parameters and not any_keyword


def _offer() -> None:
    """Give what builds extensions, and loads libraries, with Paddle, when it is asked for."""
    from porter_compat import build, cache, libraries, stand_ins  # noqa: F401  # headers: the cache

    build.offer()
    libraries.offer()
    stand_ins.install()
