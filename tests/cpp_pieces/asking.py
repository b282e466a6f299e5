"""The answers of a piece's examples under one framework; what was asked before is not again."""

from __future__ import annotations

import os
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.cpp_pieces import building, toolchain
from tests.cpp_pieces.examples import Examples
from tests.cpp_pieces.running import Worker, final

Answers = list[Any]


def answers(
    worker: Worker, piece: Examples, headers: Sequence[str]
) -> tuple[dict[int, Answers], dict[int, str]]:
    """By number: the answers of each example at its points, or why it was not built."""
    keys = _keys(worker, piece, headers)
    files = [worker.tools.cache / "answers" / f"{worker.tools.framework}-{key}" for key in keys]
    numbers = [number for number, file in enumerate(files) if not file.is_file()]
    found, errors = _asked(worker, piece, headers, numbers)
    for number in numbers:
        if number in errors or all(final(answer) for answer in found[number]):
            _keep(files[number], (errors.get(number, ""), found.get(number, [])))
    for number in set(range(len(files))) - set(numbers):
        error, told = pickle.loads(files[number].read_bytes())
        if error:
            errors[number] = error
        else:
            found[number] = told
    return found, errors


def _keys(worker: Worker, piece: Examples, headers: Sequence[str]) -> list[str]:
    """Everything that the answers of each example depend on."""
    own = [(toolchain.HERE / name).read_text() for name in ("worker.py", "inputs.py")]
    common = (toolchain.header(worker.tools).parent.name, toolchain.runner(worker.tools).name)
    shared = (*common, own, headers, piece.headers, piece.prelude)
    return [
        toolchain.digest(shared, each.code, [each.given(point) for point in each.points()])
        for each in piece.examples
    ]


def _asked(
    worker: Worker, piece: Examples, headers: Sequence[str], numbers: Sequence[int]
) -> tuple[dict[int, Answers], dict[int, str]]:
    modules, errors = building.build(worker.tools, piece, numbers, headers)
    found: dict[int, Answers] = {}
    for module in modules:
        jobs = [
            (number, {**piece.examples[number].given(point), "index": index})
            for index, number in enumerate(module.numbers)
            for point in piece.examples[number].points()
        ]
        told = worker.answers(module.path, [point for _, point in jobs])
        for (number, _), answer in zip(jobs, told, strict=True):
            found.setdefault(number, []).append(answer)
    return found, errors


def _keep(file: Path, data: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}")
    part.write_bytes(pickle.dumps(data))
    part.rename(file)
