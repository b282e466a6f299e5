"""Run calls of torch functions on small inputs and say what each gives: by the framework's
interpreter, torch's own or one whose `torch` is a proxy.

argv: file with {"calls": [[code, inputs], ...]} and what surface_probes.enable takes, file to
write.
`inputs` are {name: [dtype, shape, values]}; what is answered to a call: see `answer`.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import os
import signal
import sys
import warnings
from typing import Any

from surface_probes import enable  # type: ignore[import-not-found]

os.environ.setdefault("OMP_NUM_THREADS", "1")  # a forked process cannot use its parent's threads

SECONDS = 10
BATCH = 200  # calls in one process
LARGEST = 128  # elements whose values are told


def make_tensor(torch: Any, dtype: str, shape: list[int], values: list[Any]) -> Any:
    """A tensor of a dtype and shape with these values."""
    numbers: list[Any] = [complex(*v) if isinstance(v, list) else v for v in values]
    if dtype.startswith(("float", "bfloat")):
        numbers = [float(v) for v in numbers]
    kinds = {"complex": torch.complex128, "bool": torch.bool, "bfloat": torch.float64}
    kinds |= {"float": torch.float64}
    wide = next((kinds[kind] for kind in kinds if dtype.startswith(kind)), torch.int64)
    return torch.tensor(numbers, dtype=wide).to(getattr(torch, dtype)).reshape(shape)


def values_of(torch: Any, tensor: Any) -> list[Any] | None:
    """The numbers of a tensor, as JSON can hold them."""
    flat = tensor.detach().reshape([-1])
    if flat.numel() > LARGEST:
        return None
    if "complex" in str(tensor.dtype):
        return [[number(v.real), number(v.imag)] for v in flat.to(torch.complex128).tolist()]
    if tensor.dtype == torch.bool:
        return list(flat.tolist())
    whole = not tensor.is_floating_point()
    return [number(v) for v in flat.to(torch.int64 if whole else torch.float64).tolist()]


def number(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return float(f"{value:.6g}") if isinstance(value, float) else value


def describe_result(torch: Any, value: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    """What a result is: type, dtype, shape, strides, values, whose memory it has."""
    if isinstance(value, torch.Tensor):
        own = value.data_ptr() if value.numel() else None
        shared = [n for n, t in inputs.items() if own is not None and t.data_ptr() == own]
        return {
            "is": "Tensor",
            "dtype": str(value.dtype).rpartition(".")[2],
            "shape": list(value.shape),
            "strides": list(value.stride()),
            "values": values_of(torch, value),
            "memory of": shared[:1],
        }
    if isinstance(value, (list, tuple)):
        inner = [describe_result(torch, item, inputs) for item in value]
        return {"is": "list" if isinstance(value, list) else "tuple", "of": inner}
    if isinstance(value, (bool, int, float, str, type(None))):
        return {"is": type(value).__name__, "value": number(value)}
    if isinstance(value, complex):
        return {"is": "complex", "value": [number(value.real), number(value.imag)]}
    return {"is": type(value).__name__}


def answer(torch: Any, code: str, inputs: dict[str, Any], scope: dict[str, Any]) -> dict[str, Any]:
    """What one call gives, and the inputs that it changed; or the type of the error."""
    try:
        tensors = {name: make_tensor(torch, *of) for name, of in inputs.items()}
        before = {name: values_of(torch, tensor) for name, tensor in tensors.items()}
    except Exception as error:  # the input itself cannot be made here
        return {"unmade": f"{type(error).__name__}: {error}"[:160]}
    try:
        found = describe_result(torch, eval(code, {**scope, "torch": torch, **tensors}), tensors)
    except Exception as error:
        lines = str(error).strip().splitlines() or [""]
        return {"error": type(error).__name__, "said": lines[0][:160]}
    changed = {n: values_of(torch, t) for n, t in tensors.items()}
    changes = {n: values for n, values in changed.items() if values != before[n]}
    return {**found, "changes": changes}


def batch(torch: Any, calls: list[Any], start: int, scope: dict[str, Any]) -> list[dict[str, Any]]:
    """Answers to calls from `start` on, from a forked process: fewer where one ends it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        with os.fdopen(writing, "w") as pipe:
            for code, inputs in calls[start : start + BATCH]:
                signal.alarm(SECONDS)
                pipe.write(json.dumps(answer(torch, code, inputs, scope)) + "\n")
                pipe.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        lines = [line for line in pipe.read().splitlines() if line.endswith("}")]
    _, status = os.waitpid(child, 0)
    found = [json.loads(line) for line in lines]
    if len(found) < min(BATCH, len(calls) - start):
        ending = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        found.append({"error": "crash", "said": f"the process ends with signal {ending}"})
    return found


def main(asked: str, path: str) -> None:
    warnings.simplefilter("ignore")
    with open(asked, encoding="utf-8") as file:
        request = json.load(file)
    scope = enable(request)
    torch = importlib.import_module("torch")
    for module in ("torch.nn.functional", "torch.special", "torch.fft", "torch.linalg"):
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    answers: list[dict[str, Any]] = []
    while len(answers) < len(request["calls"]):
        answers += batch(torch, request["calls"], len(answers), scope)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(answers, file)


if __name__ == "__main__":
    main(*sys.argv[1:3])
