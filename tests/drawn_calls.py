"""Compares what calls drawn by tests/data/torch_drawn_calls.py give under torch and under Paddle.

python -m tests.drawn_calls TORCH PADDLE    # two files of what it has printed
"""

from __future__ import annotations

import collections
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

TOLERANCES = {
    "float16": 4e-3,
    "bfloat16": 3e-2,
    "float32": 2e-4,
    "complex64": 2e-4,
    "float64": 1e-7,
    "complex128": 1e-7,
}


def equal(one: object, other: object, tolerance: float) -> bool:
    """Whether these are the same, but for the last digits of numbers."""
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return False
        tensor = len(one) == 4 and isinstance(one[0], str) and isinstance(one[1], list)
        tolerance = TOLERANCES.get(str(one[0]), 0) if tensor else tolerance
        if tensor and tolerance and one[:3] == other[:3]:
            return near(one[3], other[3], tolerance)
        return all(equal(a, b, tolerance) for a, b in zip(one, other, strict=True))
    if isinstance(one, float) and isinstance(other, float):
        return near([one], [other], 1e-4)
    return type(one) is type(other) and one == other


def near(one: list, other: list, tolerance: float) -> bool:
    ones, others = list(flat(one)), list(flat(other))
    finite = [abs(a) for a in ones if math.isfinite(a)]
    scale = max([1.0, *finite]) * 0.05
    return len(ones) == len(others) and all(
        a == b
        or (math.isnan(a) and math.isnan(b))
        or abs(a - b) <= tolerance * max(abs(a), abs(b), scale)
        for a, b in zip(ones, others, strict=True)
    )


def flat(values: list) -> Iterator[float]:
    for each in values:
        if isinstance(each, list):
            yield from flat(each)
        else:
            yield each


def difference(torch: dict, paddle: dict) -> str | None:
    """How the outcome of a call differs, in a word; None if it does not."""
    errors = torch.get("error"), paddle.get("error")
    if errors[1] and errors[1][0] == "crash":
        return None if errors[0] else "crash"
    if errors[0] or errors[1]:
        return None if errors[0] and errors[1] else "refused" if errors[1] else "accepted"
    for part in ("gives", "same", "written", "state"):
        if not equal(torch[part], paddle[part], 0):
            return part
    for part in ("gradients", "second"):
        one, other = torch.get(part), paddle.get(part)
        failed = [
            isinstance(each, list) and bool(each) and isinstance(each[0], str)
            for each in (one, other)
        ]
        if any(failed):
            if not all(failed):
                return f"{part} {'refused' if failed[1] else 'accepted'}"
        elif not equal(*nones(one, other), 0):
            return part
    return None


def nones(one: list | None, other: list | None) -> tuple[list, list]:
    """Gradients of which both are given: None is a gradient of zeros."""
    size = max(len(one or ()), len(other or ()))
    pairs = list(zip(one or [None] * size, other or [None] * size, strict=True))
    zeros = [
        tuple(gradient(each, other) for each, other in ((a, b), (b, a))) for a, b in pairs if a or b
    ]
    return [a for a, _ in zeros], [b for _, b in zeros]


def gradient(one: list | None, other: list | None) -> list:
    """A gradient, whether or not it has one itself."""
    like = one or other
    return [*like[:2], False, one[3] if one else zero(like[3])]


def zero(values: list) -> list:
    return [zero(each) if isinstance(each, list) else 0.0 for each in values]


def outcomes(text: str) -> dict[str, tuple[str, dict]]:
    lines = (line.split("\t") for line in text.splitlines())
    return {number: (call, json.loads(found)) for number, call, found in lines}


def differences(torch: str, paddle: str) -> list[tuple[str, str, str, dict, dict]]:
    ones, others = outcomes(torch), outcomes(paddle)
    assert {k: v[0] for k, v in ones.items()} == {k: v[0] for k, v in others.items()}
    found = [
        (n, call, difference(one, others[n][1]), one, others[n][1])
        for n, (call, one) in ones.items()
    ]
    return [each for each in found if each[2]]


def first_unequal(one: object, other: object) -> tuple[str, str]:
    texts = str(one), str(other)
    at = next((i for i, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), 0)
    at = max(0, at - 60)
    return texts[0][at : at + 170], texts[1][at : at + 170]


if __name__ == "__main__":
    found = differences(*(Path(each).read_text() for each in sys.argv[1:3]))
    for number, call, kind, one, other in sorted(found, key=lambda each: each[2]):
        print(f"[{kind}] {number} {call}")
        part = kind.split()[0]
        parts = [each.get(part, each.get("error") or each.get("gives")) for each in (one, other)]
        for name, text in zip(("torch", "paddle"), first_unequal(*parts), strict=True):
            print(f"    {name:6}", text)
    print(collections.Counter(each[2] for each in found))
