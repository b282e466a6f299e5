"""What the recorder of operations looks at: files, functions of the unit, kernels, operators."""

from __future__ import annotations

import json
import linecache
import os
import re
import sys
import threading
from types import FrameType
from typing import Any

OPERATOR = re.compile(r"torch\.ops\.(?!aten\.|prims\.)")  # not of torch's own


def is_emulated() -> bool:
    """Whether `torch` is another framework here."""
    name = os.environ.get("PORTER_FRAMEWORK", "torch")
    return name != "torch" and name in sys.modules


class Places:
    """Which files are the repository's, and what they are called there."""

    def __init__(self, root: str, packages: dict[str, str], unit: str) -> None:
        self.root = os.path.join(os.path.realpath(root), "") if root else ""
        self.packages = packages
        self.unit = unit
        self.known: dict[str, str | None] = {}

    def is_piece(self, path: str) -> bool:
        """Whether a file is of the package of pieces, or of a vendored unit of them."""
        names = {part.removesuffix(".py") for part in path.split(os.sep)}
        return not names.isdisjoint((self.unit, f"_{self.unit}"))

    def name(self, path: str) -> str | None:
        """Its path in the repository, or None."""
        if path not in self.known:
            self.known[path] = self._name(os.path.realpath(path))
        return self.known[path]

    def _name(self, path: str) -> str | None:
        parts = path.split(os.sep)
        if self.is_piece(path) or not path.endswith(".py"):
            return None
        for entry in sys.path:
            inside = os.path.relpath(path, os.path.realpath(entry or ".")).replace(os.sep, "/")
            for package, folder in self.packages.items():
                start = package.replace(".", "/") + "/"
                if inside.startswith(start):
                    return f"{folder}/{inside.removeprefix(start)}".lstrip("/")
                if inside == start[:-1] + ".py":
                    return folder
        if self.root and path.startswith(self.root) and "site-packages" not in parts:
            return path.removeprefix(self.root).replace(os.sep, "/")
        return None


class Busy:
    """What the recorder asks of the framework itself is not recorded."""

    def __init__(self, local: threading.local) -> None:
        self.local = local

    def __enter__(self) -> None:
        self.local.busy = True

    def __exit__(self, *error: object) -> None:
        self.local.busy = False


