"""Calls the cases of test modules under one framework: `python worker.py FRAMEWORK RUNNER SECONDS`.

Reads the paths of jobs from its input; answers go, one pickle a point, to the file that the job
names. A line "done" on its output tells the end of a job. A call that takes longer than SECONDS
ends the process, whatever it waits for.
"""

import functools
import importlib.util
import json
import os
import pickle
import signal
import sys
import traceback
from pathlib import Path

import numpy as np
from inputs import arrays


@functools.cache
def prepared(point):
    return arrays(json.loads(point))


class Torch:
    def __init__(self):
        import torch

        torch.set_num_threads(1)
        self.torch = torch

    def tensor(self, dtype, buffer, shape, strides, offset):
        flat = self.torch.from_numpy(buffer.copy())
        if dtype == "bfloat16":
            flat = flat.view(self.torch.bfloat16)
        return flat, self.torch.as_strided(flat, shape, strides, offset)

    def place(self, tensor):
        return tensor.data_ptr(), tensor.element_size()

    def leaf(self, tensor):
        """A leaf with the elements of a tensor, and what may be written to instead of it."""
        leaf = tensor.detach().clone().requires_grad_()
        return leaf, leaf * 1

    def is_recorded(self, tensor):
        return tensor.requires_grad

    def gradients(self, results, leaves):
        weights = (self.torch.arange(r.numel()).reshape(r.shape) % 7 + 1.0 for r in results)
        total = sum((r * w).sum() for r, w in zip(results, weights, strict=True))
        return self.torch.autograd.grad(total, leaves, allow_unused=True)

    def told(self, tensor):
        dtype = str(tensor.dtype).removeprefix("torch.")
        plain = tensor.detach().cpu().contiguous()
        if plain.is_complex():
            plain = plain.resolve_conj().resolve_neg()
        if dtype == "bfloat16":
            plain = plain.view(self.torch.int16)
        return dtype, tuple(tensor.shape), tuple(tensor.stride()), plain.numpy(force=True).tobytes()


class Paddle:
    def __init__(self):
        import paddle

        self.paddle = paddle
        paddle.set_device("cpu")

    def tensor(self, dtype, buffer, shape, strides, offset):
        flat = self.paddle.to_tensor(buffer.copy())
        if not buffer.size:
            return flat, flat.reshape(shape)
        size = buffer.itemsize
        return flat, self.paddle.as_strided(flat, list(shape), list(strides), offset * size)

    def place(self, tensor):
        return tensor.data_ptr(), tensor.element_size()

    def leaf(self, tensor):
        leaf = tensor.detach().clone()
        leaf.stop_gradient = False
        return leaf, leaf * 1

    def is_recorded(self, tensor):
        return not tensor.stop_gradient

    def gradients(self, results, leaves):
        sizes = ((int(r.size), r.shape) for r in results)
        weights = (self.paddle.arange(n).reshape(s).astype("float64") % 7 + 1 for n, s in sizes)
        total = sum((r * w).sum() for r, w in zip(results, weights, strict=True))
        return self.paddle.grad([total], leaves, allow_unused=True)

    def told(self, tensor):
        dtype = str(tensor.dtype).removeprefix("paddle.")
        shape, strides = tuple(tensor.shape), tuple(tensor.strides)
        return dtype, shape, strides, np.ascontiguousarray(tensor.detach().numpy()).tobytes()


def entry(framework, result, buffers):
    kind, text, tensor = result
    if kind != "tensor":
        return kind, text
    dtype, shape, strides, data = framework.told(tensor)
    alias = ""
    if data:
        at, size = framework.place(tensor)
        for name, (start, end) in buffers.items():
            if start <= at < end:
                alias = f"{name}+{(at - start) // size}"
    return "tensor", dtype, shape, strides, alias, data


def answer(framework, run, module, point):
    """What one call gives: its results, and what its inputs are afterwards; or the error."""
    flats, given = {}, {}
    about = {key: value for key, value in point.items() if key != "index"}
    for name, spec in prepared(json.dumps(about)).items():
        flats[name], given[name] = framework.tensor(*spec)
        assert str(given[name].dtype).endswith(spec[0]), (name, spec)
    buffers = {}
    for name, flat in flats.items():
        start, size = framework.place(flat)
        buffers[name] = (start, start + size * flat.shape[0])
    try:
        results = run(module, point["index"], given)
    except Exception as error:
        text = str(error).strip()
        return {"error": type(error).__name__, "text": text[-400:]}
    try:
        values = [entry(framework, result, buffers) for result in results]
        after = {name: entry(framework, ("tensor", "", given[name]), {}) for name in given}
    except Exception as error:
        return {"crash": f"its results cannot be read: {type(error).__name__}: {error}"}
    return {"values": values, "after": after}


def derived(framework, run, module, point):
    """By input: its gradient by what a call gives, or that there is none; or the error."""
    leaves, given = {}, {}
    about = {key: value for key, value in point.items() if key != "index"}
    for name, spec in prepared(json.dumps(about)).items():
        _, given[name] = framework.tensor(*spec)
        if spec[0] == "float64":
            leaves[name], given[name] = framework.leaf(given[name])
    try:
        results = [r[2] for r in run(module, point["index"], given) if r[0] == "tensor"]
        recorded = [r for r in results if str(r.dtype).endswith("float64")]
        recorded = [r for r in recorded if framework.is_recorded(r)]
        if not recorded:
            return {"unrecorded": True}
        found = framework.gradients(recorded, list(leaves.values()))
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error).strip()[-400:]}
    named = zip(leaves, found, strict=True)
    return {n: framework.told(g) for n, g in named if g is not None}


def main():
    seconds = int(sys.argv[3])
    signal.alarm(300)  # to import the framework
    framework = {"torch": Torch, "paddle": Paddle}[sys.argv[1]]()
    for ending in (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGBUS, signal.SIGILL):
        signal.signal(ending, signal.SIG_DFL)  # a framework's own handler may wait for ever
    spec = importlib.util.spec_from_file_location("porter_test_runner", sys.argv[2])
    runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runner)
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    signal.alarm(0)
    for line in sys.stdin:
        job = json.loads(Path(line.rstrip("\n")).read_text())
        with Path(job["out"]).open("ab") as file:
            for point in job["points"]:
                signal.alarm(seconds)
                told = answer(framework, runner.run, job["module"], point)
                if (point["dtype"], point["layout"]) == ("float64", "contiguous"):
                    told["gradients"] = derived(framework, runner.run, job["module"], point)
                pickle.dump(told, file)
                file.flush()
        signal.alarm(0)
        channel.write("done\n")
        channel.flush()


try:
    main()
except BaseException:
    traceback.print_exc()
    os._exit(1)
os._exit(0)  # a framework's own end may wait for threads for ever
