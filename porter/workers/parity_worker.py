"""Make the calls of parity cases under one framework; stands alone, imports nothing of porter.

Usage: python -P parity_worker.py JOB.json. The job names the folder to write to: for each case
`<index>.json` with what came back, and `<index>_<n>.npy` for each tensor; `started.txt` gets the
index of a case before it begins, so that a crash can be blamed on it. Then it waits for
`more.<n>.json`, lists of more cases, until there is an empty one.
"""

from __future__ import annotations

import faulthandler
import functools
import importlib
import importlib.util
import json
import os
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .parity_process import State
    from .parity_results import Results

    Array = NDArray[Any]

FLOATING = ("float64", "float32", "float16", "bfloat16")


class Raised(Exception):
    """The code under test raised; says in which phase."""

    def __init__(self, phase: str, error: BaseException) -> None:
        super().__init__(phase)
        self.phase = phase
        self.error = error


class Case:
    """One case while it is run."""

    def __init__(self, torch: Any, job: dict[str, Any], spec: dict[str, Any]) -> None:
        self.torch = torch
        self.job = job
        self.spec = spec
        self.inputs: list[tuple[str, Any, bool]] = []  # (place, tensor, wants gradient)
        self.results: Results = RESULTS.Results(torch, job.get("out", ""), spec.get("index", 0))
        self.owners: list[Any] = []  # of the arguments' memory
        self.state: State | None = None  # before the call, after the imports

    # ------------------------------------------------------------ arguments

    def argument(self, value: dict[str, Any], place: str) -> Any:
        kind = value["kind"]
        if kind == "value":
            return value["value"]
        if kind == "list":
            items = enumerate(value["items"])
            return [self.argument(each, f"{place}[{n}]") for n, each in items]
        if kind == "device":
            return self.job["device"]
        if kind == "torch":
            found = self.torch
            for part in value["value"].split("."):
                found = getattr(found, part)
            return found
        return self.tensor(value, place)

    def tensor(self, value: dict[str, Any], place: str) -> Any:
        array = np.load(os.path.join(self.job["inputs"], value["file"]))
        tensor = self.lay_out(array, value["dtype"], value["layout"])
        if self.spec.get("wide"):
            tensor = self.widen(tensor, value["dtype"])
        if value["grad"]:
            tensor = tensor.requires_grad_(True)
        self.inputs.append((place, tensor, value["grad"]))
        if all(tensor.shape):
            self.results.memory.append((place, *RESULTS.extent(tensor)))
        return tensor

    def widen(self, tensor: Any, dtype: str) -> Any:
        """The same numbers in the widest dtype of their kind."""
        kind = next((k for k in ("complex", "float") if k in dtype), "")
        wide = {"complex": "complex128", "float": "float64"}.get(kind)
        return tensor.to(getattr(self.torch, wide)) if wide else tensor

    def lay_out(self, array: Array, dtype: str, layout: str) -> Any:
        if layout == "transposed":
            return self.move(array.swapaxes(-1, -2), dtype).transpose(-1, -2)
        if layout == "sliced":
            wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
            wide[..., ::2] = array
            return self.move(wide, dtype)[..., ::2]
        tensor = self.move(array, dtype)
        if layout == "expanded" and array.size:
            # not expand(): some frameworks copy there
            strides = [s // array.itemsize for s in np.ascontiguousarray(array).strides]
            return self.torch.as_strided(tensor, list(array.shape), [0, *strides[1:]])
        return tensor

    def move(self, array: Array, dtype: str) -> Any:
        """On the device before the layout is made: moving may compact it."""
        # a copy of its own, as an operator may write to it; reshape: 0-d would become 1-d
        array = np.array(np.ascontiguousarray(array)).reshape(array.shape)
        if dtype in BITS:
            array = array.view(BITS[dtype][0])
        tensor = self.torch.from_numpy(array).to(self.job["device"])
        # contiguous() may give its tensor other memory: what it had is not to be given to a result
        self.owners.append(tensor)
        return tensor.view(getattr(self.torch, dtype)) if dtype in BITS else tensor

    # -------------------------------------------------------------- calling

    def function(self) -> Callable[..., Any]:
        call = self.spec["call"]
        module, colon, path = call.rpartition(":")
        if colon and module.endswith(".py"):
            found: Any = load_plugin(module)
        elif colon:
            found = importlib.import_module(module)
        else:
            found, path = self.torch, path.partition(".")[2]
        for part in path.split("."):
            found = getattr(found, part)
        function: Callable[..., Any] = found
        return function

    def run(self) -> dict[str, Any]:
        call = self.prepare()
        try:
            if "seconds" in self.spec:
                return {"status": "result", "tree": self.measure(call, self.spec["seconds"])}
            result = call()
            outputs: list[Any] = []
            # waits for the current stream only: kernels on another that nobody waits for are late
            tree = self.results.node(result, "result", outputs)
            for place, tensor, _ in self.inputs:
                self.results.write("argument", place, tensor)
            self.finish()
        except (Exception, SystemExit) as error:
            raise Raised("call", error) from error
        return {"status": "result", "tree": tree, **self.gradients(outputs)}

    def prepare(self) -> Callable[[], Any]:
        """The function with its arguments."""
        try:
            for name in self.spec["imports"]:
                importlib.import_module(name)
            function = watch(self.function(), self.spec["call"])
        except (Exception, SystemExit) as error:
            raise Raised("import", error) from error
        self.state = PROCESS.State(self.torch)
        self.torch.manual_seed(0)  # whatever ran before
        try:
            args = [self.argument(a, f"args[{n}]") for n, a in enumerate(self.spec["args"])]
            named = self.spec["kwargs"].items()
            kwargs = {key: self.argument(a, "kwargs." + key) for key, a in named}
        except Exception as error:
            raise Raised("arguments", error) from error
        return functools.partial(function, *args, **kwargs)

    def measure(self, call: Callable[[], object], seconds: float) -> dict[str, Any]:
        """Seconds of one call until it returns, and until its kernels are done."""
        for _ in range(2):  # the first compiles and reserves
            began = time.perf_counter()
            call()
            self.finish()
            once = time.perf_counter() - began
        count = max(1, min(10_000, int(seconds / max(once, 1e-9))))
        began = time.perf_counter()
        for _ in range(count):
            call()
        returned = time.perf_counter() - began
        self.finish()
        done = time.perf_counter() - began
        return {"kind": "times", "returned": returned / count, "done": done / count}

    def finish(self) -> None:
        """Wait for the errors of kernels that are still at work."""
        module = getattr(self.torch, self.job["device"], None)
        wait = getattr(module, "synchronize", None)
        if self.job["device"] != "cpu" and wait is not None:
            wait()

    def gradients(self, outputs: list[Any]) -> dict[str, str]:
        if not any(wanted for _, _, wanted in self.inputs):
            return {}
        try:
            live = [t for t in outputs if t.requires_grad and dtype_name(t.dtype) in FLOATING]
            if not live:
                return {"gradient_error": "no result depends on an argument with grad"}
            wanted = {place: tensor for place, tensor, grad in self.inputs if grad}
            found = watch(self.backward, "gradients")(
                live, [self.cotangent(t) for t in live], wanted
            )
            for place, gradient in found.items():
                self.results.write("gradient", place, gradient)
            self.finish()
        except Exception as error:
            return {"gradient_error": describe_error(error)}
        return {}

    def backward(
        self, results: list[Any], cotangents: list[Any], wanted: dict[str, Any]
    ) -> dict[str, Any]:
        """The gradients of the tensors that have one, by place."""
        self.torch.autograd.backward(results, cotangents)
        return {place: t.grad for place, t in wanted.items() if t.grad is not None}

    def cotangent(self, tensor: Any) -> Any:
        """The same numbers on every side, with every sign and no symmetry."""
        shape = [int(size) for size in tensor.shape]
        count = int(np.prod(shape)) if shape else 1
        # odd 64ths: none is zero, and none is rounded in a dtype of 16 bits
        steps = 2 * np.floor(32 * np.cos(np.arange(count) * 0.7 + 1.0)) + 1
        numbers = (steps / 64).astype(np.float32).reshape(shape)
        return self.torch.from_numpy(numbers).to(tensor.device).to(tensor.dtype)


def describe_error(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [""]
    # the first line says what, the last often why: some frameworks print stacks between them, or
    # in brackets the error that this one came from
    within = [line for line in lines[1:-1] if re.match(r"\s*\w*(Error|Exception)\b", line)]
    told = dict.fromkeys(line.strip() for line in (lines[0], *within[:2], lines[-1]))
    return f"{type(error).__name__}: {' ... '.join(told)[:1500]}"


def load_plugin(path: str) -> ModuleType:
    """The module of a file that is no package's."""
    name = "porter_" + os.path.basename(path).removesuffix(".py")
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def watch(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function, told to the recorder of operations where one is at work."""
    recorder = sys.modules.get("porter_trace_calls")
    return recorder.watch(function, name) if recorder else function


def launches() -> int:
    """How many Triton kernels were interpreted on the CPU so far."""
    interpreted = sys.modules.get("porter_triton_cpu")
    return interpreted.launches() if interpreted else 0


def answer(torch: Any, job: dict[str, Any], spec: dict[str, Any]) -> dict[str, Any]:
    before = launches()
    case = Case(torch, job, spec)
    try:
        found = case.run()
    except Raised as raised:
        traceback.print_exception(raised.error)
        found = {"status": "raised", "phase": raised.phase, "error": describe_error(raised.error)}
    found["tensors"] = case.results.tensors
    found["emulated"] = launches() > before
    found["changed"] = case.state.put_back() if case.state else []
    found["left"] = case.state.count_leftovers() if case.state else 0
    emulated = sys.modules.get("emulated_start")
    if emulated:
        emulated.forget_errors()  # a fault of one case is not the next one's
    return found


def save(path: str, value: object) -> None:
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.replace(path + ".tmp", path)


def main(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    out = job["out"]
    faulthandler.enable()  # a crash leaves its stack in the log
    os.environ["PORTER_DEVICE"] = job["device"]
    # emulated CUDA: who reads what another stream writes without waiting is to be seen
    os.environ.setdefault("PORTER_EMULATED_LATE", "1")
    # and what threads of a block read or write without a barrier
    os.environ.setdefault("PORTER_EMULATED_ORDERS", "both")
    for plugin in job["plugins"]:
        load_plugin(plugin)
    exec(compile(job["prelude"], "<prelude>", "exec"), {})
    import torch

    reason = PROCESS.unavailable(torch, job["device"])
    if reason:
        save(os.path.join(out, "unavailable.json"), reason)
        return
    save(os.path.join(out, "environment.json"), PROCESS.environment(torch))
    if job["device"] == "cpu":  # drivers of others reserve more than they take
        PROCESS.limit_memory(job["memory"])
    with open(os.path.join(out, "started.txt"), "a", encoding="utf-8") as started:
        for spec in specs(job):
            started.write(f"{spec['index']}\n")
            started.flush()
            # ends the process even while C code holds the interpreter
            faulthandler.dump_traceback_later(job["timeout"], exit=True, file=started)
            found = answer(torch, job, spec)
            faulthandler.cancel_dump_traceback_later()
            save(os.path.join(out, f"{spec['index']}.json"), found)
            if found["status"] == "raised" and not PROCESS.computes(torch, job["device"]):
                return  # the cases that are left get another process


def specs(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The cases of the job, and those that come later."""
    yield from job["cases"]
    number, parent = 0, os.getppid()
    while os.getppid() == parent:
        path = os.path.join(job["out"], f"more.{number}.json")
        if not os.path.exists(path):
            time.sleep(0.002)
            continue
        with open(path, encoding="utf-8") as file:
            more = json.load(file)
        if not more:
            return
        yield from more
        number += 1


HERE = os.path.dirname(__file__)
PROCESS: Any = load_plugin(os.path.join(HERE, "parity_process.py"))
RESULTS: Any = load_plugin(os.path.join(HERE, "parity_results.py"))
# What the recorder of operations asks for, too.
BITS, dtype_name, device_kind = RESULTS.BITS, RESULTS.dtype_name, RESULTS.device_kind
numbers = RESULTS.numbers

if __name__ == "__main__":
    main(sys.argv[1])
