"""Record what a repository's Python asks of a framework; stands alone.

Loaded before torch is imported: by the parity worker as a plugin, by pytest with `-p`. Files of the
repository are rewritten when they are loaded (`trace_sites`), all others run as they are. The file
that PORTER_TRACE names says where things are:

    workers  folder of porter's workers
    out      folder for `trace.jsonl`, a line for each start and end of an operation, and `data/`
    root     the repository's folder; `packages`: import names -> folders in it; `unit`: the name of
             the vendored unit, which is not the repository's
    events   how many to record
    again    the folder that another framework's trace was written to, or "": random numbers, and
             what uninitialised memory held, are put in the place of those here
"""

import builtins
import importlib.machinery
import importlib.util
import json
import linecache
import os
import random
import re
import sys
import threading

import numpy as np

OPERATOR = re.compile(r"torch\.ops\.(?!aten\.|prims\.)")  # not of torch's own
LOOKS = 200  # into extensions: each takes 20 ms
FUNCTIONS = 64  # of the unit, of one operation
RANDOM = re.compile(  # and what is in memory that nobody wrote to
    r"(new_)?empty(_like|_strided)?|"
    r"(rand|randn|randint|randperm|normal|bernoulli|multinomial|poisson)(_like)?"
    r"|(normal|uniform|random|bernoulli|exponential|cauchy|geometric|log_normal)_"
    r"|(xavier|kaiming)_(normal|uniform)_|trunc_normal_|orthogonal_"
)


def stood_in():
    """Whether `torch` is another framework here."""
    name = os.environ.get("PORTER_FRAMEWORK", "torch")
    return name != "torch" and name in sys.modules


