"""Which cells a run has, by the devices of the machine and the user's choices."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from porter.host import devices
from porter.model import (
    Ascend,
    BuildResult,
    Delivery,
    Device,
    Evidence,
    Form,
    ParityCase,
    ProjectFacts,
    Status,
    Style,
    Tree,
)
from porter.run.record import Analysis, PatchRecord, RunRecord, SourceRecord
from porter.run.store import Run
from porter.stages import build, cell_options, parity
from porter.stages.options import Options
from tests.records import changed

KEPT = RunRecord(
    id="x",
    porter_version="0",
    created=0.0,
    cwd="/",
    source=SourceRecord(written=".", identity="path:/x", kind="path"),
    analysis=Analysis(
        target="paddle",
        target_version="3.3.1",
        facts=ProjectFacts(kernels=("cuda",), torch_files=1),
    ),
)


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "present", lambda: (Device.CPU, Device.CUDA))


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "present", lambda: (Device.CPU,))


def seen(kept: RunRecord, options: Options) -> set[tuple[str, str, str, str]]:
    planned = build.plan_cells(kept, options)
    return {(c.tree, c.environment, c.device, c.evidence) for c in planned}


@pytest.mark.usefixtures("no_gpu")
def test_without_a_gpu_the_cpu_runs_and_cuda_is_compiled() -> None:
    assert seen(KEPT, Options()) == {
        (Tree.UNPATCHED, "torch", Device.CPU, Evidence.NATIVE),
        (Tree.PATCHED, "torch", Device.CPU, Evidence.NATIVE),
        (Tree.UNMODIFIED, "paddle", Device.CPU, Evidence.NATIVE),
        (Tree.PATCHED, "paddle", Device.CPU, Evidence.NATIVE),
        (Tree.PATCHED, "paddle", Device.CUDA, Evidence.COMPILED),
    }


@pytest.mark.usefixtures("no_gpu")
def test_a_device_that_is_not_there_never_runs() -> None:
    cells = build.plan_cells(KEPT, Options(devices=(Device.CUDA,)))
    assert [c.evidence for c in cells] == [Evidence.COMPILED]


@pytest.mark.usefixtures("gpu")
def test_a_gpu_runs_with_the_users_own_interpreter() -> None:
    cells = seen(KEPT, Options(target_python=Path("/p"), source_python=Path("/q")))
    assert (Tree.PATCHED, "paddle", Device.CUDA, Evidence.NATIVE) in cells
    assert (Tree.PATCHED, "paddle", Device.CPU, Evidence.NATIVE) in cells


@pytest.mark.usefixtures("gpu")
def test_a_gpu_that_nobody_asked_for_downloads_nothing() -> None:
    assert seen(KEPT, Options()) == {
        (Tree.UNPATCHED, "torch", Device.CPU, Evidence.NATIVE),
        (Tree.PATCHED, "torch", Device.CPU, Evidence.NATIVE),
        (Tree.UNMODIFIED, "paddle", Device.CPU, Evidence.NATIVE),
        (Tree.PATCHED, "paddle", Device.CPU, Evidence.NATIVE),
        (Tree.PATCHED, "paddle", Device.CUDA, Evidence.COMPILED),
    }


@pytest.mark.usefixtures("no_gpu")
def test_a_fork_is_not_built_under_torch_again() -> None:
    kept = changed(KEPT, form=Form(Style.FORK, Delivery.VENDORED))
    trees = [(c.tree, c.environment) for c in build.cells(kept, Device.CPU)]
    assert trees == [(Tree.UNPATCHED, "torch"), (Tree.PATCHED, "paddle")]


def test_device_files_tell_what_is_there(tmp_path: Path) -> None:
    assert devices.present(tmp_path) == (Device.CPU,)
    (tmp_path / "nvidia0").touch()
    (tmp_path / "nvidiactl").touch()
    assert devices.present(tmp_path) == (Device.CPU, Device.CUDA)


def test_triton_is_installed_where_kernels_need_it_and_nobody_says_so() -> None:
    triton = changed(KEPT, facts=ProjectFacts(kernels=("triton",), torch_files=1))
    cell = build.baseline_cell(KEPT, Device.CPU, Evidence.NATIVE)
    assert cell_options.options_of(triton, Options(), cell).extras == ("triton",)
    assert cell_options.options_of(KEPT, Options(), cell).extras == ()


def of_ascend(target: str, *kernels: str) -> RunRecord:
    facts = ProjectFacts(kernels=("ascendc", *kernels), torch_files=1, ascend=Ascend())
    return changed(KEPT, target=target, target_version="2.13.0", facts=facts)


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize(
    ("kept", "cells"),
    [
        (of_ascend("torch_npu"), {"unpatched torch_npu npu", "patched torch_npu npu"}),
        (
            of_ascend("paddle"),
            {"unpatched torch_npu npu", "patched torch_npu npu", "patched paddle npu"},
        ),
        (
            of_ascend("mindspore"),
            {"unpatched torch_npu npu", "patched torch_npu npu", "patched mindspore npu"},
        ),
        (
            changed(KEPT, target="torch_npu", target_version="2.13.0"),
            {"unpatched torch cuda", "patched torch_npu npu"},
        ),
        (
            KEPT,
            {"unpatched torch cuda", "patched torch cuda", "patched paddle cuda"},
        ),
    ],
)
def test_emulated_is_the_device_that_there_are_kernels_for(
    kept: RunRecord, cells: set[str]
) -> None:
    found = build.plan_cells(kept, Options(emulated=True))
    emulated = [c for c in found if c.evidence is Evidence.EMULATED]
    assert {f"{c.tree} {c.environment} {c.device}" for c in emulated} == cells
    assert {c.evidence for c in found if c not in emulated} <= {Evidence.COMPILED}


def test_a_repository_for_both_is_emulated_on_both() -> None:
    assert build.choose_emulated(of_ascend("paddle", "cuda")) == (Device.CUDA, Device.NPU)
    assert build.choose_emulated(of_ascend("torch_npu", "cuda")) == (Device.NPU,)


@pytest.mark.usefixtures("no_gpu")
def test_a_target_for_npus_runs_nowhere_else() -> None:
    assert build.plan_cells(of_ascend("torch_npu"), Options()) == ()
    assert build.plan_cells(of_ascend("torch_npu"), Options(devices=(Device.CPU,))) == ()


@pytest.mark.usefixtures("no_gpu")
def test_what_uses_no_torch_runs_under_the_target_only() -> None:
    facts = ProjectFacts(kernels=("ascendc",), ascend=Ascend())
    plugin = changed(KEPT, target="mindspore", target_version="2.10.0", facts=facts)
    found = build.plan_cells(plugin, Options())
    assert [f"{c.tree} {c.environment} {c.device}" for c in found] == [
        "unpatched mindspore cpu",
        "patched mindspore cpu",
    ]


def test_cases_of_a_cuda_repository_are_those_of_the_npu_it_is_ported_to() -> None:
    kept = changed(KEPT, target="torch_npu")
    case = ParityCase(name="add", call="ours:add", devices=(Device.CUDA,))
    chosen = parity.cases_for_device(kept, (case,), Device.NPU, Evidence.EMULATED)
    assert chosen == [case]
    assert (
        parity.cases_for_device(of_ascend("torch_npu"), (case,), Device.NPU, Evidence.EMULATED)
        == []
    )
    assert parity.cases_for_device(KEPT, (case,), Device.CPU, Evidence.NATIVE) == []


@pytest.mark.parametrize("files", [0, 1])
def test_with_an_empty_patch_the_patched_tree_is_not_built_again(
    tmp_path: Path, files: int
) -> None:
    before, after = build.cells(of_ascend("torch_npu"), Device.NPU, Evidence.EMULATED)
    built = BuildResult(cell=before, status=Status.OK, python="/p")
    kept = changed(KEPT, builds=(built,), patch=PatchRecord(path="p", files=files))
    run = Run(tmp_path)
    build.folder_of(run, before).mkdir(parents=True)
    same = build._same(run, kept, after)
    assert same == (None if files else dataclasses.replace(built, cell=after))
    assert build.folder_of(run, after).is_symlink() is not bool(files)
    other = changed(kept, patch=PatchRecord(path="p", files=1))
    assert build._same(run, other, after) is None
    assert not build.folder_of(run, after).exists(), "the other tree must not be built over"
