"""Write rules/torch/calls.json: calls of torch's functions with torch's answers, which
`porter surface capture` puts to a target.

Run by an interpreter that has torch and expecttest, from the root of the repository:
`python tests/torch_calls.py rules/torch/calls.json`. The inputs are the small ones of torch's own
samples for its operators (torch.testing._internal.common_methods_invocations), some for each
dtype, with two digits. Imports nothing of porter.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"

import json
import runpy
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch.testing._internal.common_methods_invocations import op_db

WORKER = runpy.run_path(str(Path(__file__).parents[1] / "porter" / "workers" / "surface_calls.py"))
SMALL = 30  # elements of an input
SAMPLES = {  # unlike each other, by dtype
    torch.float32: 4, torch.int64: 2, torch.bool: 1, torch.float64: 1, torch.float16: 1,
    torch.bfloat16: 1, torch.int32: 1, torch.uint8: 1, torch.complex64: 1,
}  # fmt: skip
NAMES = "abcdefghijkl"
INTERNAL = ("_refs", "_native", "jiterator")
FREE = (  # results that are not determined: memory as it is, random numbers, vectors up to a sign
    *("empty", "rand", "normal", "bernoulli", "multinomial", "dropout", "rrelu", "poisson"),
    *("uniform", "cauchy", "geometric", "exponential", "eig", "svd", "qr", "lobpcg", "lstsq"),
    *("ormqr", "householder"),
)


class Skip(Exception):
    """A sample that cannot be written down."""


def written(value: Any, inputs: dict[str, list[Any]]) -> str:
    """An argument as code; its tensors go to `inputs`."""
    if isinstance(value, torch.Tensor):
        small = value.numel() <= SMALL and len(inputs) < len(NAMES)
        if not small or value.layout != torch.strided or value.is_quantized:
            raise Skip
        name = NAMES[len(inputs)]
        numbers = [rounded(number) for number in value.detach().reshape(-1).tolist()]
        inputs[name] = [str(value.dtype).rpartition(".")[2], list(value.shape), numbers]
        return name
    if type(value) in (list, tuple, torch.Size):
        inner = [written(item, inputs) for item in value]
        if isinstance(value, list):
            return f"[{', '.join(inner)}]"
        return f"({', '.join(inner)}{',' * (len(inner) == 1)})"
    if isinstance(value, float) and str(value) in ("inf", "-inf", "nan"):
        return f'float("{value}")'
    if isinstance(value, bool | int | float | complex | str | slice | None):
        return repr(value)
    if isinstance(value, torch.dtype | torch.memory_format | torch.layout):
        return str(value)
    if isinstance(value, torch.device):
        return f'torch.device("{value}")'
    raise Skip


def rounded(value: Any) -> Any:
    if isinstance(value, complex):
        return [round(value.real, 2), round(value.imag, 2)]
    if isinstance(value, float):
        return str(value) if str(value) in ("inf", "-inf", "nan") else round(value, 2)
    return value


def samples(op: Any, dtype: torch.dtype, count: int) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """(inputs, arguments as code) of some samples, unlike each other."""
    kinds: set[Any] = set()
    for sample in op.sample_inputs("cpu", dtype, requires_grad=False):
        inputs: dict[str, Any] = {}
        try:
            arguments = [written(value, inputs) for value in (sample.input, *sample.args)]
            arguments += [f"{k}={written(value, inputs)}" for k, value in sample.kwargs.items()]
        except Skip:
            continue
        scalars = tuple(not shape for _, shape, _ in inputs.values())
        kind = (len(sample.args), tuple(sample.kwargs), scalars)
        if kind not in kinds:
            kinds.add(kind)
            yield inputs, arguments
        if len(kinds) == count:
            return


def forms(op: Any, inputs: dict[str, Any], arguments: list[str]) -> Iterator[tuple[str, str]]:
    """(name, code) of each way to call an operator: function, method, method in place."""
    first, rest = arguments[0], ", ".join(arguments[1:])
    for name in (op.name, *(alias.name for alias in op.aliases)):
        last = name.rpartition(".")[2]
        if callable(found(name)):
            yield f"torch.{name}", f"torch.{name}({', '.join(arguments)})"
        if first in inputs and op.method_variant and hasattr(torch.Tensor, last):
            yield f"torch.Tensor.{last}", f"{first}.{last}({rest})"
        if first in inputs and op.inplace_variant and hasattr(torch.Tensor, f"{last}_"):
            yield f"torch.Tensor.{last}_", f"{first}.{last}_({rest})"


def found(name: str) -> Any:
    here: Any = torch
    for word in name.split("."):
        here = getattr(here, word, None)
    return here


def asked() -> Iterator[list[Any]]:
    for op in op_db:
        if op.name.startswith(INTERNAL):
            continue
        for dtype, count in SAMPLES.items():
            if dtype in op.dtypes:
                try:
                    for inputs, arguments in samples(op, dtype, count):
                        for name, code in forms(op, inputs, arguments):
                            yield [name, code, inputs]
                except (RuntimeError, NotImplementedError) as error:  # no such sample here
                    sys.stderr.write(f"{op.name} {dtype}: {error}"[:120] + "\n")


def answered(calls: list[list[Any]], seed: int) -> list[Any]:
    torch.manual_seed(seed)
    answers: list[Any] = []
    while len(answers) < len(calls):
        answers += WORKER["batch"](torch, [call[1:] for call in calls], len(answers))
    return answers


def outline(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what is another one each time."""
    kept = {k: v for k, v in answer.items() if k not in ("values", "value", "changes")}
    return {**kept, "of": [outline(item) for item in kept["of"]]} if "of" in kept else kept


def main(path: str) -> None:
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    calls = list({json.dumps(call): call for call in asked()}.values())
    kept = []
    for call, one, two in zip(calls, answered(calls, 1), answered(calls, 2), strict=True):
        if "error" not in one and "unmade" not in one:
            free = one != two or any(word in call[0] for word in FREE)
            kept.append([*call, outline(one) if free else one])
    rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in kept)
    Path(path).write_text(f"[\n{rows}\n]\n")
    sys.stdout.write(f"{len(kept)} calls of {len({row[0] for row in kept})} names\n")


if __name__ == "__main__":
    main(sys.argv[1])