def sibling(name):
    """Another worker, as a module."""
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(SETUP["workers"], name + ".py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Places:
    """Which files are the repository's, and what they are called there."""

    def __init__(self, root, packages, unit):
        self.root = os.path.join(os.path.realpath(root), "") if root else ""
        self.packages = packages
        self.unit = unit
        self.known = {}

    def name(self, path):
        """Its path in the repository, or None."""
        if path not in self.known:
            self.known[path] = self._name(os.path.realpath(path))
        return self.known[path]

    def _name(self, path):
        parts = path.split(os.sep)
        if self.unit in parts or self.unit + ".py" in parts or not path.endswith(".py"):
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


class Entry:
    """An operation from when its first operand is there until it has ended."""

    __slots__ = (
        *("after", "callee", "entered", "frame", "given", "number", "of", "operators", "profile"),
        *("receiver", "site"),
    )

    def __init__(self, site, frame):
        self.site = site
        self.frame = id(frame)  # lives as long as its operation
        self.number = None  # of its lines in the trace, once it has begun
        self.callee = None
        self.of = ""  # whose function it is
        self.receiver = ()
        self.given = []  # (place, value)
        self.after = []  # (place, tensor, hash before)
        self.entered = []  # functions of the unit that it ran
        self.profile = None
        self.operators = None


class Recorder:
    """What the rewritten files call."""

    slice = staticmethod(slice)

    def __init__(self, places, out, again):
        self.values = VALUES.Values(os.path.join(out, "data"), WORKER)
        self.places = places
        self.file = open(os.path.join(out, "trace.jsonl"), "w", encoding="utf-8")  # noqa: SIM115
        self.sites = []
        self.written = 0  # sites that are in the trace
        self.events = 0
        self.looks = LOOKS
        self.local = threading.local()
        self.lock = threading.RLock()
        self.drawn = drawn(again) if again else {}
        self.again = again

    # ------------------------------------------------------------- what is told

    def obj(self, site, value, last=False):
        if self._idle():
            entry = self._entry(site)
            entry.receiver = (value,)
            if last:
                self._begin(entry)
        return value

    def fn(self, site, function, last=False):
        if self._idle():
            stack = self._stack()
            held = stack and stack[-1].site == site and stack[-1].callee is None
            entry = stack[-1] if held else self._entry(site)
            entry.callee = (function,)
            if last:
                self._begin(entry)
        return function

    def args(self, site, values, last):
        if self._idle():
            entry = self._found(site) or self._entry(site)
            base = len(entry.given)
            entry.given += [(f"args[{base + n}]", value) for n, value in enumerate(values)]
            if last:
                self._begin(entry)
        return values

    def named(self, site, values, last):
        if self._idle():
            entry = self._found(site) or self._entry(site)
            entry.given += [(f"kwargs.{name}", value) for name, value in values.items()]
            if last:
                self._begin(entry)
        return values

    def out(self, site, result):
        if self._idle():
            entry = self._found(site, take=True)
            if entry is not None:
                self._end(entry, result)
        return result

    def value(self, site, value):
        """A number, or an array, that the repository's own Python came to."""
        if self._idle() and isinstance(
            value, (bool, int, float, str, tuple, list, np.ndarray, np.generic)
        ):
            with self._busy():
                told = self.values.described(value, 1)
                if VALUES.plain(told):
                    self._write({"value": self._number(), "site": site, "result": told})
        return value

    def raised(self, error):
        """An exception leaves a function of the repository."""
        if isinstance(error, (GeneratorExit, StopIteration)) or not self._idle():
            return
        self._left(sys._getframe(1), error)
        if getattr(self.local, "error", None) is not error:
            self.local.error = error
            self._write(
                {"raised": self._number(), "error": WORKER.described(error), **self._where(error)}
            )

    def caught(self):
        """An exception may have ended operations of the function that goes on here."""
        stack = self._stack()
        if stack and self._idle():
            self._left(sys._getframe(1), sys.exc_info()[1])

    def _left(self, frame, error):
        """End the operations of a frame and of those that it called."""
        callers = set()
        while frame.f_back is not None:
            frame = frame.f_back
            callers.add(id(frame))
        stack = self._stack()
        while stack and stack[-1].frame not in callers:
            self._gave_up(stack.pop(), error)

    def _where(self, error):
        """The repository's own line that raised, or asked for what did."""
        trace, place = error.__traceback__, {}
        last = None
        while trace is not None:
            path = self.places.name(trace.tb_frame.f_code.co_filename)
            if path is not None:
                code = trace.tb_frame.f_code
                name = getattr(code, "co_qualname", code.co_name).replace(".<locals>", "")
                text = linecache.getline(code.co_filename, trace.tb_lineno).strip()
                place = {"path": path, "line": trace.tb_lineno, "function": name, "label": text}
            last = trace.tb_frame.f_code.co_filename
            trace = trace.tb_next
        return {"where": place, "file": last or ""}

    # ------------------------------------------------------------------- entries

    def _idle(self):
        if self.events >= SETUP["events"]:
            sys.setprofile(None)  # what is open has no end
            return False
        return not getattr(self.local, "busy", False)

    def _busy(self):
        return Busy(self.local)

    def _stack(self):
        if not hasattr(self.local, "stack"):
            self.local.stack = []
        return self.local.stack

    def _entry(self, site):
        entry = Entry(site, sys._getframe(2))
        self._stack().append(entry)
        return entry

    def _found(self, site, take=False):
        """The last open entry of a site; those above it were left by an exception."""
        stack = self._stack()
        for place in range(len(stack) - 1, -1, -1):
            if stack[place].site == site:
                for left in reversed(stack[place + 1 :]):
                    self._gave_up(left, sys.exc_info()[1])
                del stack[place + 1 :]
                return stack.pop() if take else stack[-1]
        return None

    def _number(self):
        with self.lock:
            self.events += 1
            return self.events

    def _begin(self, entry):
        with self._busy():
            kind = self.sites[entry.site]["kind"]
            receiver = [("self", value) for value in entry.receiver]
            if kind == "call":
                receiver = [each for each in receiver if self.values.is_tensor(each[1])]
            given = [*receiver, *entry.given]
            asked = self.callee(entry, bool(receiver)) if kind == "call" else {"of": "framework"}
            tensors = [(p, t) for p, v in given for p, t in self.values.tensors(v, p)]
            if kind == "call":
                matters = asked["of"] != "other"
            else:
                matters = any(self.values.is_framework(value) for _, value in given)
            if not (tensors or matters):
                return
            entry.number = self._number()
            entry.of = asked["of"]
            told = {place: self.values.described(value) for place, value in given}
            entry.after = [(p, t, self.values.held.get(id(t))) for p, t in tensors]
            self._write(
                {
                    "start": entry.number,
                    "site": entry.site,
                    "callee": asked,
                    "arguments": told,
                }
            )
        if asked["of"] not in ("repository", "kernel"):
            entry.profile = Profile(self.places.unit, entry.entered)
        if asked["of"] == "extension" and not stood_in() and self.looks > 0:
            self.looks -= 1
            entry.operators = Operators()

    def _end(self, entry, result):
        if entry.profile is not None:
            entry.profile.stop()
        if entry.number is None:
            return
        with self._busy():
            site = self.sites[entry.site]
            numbers = self._random(site, entry, result)
            self._redraw(site, numbers)
            told = self.values.described(result, word=site["word"])
            self._write(
                {
                    "end": entry.number,
                    "result": told,
                    "after": self._mutated(entry),
                    "unit": entry.entered[:FUNCTIONS],
                    "operators": entry.operators.stop() if entry.operators else [],
                    "random": {name: self.values.described(t) for name, t in numbers.items()},
                }
            )

    def _gave_up(self, entry, error):
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
            with self._busy():
                asked = {"of": "framework", "module": type(entry.receiver[0]).__module__}
                held = {"self": self.values.described(entry.receiver[0])}
                start = {"start": entry.number, "site": entry.site}
                self._write({**start, "callee": asked, "arguments": held})
        said = WORKER.described(error) if error is not None else "left by an exception"
        self._write({"end": entry.number, "error": said, "unit": entry.entered[:FUNCTIONS]})

    def _mutated(self, entry):
        """The arguments that are not what they were."""
        found = {}
        for place, tensor, before in entry.after:
            now = self.values.described(tensor)
            if now.get("hash") != before:
                found[place] = now
        return found

    # ------------------------------------------------------------ random numbers

    def _random(self, site, entry, result):
        """The tensors of a result that another framework would draw otherwise, by name: random
        numbers, and the parameters of its layers."""
        if self.values.is_tensor(result):
            return {"": result} if RANDOM.fullmatch(site["word"]) else {}
        layer = entry.of == "framework" and hasattr(result, "named_parameters")
        made = layer and isinstance(entry.callee[0], type)
        return dict(result.named_parameters()) if made else {}

    def _redraw(self, site, numbers):
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
                    tensor.copy_(case.moved(array, there["dtype"]))

    # ---------------------------------------------------------------- who is asked

    def callee(self, entry, of_tensor):
        """Whose function: the repository's, an extension's, a kernel, the unit's, a framework's."""
        function = entry.callee[0]
        site = self.sites[entry.site]
        while hasattr(function, "__wrapped__") and not isinstance(function, type):
            function = function.__wrapped__
        inner = getattr(function, "__func__", getattr(function, "func", function))
        code = getattr(inner, "__code__", None)
        file = code.co_filename if code else self._file_of(inner)
        name = str(getattr(inner, "__qualname__", None) or type(inner).__qualname__)
        told = {
            "module": str(getattr(inner, "__module__", None) or type(inner).__module__),
            "name": name if code else name.rpartition(".")[2],  # of C, with what holds it
            "file": file,
            "line": code.co_firstlineno if code else 0,
        }
        roots = {told["module"].partition(".")[0], type(inner).__module__.partition(".")[0]}
        owner = type(getattr(function, "__self__", None)).__module__.partition(".")[0]
        if self.places.name(file) is not None:
            return {**told, "of": "repository"}
        if self.places.unit in file.replace(".py", "").split(os.sep):
            return {**told, "of": "unit"}
        if OPERATOR.match(site["name"]):
            return {**told, "of": "extension"}
        if self._extension(told["module"]):
            return {**told, "of": "extension", "file": self._extension(told["module"])}
        if {"triton", "tilelang"} & roots and site["label"].endswith("]"):
            told |= kernel_of(function)
            return {**told, "path": self.places.name(told["file"]) or "", "of": "kernel"}
        known = roots | {owner, site["name"].partition(".")[0]}
        return {**told, "of": "framework" if of_tensor or known & VALUES.FRAMEWORKS else "other"}

    def _file_of(self, thing):
        module = sys.modules.get(str(getattr(thing, "__module__", "")))
        own = isinstance(thing, type) or hasattr(thing, "__name__")
        return str(getattr(module, "__file__", "") or "") if own else ""

    def _extension(self, name):
        """The shared object of a module that is the repository's."""
        file = str(getattr(sys.modules.get(name), "__file__", None) or "")
        ours = name.partition(".")[0] in {p.partition(".")[0] for p in self.places.packages}
        top = name.partition(".")[0] not in VALUES.FRAMEWORKS and "numpy" not in name
        here = self.places.root and os.path.realpath(file).startswith(self.places.root)
        return file if file.endswith((".so", ".pyd")) and top and (ours or here) else ""

    def _write(self, line):
        with self.lock:
            for number in range(self.written, len(self.sites)):
                self.file.write(json.dumps({"number": number, **self.sites[number]}) + "\n")
            self.written = len(self.sites)
            self.file.write(json.dumps(line) + "\n")
            self.file.flush()


class Busy:
    """What the recorder asks of the framework itself is not recorded."""

    def __init__(self, local):
        self.local = local

    def __enter__(self):
        self.local.busy = True

    def __exit__(self, *error):
        self.local.busy = False


class Profile:
    """Which functions of the vendored unit run until it is stopped."""

    def __init__(self, unit, entered):
        self.unit = unit
        self.entered = entered
        self.before = sys.getprofile()
        sys.setprofile(self.seen)

    def seen(self, frame, event, argument):
        if event == "call" and self.unit in frame.f_code.co_filename:
            code = frame.f_code
            place = [code.co_filename, code.co_firstlineno, code.co_name]
            if place not in self.entered:
                self.entered.append(place)

    def stop(self):
        sys.setprofile(self.before)


def kernel_of(launch):
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

    def __init__(self):
        self.profiler = sys.modules["torch"].autograd.profiler.profile()
        self.profiler.__enter__()

    def stop(self):
        self.profiler.__exit__(None, None, None)
        found = {}
        for event in self.profiler.function_events:
            above = event.cpu_parent
            while above is not None and not above.name.startswith("aten::"):
                above = above.cpu_parent
            if above is None and event.name.startswith("aten::"):
                found[event.name.removeprefix("aten::")] = None
        return list(found)


def drawn(folder):
    """The random tensors of another trace, by place, in order."""
    found, sites, open_ones = {}, {}, {}
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


def watched(function, name):
    """A function that a parity case calls, as one more operation; named as the case calls it."""
    word = re.split(r"[.:]", name)[-1]
    site = {"path": "", "line": 0, "function": "", "kind": "call", "label": name, "word": word}
    dotted = name.replace(":", ".") if ".py:" not in name else ""
    RECORDER.sites.append({**site, "name": dotted})
    number = len(RECORDER.sites) - 1

    def called(*args, **kwargs):
        RECORDER.fn(number, function)
        RECORDER.args(number, args, False)
        RECORDER.named(number, kwargs, True)
        try:
            return RECORDER.out(number, function(*args, **kwargs))
        except BaseException as error:
            RECORDER.raised(error)
            raise

    return called


def install():
    """Rewrite the repository's files when they are loaded from now on."""
    loader = importlib.machinery.SourceFileLoader
    plain_code = loader.get_code

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        name = RECORDER.places.name(path)
        if name is None:
            return plain_code(self, fullname)
        tree = SITES.rewritten(self.get_data(path), name, RECORDER.sites)
        return compile(tree, path, "exec", dont_inherit=True)

    loader.get_code = get_code
    setattr(builtins, SITES.NAME, RECORDER)
    random.seed(0)
    np.random.seed(0)


with open(os.environ["PORTER_TRACE"], encoding="utf-8") as setup:
    SETUP = json.load(setup)
SITES = sibling("trace_sites")
VALUES = sibling("trace_values")
WORKER = sibling("parity_worker")
RECORDER = Recorder(
    Places(SETUP["root"], SETUP["packages"], SETUP["unit"]), SETUP["out"], SETUP["again"]
)
install()
