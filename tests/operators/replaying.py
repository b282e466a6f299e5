"""Put the recorded calls to Paddle with porter-compat, an entry in a process of its own.

Run by an interpreter that has Paddle, with the package on its path:
`python -m tests.operators.replaying RECORDED REPLAYED [NAME ...]`.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # a forked process cannot use its parent's threads

import gzip
import json
import pickle
import resource
import signal
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paddle
import porter_compat  # type: ignore[import-not-found]  # noqa: F401
import torch

from tests.operators.calls import (
    ERRORS,
    Answer,
    Entry,
    Gradients,
    LeftOut,
    Sample,
    answer,
    first_gradients,
    without_grad,
)
from tests.operators.comparison import Outcome, compare

SECONDS = 20  # of a call
Asked = tuple[str, int, str, Sample]


def asked(entry: Entry) -> Iterator[Asked]:
    """(dtype, number of the sample, form, sample) of each call of an entry; what torch refuses
    has no dtype."""
    for dtype, samples in entry.samples.items():
        for number, sample in enumerate(samples):
            for form in sample.answers:
                refused = sample.answers[form].error
                yield ERRORS if refused else dtype, number, form, sample


def outcome(form: str, sample: Sample, gradients: Gradients) -> tuple[Outcome, str]:
    """What Paddle does with a call."""
    expected = sample.answers[form]
    if form.endswith("_") and not form.endswith("__"):  # in place
        sample = Sample(without_grad(sample.args), without_grad(sample.kwargs), {})
    try:
        got = answer(torch, form, sample, None if expected.grads is None else gradients)
    except LeftOut as error:
        return Outcome.DIFFERENT, f"gives {error}"
    except Exception as error:
        lines = str(error).strip().splitlines() or [""]
        said = next((line for line in reversed(lines) if "Error" in line), lines[0])
        kinds = [kind.__name__ for kind in type(error).__mro__]  # what an `except` would catch
        kind = expected.error if expected.error in kinds else kinds[0]
        got = Answer(error=f"{kind}: {said}"[:300])
    return compare(form, expected, got)


def replay(calls: list[Asked], start: int, gradients: Gradients) -> list[Any]:
    """The outcomes of calls from one on, from a forked process: fewer where one ends it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        with os.fdopen(writing, "w") as pipe:
            for _, _, form, sample in calls[start:]:
                signal.alarm(SECONDS)
                pipe.write(json.dumps(outcome(form, sample, gradients)) + "\n")
                pipe.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        found = [json.loads(line) for line in pipe if line.endswith("]\n")]
    _, status = os.waitpid(child, 0)
    if start + len(found) < len(calls):
        ending = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else status
        found.append((Outcome.RAISES, f"the process ends: {ending}"))
    return found


def main(recorded: Path, replayed: Path, chosen: list[str]) -> None:
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    paddle.disable_signal_handler()  # its account of a crash takes seconds
    gradients: Gradients = first_gradients
    if recorded.name == "seconds":
        from tests.operators.seconds import second_gradients as gradients
    for path in sorted(recorded.glob("*.pickle.gz")):
        name = path.name.removesuffix(".pickle.gz")
        if chosen and name not in chosen:
            continue
        entry: Entry = pickle.loads(gzip.decompress(path.read_bytes()))
        calls = [*asked(entry)]
        outcomes: list[Any] = []
        while len(outcomes) < len(calls):
            outcomes += replay(calls, len(outcomes), gradients)
        rows = [
            [dtype, number, form, *said]
            for (dtype, number, form, _), said in zip(calls, outcomes, strict=True)
        ]
        (replayed / f"{name}.json").write_text(json.dumps(rows))
        good = sum(row[3] in (Outcome.SAME, Outcome.STRIDES) for row in rows)
        sys.stdout.write(f"{name} {good} of {len(rows)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
