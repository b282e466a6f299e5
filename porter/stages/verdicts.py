"""The verdicts of a run, by device and overall, from what was built, tested and compared."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import TypeVar

from porter import suite, targets
from porter.host import devices
from porter.model import (
    BuildResult,
    Cell,
    Device,
    DeviceVerdict,
    Evidence,
    SuiteComparison,
    SuiteResult,
    Tree,
)
from porter.run import verdict
from porter.run.record import RunRecord
from porter.stages import build, lost
from porter.stages.options import Options

T = TypeVar("T", BuildResult, SuiteResult)


def judge(kept: RunRecord, options: Options) -> RunRecord:
    """The record with its comparison and its verdicts, by device and overall."""
    found = tuple(
        verdict.verdict_of(_results(kept, device)) for device in _choose_devices(kept, options)
    )
    own = targets.TARGETS[kept.target or ""].devices
    here = [device for device in own if device in devices.present()]
    overall = verdict.overall(found, build.requested_devices(kept, options) or here or own)
    shown = overall.device if overall else Device.CPU
    comparison = _comparison(kept, shown)
    return kept.update_verification(
        verdicts=found,
        overall=overall,
        comparison=comparison,
        lost_tests=lost.causes(kept, comparison),
        lost_imports=_results(kept, shown).lost_imports(),
        unmodified=_judge_unmodified(kept, shown),
    )


def _judge_unmodified(kept: RunRecord, device: Device) -> DeviceVerdict | None:
    """What the tree as it came amounts to on the target; None where that was not tried."""
    results = _results(kept, device)
    if results.build(Tree.UNMODIFIED, on_target=True) is None:
        return None
    before, without = (
        results.suite(tree, on_target)
        for tree, on_target in ((Tree.UNPATCHED, False), (Tree.UNMODIFIED, True))
    )
    ran = before is not None and before.outcomes
    seen = dataclasses.replace(
        results,
        patched=False,
        copies=(),
        builds=_relabel_as_patched(results.builds),
        suites=_relabel_as_patched(results.suites),
        comparison=suite.compare(before, None, without) if before and ran else None,
        parity=kept.verification.unmodified_parity,
    )
    return verdict.verdict_of(seen)


def _relabel_as_patched(results: Iterable[T]) -> list[T]:
    """Results of the unmodified tree as if it were the patched one."""
    return [
        dataclasses.replace(one, cell=dataclasses.replace(one.cell, tree=Tree.PATCHED))
        if one.cell.tree is Tree.UNMODIFIED
        else one
        for one in results
        if one.cell.tree is not Tree.PATCHED
    ]


def _results(kept: RunRecord, device: Device) -> verdict.Results:
    return verdict.Results(
        device=device,
        target=kept.target or "",
        patched=kept.migration.patch is not None and kept.migration.patch.files > 0,
        builds=[
            dataclasses.replace(b, cell=_move_to_device(kept, b.cell, device)) for b in kept.builds
        ],
        suites=_suites(kept, device),
        comparison=_comparison(kept, device),
        copies=kept.verification.copies,
        parity=kept.verification.parity,
        residue=[*filter(kept.is_shipped, kept.residue)],
        open_findings=[*filter(kept.is_shipped, kept.migration.open)],
    )


def _suites(kept: RunRecord, device: Device) -> list[SuiteResult]:
    suites = (
        dataclasses.replace(s, cell=_move_to_device(kept, s.cell, device)) for s in kept.suites
    )
    return [suite for suite in suites if suite.cell.device is device]


def _move_to_device(kept: RunRecord, cell: Cell, device: Device) -> Cell:
    """A cell as one of this device, where it is what operators ran on before a port to that."""
    first = build.baseline_cell(kept, device, cell.evidence)
    here = (cell.environment, cell.device) == (first.environment, first.device)
    return dataclasses.replace(cell, device=device) if here else cell


def _choose_devices(kept: RunRecord, options: Options) -> tuple[Device, ...]:
    """Those asked for, or all the repository has code for."""
    asked = build.requested_devices(kept, options)
    wanted = {*(asked or (Device.CPU,)), *devices.devices_with_kernels(kept.kernels)}
    if asked and Device.CPU not in asked:
        wanted.discard(Device.CPU)
    wanted &= {*targets.TARGETS[kept.target or ""].devices}
    return tuple(device for device in Device if device in wanted)


def _comparison(kept: RunRecord, device: Device) -> SuiteComparison | None:
    found = {(s.cell.tree, s.cell.environment): s for s in _suites(kept, device)}
    name = build.baseline_cell(kept, device, Evidence.NATIVE).environment
    source = found.get((Tree.UNPATCHED, name))
    patched = found.get((Tree.PATCHED, name)) if name != kept.target else None
    if source is None or not source.outcomes:  # it may build with the patch only
        source, patched = patched, None
    if source is None or not source.outcomes:
        return None
    target = kept.target or ""
    sides = (found.get((tree, target)) for tree in (Tree.PATCHED, Tree.UNMODIFIED))
    return suite.compare(source, patched, *sides)
