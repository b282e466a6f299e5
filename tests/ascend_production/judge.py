"""Run the cases of a kernel file, in a process of its own, and judge what comes out."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import numpy as np

from porter.errors import EnvironmentFailed
from tests.ascend_production.case import Case, error
from tests.ascend_production.device import Device, KernelFault, compiled, packaged

SEED = 20261123
UNORDERED = "nothing orders them"


@dataclass(slots=True)
class Told:
    """What the cases of a kernel file gave."""

    cases: int = 0
    unchecked: int = 0  # cases of which the lack of order was told, and then the check was off
    worst: float = 0.0
    failures: list[str] = field(default_factory=list)
    defects: dict[str, str] = field(default_factory=dict)  # each with the first case that shows it


def judged(name: str, tree: Path, path: str, toolkit: Path) -> Told:
    """What came of the cases of a module for a file."""
    module = _module(name)
    with tempfile.TemporaryDirectory() as folder:
        try:
            if hasattr(module, "HOST"):
                flags = [f.replace("TREE", str(tree)) for f in module.FLAGS]
                library = packaged(tree / path, module.HOST, flags, Path(folder), toolkit)
            else:
                library = compiled(tree / path, module.KERNELS, Path(folder), toolkit)
        except subprocess.CalledProcessError as failed:
            return Told(failures=[f"does not compile: {failed.stderr[:2000]}"])
        except EnvironmentFailed as failed:
            return Told(failures=[str(failed)])
        told = _in_process(name, library, toolkit, order=True)
        if any(case.unordered for case in _cases(name)):
            without = _in_process(name, library, toolkit, order=False)
            told.unchecked = without.cases
            told.worst = max(told.worst, without.worst)
            told.failures += without.failures
            told.defects |= without.defects
    return told


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{__package__}.{name}")


def _cases(name: str) -> Iterator[Case]:
    cases: Iterator[Case] = _module(name).cases(np.random.default_rng(SEED))
    return cases


def _in_process(name: str, library: Path, toolkit: Path, *, order: bool) -> Told:
    """The runtime reads what to check once, and a kernel may end its process."""
    os.environ["PORTER_EMULATED_NPU_ORDER"] = "1" if order else "0"
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            return pool.submit(_run, name, library, toolkit, order).result()
        except BrokenProcessPool:
            return Told(failures=["the process ended"])


def _run(name: str, library: Path, toolkit: Path, order: bool) -> Told:
    """With the check of order all cases, without it those that lack some."""
    told = Told()
    device = Device(library, toolkit)
    for case in _cases(name):
        if order or case.unordered:
            _judge(case, device, library.parent, told, order)
    return told


def _judge(case: Case, device: Device, folder: Path, told: Told, order: bool) -> None:
    if all(np.array_equal(case.arguments[k], v) for k, v in case.expected.items()):
        told.failures.append(f"{case.name}: what is expected is what is there before")
        return
    worst, said = _outcome(case, device, folder)
    wrong = bool(said) or worst > case.tolerance
    unordered = case.unordered if order else ""
    expected = unordered or case.defect
    if expected:
        if wrong and (not unordered or UNORDERED in said):
            seen = said or f"error {worst:.2e}"
            told.defects.setdefault(expected, f"{case.name}: {seen}")
        else:
            told.failures.append(f"{case.name}: did not show: {expected}: {said}")
        return
    told.cases += 1
    told.worst = max(told.worst, worst)
    if wrong:
        told.failures.append(f"{case.name}: {said or f'error {worst:.2e}'}")


def _outcome(case: Case, device: Device, folder: Path) -> tuple[float, str]:
    """The worst error, and what the NPU said if it found fault."""
    log = folder / "said"
    kept = os.dup(2)
    with log.open("w") as out:
        os.dup2(out.fileno(), 2)
        try:
            result = device.run(case)
        except KernelFault as fault:
            return 0.0, log.read_text().strip() or str(fault)
        finally:
            os.dup2(kept, 2)
            os.close(kept)
    worst = 0.0
    for place, (got, given) in enumerate(zip(result, case.arguments, strict=True)):
        if isinstance(got, np.ndarray) and place not in case.scratch:
            wanted = case.expected.get(place, given)
            worst = max(worst, error(got, np.asarray(wanted, got.dtype)))
    return worst, ""
