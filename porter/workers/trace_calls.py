"""Record what a repository's Python asks of a framework; stands alone.

Loaded before torch is imported: by the parity worker as a plugin, by pytest with `-p`. Files of the
repository are rewritten when they are loaded (`trace_sites`), all others run as they are. The file
that PORTER_TRACE names says where things are:

    workers  folder of porter's workers
    out      folder for `trace.jsonl`, a line for each start and end of an operation, and `data/`
    root     the repository's folder; `packages`: import names -> folders in it; `unit`: the name of
             the package of pieces, which is not the repository's
    events   how many to record
    again    the folder that another framework's trace was written to, or "": random numbers, and
             what uninitialised memory held, are put in the place of those here
"""

from __future__ import annotations

import builtins
import importlib.machinery
import importlib.util
import json
import os
import random
import re
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .trace_looks import Busy, Entry, Places

LOOKS = 200  # into extensions: each takes 20 ms
FUNCTIONS = 64  # of the unit, of one operation


def sibling(name: str) -> Any:
    """Another worker, as a module."""
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(SETUP["workers"], name + ".py")
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Recorder:
    """What the rewritten files call."""

    slice = staticmethod(slice)

    def __init__(self, places: Places, out: str, again: str) -> None:
        self.values = VALUES.Values(os.path.join(out, "data"), WORKER)
        self.places = places
        self.file = open(os.path.join(out, "trace.jsonl"), "w", encoding="utf-8")  # noqa: SIM115
        self.sites: list[dict[str, Any]] = []
        self.written = 0  # sites that are in the trace
        self.events = 0
        self.looks = LOOKS
        self.local = threading.local()
        self.busy: Busy = LOOK.Busy(self.local)
        self.lock = threading.RLock()
        self.drawn = LOOK.read_random_tensors(again) if again else {}
        self.again = again

    # ------------------------------------------------------------- what is told

    def obj(self, site: int, value: Any, last: bool = False) -> Any:
        if self._idle():
            entry = self._entry(site)
            entry.receiver = (value,)
            if last:
                self._begin(entry)
        return value

    def fn(self, site: int, function: Any, last: bool = False) -> Any:
        if self._idle():
            stack = self._stack()
            held = stack and stack[-1].site == site and not stack[-1].callee
            entry = stack[-1] if held else self._entry(site)
            entry.callee = (function,)
            if last:
                self._begin(entry)
        return function

    def args(self, site: int, values: Any, last: bool) -> Any:
        if self._idle():
            entry = self._find(site) or self._entry(site)
            base = len(entry.given)
            entry.given += [(f"args[{base + n}]", value) for n, value in enumerate(values)]
            if last:
                self._begin(entry)
        return values

    def named(self, site: int, values: Any, last: bool) -> Any:
        if self._idle():
            entry = self._find(site) or self._entry(site)
            entry.given += [(f"kwargs.{name}", value) for name, value in values.items()]
            if last:
                self._begin(entry)
        return values

    def out(self, site: int, result: Any) -> Any:
        if self._idle():
            entry = self._find(site, take=True)
            if entry is not None:
                self._end(entry, result)
        return result

    def value(self, site: int, value: Any) -> Any:
        """A number, or an array, that the repository's own Python came to."""
        if self._idle() and isinstance(
            value, (bool, int, float, str, tuple, list, np.ndarray, np.generic)
        ):
            with self.busy:
                told = self.values.describe(value, 1)
                if VALUES.plain(told):
                    self._write({"value": self._number(), "site": site, "result": told})
        return value

    def raised(self, error: BaseException) -> None:
        """An exception leaves a function of the repository."""
        if isinstance(error, (GeneratorExit, StopIteration)) or not self._idle():
            return
        self._abandon(sys._getframe(1), error)
        if getattr(self.local, "error", None) is not error:
            self.local.error = error
            self._write(
                {
                    "raised": self._number(),
                    "error": WORKER.describe_error(error),
                    **LOOK.where(self.places, error),
                }
            )

    def caught(self) -> None:
        """An exception may have ended operations of the function that goes on here."""
        stack = self._stack()
        if stack and self._idle():
            self._abandon(sys._getframe(1), sys.exc_info()[1])

    def _abandon(self, frame: FrameType, error: BaseException | None) -> None:
        """End the operations of a frame and of those that it called."""
        callers = set()
        while frame.f_back is not None:
            frame = frame.f_back
            callers.add(id(frame))
        stack = self._stack()
        while stack and stack[-1].frame not in callers:
            self._gave_up(stack.pop(), error)

    # ------------------------------------------------------------------- entries

    def _idle(self) -> bool:
        if self.events >= SETUP["events"]:
            sys.setprofile(None)  # what is open has no end
            return False
        return not getattr(self.local, "busy", False)

    def _stack(self) -> list[Entry]:
        if not hasattr(self.local, "stack"):
            self.local.stack = []
        stack: list[Entry] = self.local.stack
        return stack

    def _entry(self, site: int) -> Entry:
        entry: Entry = LOOK.Entry(site, sys._getframe(2))
        self._stack().append(entry)
        return entry

    def _find(self, site: int, take: bool = False) -> Entry | None:
        """The last open entry of a site; those above it were left by an exception."""
        stack = self._stack()
        for place in range(len(stack) - 1, -1, -1):
            if stack[place].site == site:
                for left in reversed(stack[place + 1 :]):
                    self._gave_up(left, sys.exc_info()[1])
                del stack[place + 1 :]
                return stack.pop() if take else stack[-1]
        return None

    def _number(self) -> int:
        with self.lock:
            self.events += 1
            return self.events

    def _begin(self, entry: Entry) -> None:
        with self.busy:
            kind = self.sites[entry.site]["kind"]
            receiver: list[tuple[str, Any]] = [("self", value) for value in entry.receiver]
            if kind == "call":
                receiver = [each for each in receiver if self.values.is_tensor(each[1])]
            given = [*receiver, *entry.given]
            asked: dict[str, Any] = {"of": "framework"}
            if kind == "call":
                site, known = self.sites[entry.site], VALUES.FRAMEWORKS
                asked = LOOK.identify(self.places, known, site, entry.callee[0], bool(receiver))
            tensors = [(p, t) for p, v in given for p, t in self.values.tensors(v, p)]
            if kind == "call":
                matters = asked["of"] != "other"
            else:
                matters = any(self.values.is_framework(value) for _, value in given)
            if not (tensors or matters):
                return
            entry.number = self._number()
            entry.of = asked["of"]
            told = {place: self.values.describe(value) for place, value in given}
            entry.after = [(p, t, self.values.hashes.get(id(t))) for p, t in tensors]
            self._write(
                {
                    "start": entry.number,
                    "site": entry.site,
                    "callee": asked,
                    "arguments": told,
                }
            )
        if asked["of"] not in ("repository", "kernel"):
            entry.profile = LOOK.Profile(self.places.unit, entry.entered)
        if asked["of"] == "extension" and not LOOK.is_emulated() and self.looks > 0:
            self.looks -= 1
            entry.operators = LOOK.Operators()

    def _end(self, entry: Entry, result: Any) -> None:
        if entry.profile is not None:
            entry.profile.stop()
        if entry.number is None:
            return
        with self.busy:
            site = self.sites[entry.site]
            numbers = LOOK.random_numbers(self.values, site["word"], entry, result)
            self._redraw(site, numbers)
            told = self.values.describe(result, word=site["word"])
            self._write(
                {
                    "end": entry.number,
                    "result": told,
                    "after": self._find_mutated(entry),
                    "unit": entry.entered[:FUNCTIONS],
                    "operators": entry.operators.stop() if entry.operators else [],
                    "random": {name: self.values.describe(t) for name, t in numbers.items()},
                }
            )

    def _gave_up(self, entry: Entry, error: BaseException | None) -> None:
        if entry.profile is not None:
            entry.profile.stop()
        if entry.operators is not None:
            entry.operators.stop()
        if entry.number is None:
            # asked for what is not there
            wanted = entry.receiver and self.values.is_framework(entry.receiver[0])
            if not wanted or not isinstance(error, AttributeError):
                return
            entry.number = self._number()
            with self.busy:
                asked = {"of": "framework", "module": type(entry.receiver[0]).__module__}
                held = {"self": self.values.describe(entry.receiver[0])}
                start = {"start": entry.number, "site": entry.site}
                self._write({**start, "callee": asked, "arguments": held})
        said = WORKER.describe_error(error) if error is not None else "left by an exception"
        self._write({"end": entry.number, "error": said, "unit": entry.entered[:FUNCTIONS]})

    def _find_mutated(self, entry: Entry) -> dict[str, Any]:
        """The arguments that are not what they were."""
        found = {}
        for place, tensor, before in entry.after:
            now = self.values.describe(tensor)
            if now.get("hash") != before:
                found[place] = now
        return found

    # ------------------------------------------------------------ random numbers

    def _redraw(self, site: dict[str, Any], numbers: dict[str, Any]) -> None:
        """Random numbers as the other framework drew them at the same place."""
        told = numbers and self.drawn.get((site["path"], site["function"], site["word"]))
        wanted = told.pop(0) if told else {}
        for name, tensor in numbers.items():
            there = wanted.get(name, {})
            same = (list(tensor.shape), WORKER.dtype_name(tensor.dtype))
            if same == (there.get("shape"), there.get("dtype")) and "file" in there:
                array = np.load(os.path.join(self.again, "data", there["file"]))
                torch = sys.modules["torch"]
                case = WORKER.Case(torch, {"device": WORKER.device_kind(tensor)}, {})
                with torch.no_grad():
                    tensor.copy_(case.move(array, there["dtype"]))

    def _write(self, line: dict[str, Any]) -> None:
        with self.lock:
            for number in range(self.written, len(self.sites)):
                self.file.write(json.dumps({"number": number, **self.sites[number]}) + "\n")
            self.written = len(self.sites)
            self.file.write(json.dumps(line) + "\n")
            self.file.flush()