class Profile:
    """Which functions of pieces run until it is stopped."""

    def __init__(self, unit: str, entered: list[list[Any]]) -> None:
        self.unit = unit
        self.entered = entered
        self.before = sys.getprofile()
        sys.setprofile(self.note)

    def note(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and self.unit in frame.f_code.co_filename:
            code = frame.f_code
            place = [code.co_filename, code.co_firstlineno, code.co_name]
            if place not in self.entered:
                self.entered.append(place)

    def stop(self) -> None:
        sys.setprofile(self.before)


def kernel_of(launch: Any) -> dict[str, Any]:
    """The Python function behind `kernel[grid]`: file, line and name, if it is to be found."""
    cells = getattr(launch, "__closure__", None) or ()
    for found in (launch, *(cell.cell_contents for cell in cells)):
        while not hasattr(found, "__code__") and hasattr(found, "fn"):
            found = found.fn
        if found is not launch and hasattr(found, "__code__"):
            code = found.__code__
            place = {"file": code.co_filename, "line": code.co_firstlineno}
            return {**place, "name": found.__qualname__}
    return {}


class Operators:
    """Which operators of torch's an extension calls, until it is stopped."""

    def __init__(self) -> None:
        self.profiler = sys.modules["torch"].autograd.profiler.profile()
        self.profiler.__enter__()

    def stop(self) -> list[str]:
        self.profiler.__exit__(None, None, None)
        found: dict[str, None] = {}
        for event in self.profiler.function_events:
            above = event.cpu_parent
            while above is not None and not above.name.startswith("aten::"):
                above = above.cpu_parent
            if above is None and event.name.startswith("aten::"):
                found[event.name.removeprefix("aten::")] = None
        return list(found)


def read_random_tensors(folder: str) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
    """The random tensors of another trace, by place, in order."""
    found: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    sites: dict[int, dict[str, Any]] = {}
    open_ones: dict[int, dict[str, Any]] = {}
    with open(os.path.join(folder, "trace.jsonl"), encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            if "number" in line:
                sites[line["number"]] = line
            elif "start" in line:
                open_ones[line["start"]] = sites[line["site"]]
            elif line.get("random"):
                site = open_ones[line["end"]]
                key = (site["path"], site["function"], site["word"])
                found.setdefault(key, []).append(line["random"])
    return found


def identify(
    places: Places,
    frameworks: set[str],
    site: dict[str, Any],
    function: Any,
    of_tensor: bool,
) -> dict[str, Any]:
    """Whose function: the repository's, an extension's, a kernel, the unit's, a framework's."""
    while hasattr(function, "__wrapped__") and not isinstance(function, type):
        function = function.__wrapped__
    inner = getattr(function, "__func__", getattr(function, "func", function))
    code = getattr(inner, "__code__", None)
    file = code.co_filename if code else _file_of(inner)
    name = str(getattr(inner, "__qualname__", None) or type(inner).__qualname__)
    told: dict[str, Any] = {
        "module": str(getattr(inner, "__module__", None) or type(inner).__module__),
        "name": name if code else name.rpartition(".")[2],  # of C, with what holds it
        "file": file,
        "line": code.co_firstlineno if code else 0,
    }
    roots = {told["module"].partition(".")[0], type(inner).__module__.partition(".")[0]}
    owner = type(getattr(function, "__self__", None)).__module__.partition(".")[0]
    if places.name(file) is not None:
        return {**told, "of": "repository"}
    if places.is_piece(file):
        return {**told, "of": "unit"}
    if OPERATOR.match(site["name"]):
        return {**told, "of": "extension"}
    if _extension(places, frameworks, told["module"]):
        return {**told, "of": "extension", "file": _extension(places, frameworks, told["module"])}
    if {"triton", "tilelang"} & roots and site["label"].endswith("]"):
        told |= kernel_of(function)
        return {**told, "path": places.name(told["file"]) or "", "of": "kernel"}
    known = roots | {owner, site["name"].partition(".")[0]}
    return {**told, "of": "framework" if of_tensor or known & frameworks else "other"}


def _file_of(thing: Any) -> str:
    module = sys.modules.get(str(getattr(thing, "__module__", "")))
    own = isinstance(thing, type) or hasattr(thing, "__name__")
    return str(getattr(module, "__file__", "") or "") if own else ""


def _extension(places: Places, frameworks: set[str], name: str) -> str:
    """The shared object of a module that is the repository's."""
    file = str(getattr(sys.modules.get(name), "__file__", None) or "")
    ours = name.partition(".")[0] in {p.partition(".")[0] for p in places.packages}
    top = name.partition(".")[0] not in frameworks and "numpy" not in name
    here = places.root and os.path.realpath(file).startswith(places.root)
    return file if file.endswith((".so", ".pyd")) and top and (ours or here) else ""


class Entry:
    """An operation from when its first operand is there until it has ended."""

    __slots__ = (
        *("after", "callee", "entered", "frame", "given", "number", "of", "operators", "profile"),
        *("receiver", "site"),
    )

    def __init__(self, site: int, frame: FrameType) -> None:
        self.site = site
        self.frame = id(frame)  # lives as long as its operation
        self.number: int | None = None  # of its lines in the trace, once it has begun
        self.callee: tuple[Any, ...] = ()
        self.of = ""  # whose function it is
        self.receiver: tuple[Any, ...] = ()
        self.given: list[tuple[str, Any]] = []  # (place, value)
        self.after: list[tuple[str, Any, str | None]] = []  # (place, tensor, hash before)
        self.entered: list[list[Any]] = []  # functions of the unit that it ran
        self.profile: Profile | None = None
        self.operators: Operators | None = None


def where(places: Places, error: BaseException) -> dict[str, Any]:
    """The repository's own line that raised, or asked for what did."""
    trace, place = error.__traceback__, {}
    last = None
    while trace is not None:
        path = places.name(trace.tb_frame.f_code.co_filename)
        if path is not None:
            code = trace.tb_frame.f_code
            name = getattr(code, "co_qualname", code.co_name).replace(".<locals>", "")
            text = linecache.getline(code.co_filename, trace.tb_lineno).strip()
            place = {"path": path, "line": trace.tb_lineno, "function": name, "label": text}
        last = trace.tb_frame.f_code.co_filename
        trace = trace.tb_next
    return {"where": place, "file": last or ""}


RANDOM = re.compile(  # and what is in memory that nobody wrote to
    r"(new_)?empty(_like|_strided)?|"
    r"(rand|randn|randint|randperm|normal|bernoulli|multinomial|poisson)(_like)?"
    r"|(normal|uniform|random|bernoulli|exponential|cauchy|geometric|log_normal)_"
    r"|(xavier|kaiming)_(normal|uniform)_|trunc_normal_|orthogonal_"
)


def random_numbers(values: Any, word: str, entry: Entry, result: Any) -> dict[str, Any]:
    """The tensors of a result that another framework would draw otherwise, by name: random
    numbers, and the parameters of its layers."""
    if values.is_tensor(result):
        return {"": result} if RANDOM.fullmatch(word) else {}
    layer = entry.of == "framework" and hasattr(result, "named_parameters")
    made = layer and isinstance(entry.callee[0], type)
    return dict(result.named_parameters()) if made else {}