def watch(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A function that a parity case calls, as one more operation; named as the case calls it."""
    word = re.split(r"[.:]", name)[-1]
    site = {"path": "", "line": 0, "function": "", "kind": "call", "label": name, "word": word}
    dotted = name.replace(":", ".") if ".py:" not in name else ""
    RECORDER.sites.append({**site, "name": dotted})
    number = len(RECORDER.sites) - 1

    def call(*args: Any, **kwargs: Any) -> Any:
        RECORDER.fn(number, function)
        RECORDER.args(number, args, False)
        RECORDER.named(number, kwargs, True)
        try:
            return RECORDER.out(number, function(*args, **kwargs))
        except BaseException as error:
            RECORDER.raised(error)
            raise

    return call


def install() -> None:
    """Rewrite the repository's files when they are loaded from now on."""
    loader = importlib.machinery.SourceFileLoader
    plain_code = loader.get_code

    def get_code(self: Any, fullname: str) -> Any:
        path = self.get_filename(fullname)
        name = RECORDER.places.name(path)
        if name is None:
            return plain_code(self, fullname)
        tree = SITES.rewrite(self.get_data(path), name, RECORDER.sites)
        return compile(tree, path, "exec", dont_inherit=True)

    setattr(loader, "get_code", get_code)  # noqa: B010 - a method of others
    setattr(builtins, SITES.NAME, RECORDER)
    random.seed(0)
    np.random.seed(0)


with open(os.environ["PORTER_TRACE"], encoding="utf-8") as setup:
    SETUP = json.load(setup)
SITES = sibling("trace_sites")
VALUES = sibling("trace_values")
WORKER = sibling("parity_worker")
LOOK = sibling("trace_looks")
RECORDER = Recorder(
    LOOK.Places(SETUP["root"], SETUP["packages"], SETUP["unit"]), SETUP["out"], SETUP["again"]
)
install()
