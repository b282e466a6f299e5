"""Parity cases run in processes of their own: a few lines stand for torch, or the real ones."""

from __future__ import annotations

import json
import platform
import runpy
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from porter.model import (
    Device,
    ParityCase,
    ParityResult,
    Placeholder,
    Status,
    TensorSpec,
    Tolerance,
)
from porter.parity.run import run_parity
from porter.parity.side import Side
from porter.targets import framework

HERE = Path(__file__).parent
PRELUDE = "import os\nos.environ['FAKE_DTYPES'] = 'paddle'\nos.environ['SIDE'] = 'target'\n"
OPS = """
import ctypes, os, time
import numpy as np
import torch
TARGET = os.environ.get("SIDE") == "target"
def same(*tensors): return tensors[0] if len(tensors) == 1 else tensors
def wrong(tensor): return torch.from_numpy(tensor.array + TARGET)
def narrow(tensor): return torch.from_numpy(tensor.array.astype("float32" if TARGET else "float64"))
def raises(tensor): raise ValueError("not like this\\nbut so")
def raises_there(tensor):
    if TARGET: raise RuntimeError("(NotFound) no kernel")
    return tensor
def leaves(tensor): os._exit(7)
def breaks_the_device(tensor):
    torch.npu.broken = True
    raise RuntimeError("a kernel ended with a fault")
def doubled(tensor): return tensor + tensor
def crashes_there(tensor):
    if TARGET: ctypes.string_at(0)
    return tensor
def hangs(tensor): time.sleep(99)
def writes(tensor): tensor.array[...] = 7 + TARGET
def layout(tensor): return list(tensor.stride())
def kinds(kind, device, none): return kind, device, none
def keyed(tensor): return {"a": [tensor, 1, 2.5, "x"]}
def unwritten(tensor): return np.empty(1 << 16, np.uint8).tobytes() == b"\\xfe" * (1 << 16)
def takes_other_memory_there(tensor):
    there = tensor.data_ptr()
    if TARGET: tensor.array = np.array(tensor.array)
    made = [torch.from_numpy(np.ones((8, 16))) for _ in range(200)]
    return next((each for each in made if each.data_ptr() == there), made[0])
"""
ONE = TensorSpec(shape=(2, 3))


def case(name: str, *args: object, **more: object) -> ParityCase:
    return ParityCase(name=name, call=f"ops:{name}", args=args or (ONE,), **more)  # type: ignore[arg-type]


def judged(
    tmp_path: Path,
    *cases: ParityCase,
    device: Device = Device.CPU,
    ops: str = OPS,
    shrink: bool = False,
) -> dict[str, ParityResult]:
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "ops.py").write_text(ops)
    (modules / "torch.py").write_text((HERE / "faketorch.py").read_text())
    source = Side(
        name="source",
        python=Path(sys.executable),
        work=tmp_path / "work",
        cwd=tmp_path,
        environment={"PYTHONPATH": str(modules)},
        timeout=2,
        memory=1 << 29,
    )
    sides = source, replace(source, prelude=PRELUDE)
    results = run_parity(cases, sides, device, shrink=shrink)
    return {result.case: result for result in results}


def test_each_case_fails_in_the_phase_that_broke_and_costs_no_other(tmp_path: Path) -> None:
    results = judged(
        tmp_path,
        case("same"),
        case("wrong"),
        case("narrow"),
        case("raises"),
        case("raises_there"),
        case("crashes_there"),
        case("writes"),
        case("keyed"),
        case("not_there"),
    )
    assert {name: result.phase for name, result in results.items()} == {
        "same": "",
        "wrong": "values",
        "narrow": "dtype",
        "raises": "call",
        "raises_there": "call",
        "crashes_there": "call",
        "writes": "values",
        "keyed": "",
        "not_there": "import",
    }
    assert results["same"].status is Status.OK
    assert results["crashes_there"].message == "target: crashed: SIGSEGV"
    assert "no kernel" in results["raises_there"].message
    assert "but so" in results["raises"].message


def test_what_an_argument_had_is_not_given_to_a_result(tmp_path: Path) -> None:
    """As contiguous() of Paddle does: it gives its tensor other memory."""
    sliced = TensorSpec(shape=(8, 8), dtype="float64", layout="sliced")
    name = "takes_other_memory_there"
    assert judged(tmp_path, case(name, sliced))[name].status is Status.OK


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc fills what it gives")
def test_memory_that_nobody_wrote_is_no_zero(tmp_path: Path) -> None:
    seen = ParityCase(name="unwritten", call="ops:unwritten", args=(ONE,))
    judged(tmp_path, seen)
    for side in ("source", "target"):
        answer = json.loads((tmp_path / "work" / side / "0.json").read_text())
        assert answer["tree"]["value"] is True


def test_a_case_that_hangs_is_ended_and_the_next_one_runs(tmp_path: Path) -> None:
    results = judged(tmp_path, case("hangs"), case("same"))
    assert "limit of 2 s" in results["hangs"].message
    assert results["same"].status is Status.OK


def test_a_case_that_breaks_the_device_costs_no_other(tmp_path: Path) -> None:
    names = ("breaks_the_device", "doubled", "raises", "same")
    cases = [case(name, devices=(Device.NPU,)) for name in names]
    results = judged(tmp_path, *cases, device=Device.NPU)
    assert [results[name].status for name in names] == [
        Status.FAILED,
        Status.OK,
        Status.FAILED,
        Status.OK,
    ]
    told = tmp_path.glob("target*.log")
    assert len([*told]) == 2, "a process more for what came after, and none where it computes"


def test_a_case_that_leaves_the_process_is_a_failure(tmp_path: Path) -> None:
    results = judged(tmp_path, case("leaves", expect="error"), case("same"))
    assert results["leaves"].status is Status.FAILED
    assert "exit status 7" in results["leaves"].message
    assert results["same"].status is Status.OK


def test_an_expected_error_on_both_sides_passes(tmp_path: Path) -> None:
    results = judged(tmp_path, case("raises", expect="error"), case("same", expect="error"))
    assert results["raises"].status is Status.OK
    assert results["same"].phase == "call"


def test_layouts_and_dtypes_arrive_as_written(tmp_path: Path) -> None:
    specs = [
        TensorSpec(shape=(2, 4), dtype=dtype, layout=layout)
        for dtype in ("float32", "bfloat16", "float8_e5m2", "bool", "complex64")
        for layout in ("contiguous", "transposed", "sliced", "expanded")
    ]
    strides = {"contiguous": "4, 1", "transposed": "1, 2", "sliced": "8, 2", "expanded": "0, 1"}
    ops = OPS + "".join(
        f"def check_{name}(t): assert layout(t) == [{numbers}], layout(t)\n"
        for name, numbers in strides.items()
    )
    checks = [
        ParityCase(
            name=layout, call=f"ops:check_{layout}", args=(TensorSpec(shape=(2, 4), layout=layout),)
        )
        for layout in strides
    ]
    results = judged(tmp_path, case("same", *specs), *checks, ops=ops)
    assert {r.phase for r in results.values()} == {""}, results


def test_placeholders_and_nested_arguments_are_made_in_the_process(tmp_path: Path) -> None:
    device, kind = Placeholder("device"), Placeholder("torch", "float16")
    results = judged(tmp_path, case("kinds", kind, device, None), case("same", (ONE, 3)))
    assert {r.phase for r in results.values()} == {""}, results


def test_a_framework_that_cannot_be_imported_fails_every_case(tmp_path: Path) -> None:
    side = Side(name="", python=Path(sys.executable), work=tmp_path / "w")
    results = run_parity(
        [case("same"), case("wrong")],
        (replace(side, environment={"PYTHONPATH": str(tmp_path)}), side),
        Device.CPU,
    )
    assert {result.phase for result in results} == {"import"}
    assert "torch" in results[0].message


def test_a_device_that_is_not_there_is_skipped_with_its_reason(tmp_path: Path) -> None:
    results = judged(tmp_path, case("same", devices=(Device.CUDA,)), device=Device.CUDA)
    assert results["same"].status is Status.SKIPPED
    assert "no cuda device" in results["same"].message


def test_a_side_that_was_not_built_skips_the_cases(tmp_path: Path) -> None:
    side = Side(name="", python=Path(sys.executable), work=tmp_path / "w")
    results = run_parity([case("same")], (side, None), Device.CPU)
    assert [result.status for result in results] == [Status.SKIPPED]
    assert "target" in results[0].message


def test_cases_of_other_devices_are_left_out(tmp_path: Path) -> None:
    assert judged(tmp_path, case("same", devices=(Device.NPU,))) == {}


# ---------------------------------------------------------------- the real ones

REAL_OPS = """
import torch
def add(a, b, scale=1.0): return a + b * scale
def into(a): a.add_(torch.ones_like(a))
def many(a): return a * 2, [a.sum(), 3, None], {"shape": a.shape}
def rounded(a): return a * a
def same(a): return a
def wrong(a): return a * 1.01 if str(a.dtype).startswith("paddle") else a * 1.0
"""


@pytest.mark.real
def test_real_frameworks_agree_where_they_should(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    (tmp_path / "ops.py").write_text(REAL_OPS)
    grad = [
        TensorSpec(shape=(3, 4), layout=layout, grad=True, seed=n)
        for n, layout in enumerate(("transposed", "sliced"))
    ]
    half = [TensorSpec(shape=(4, 6), dtype=d) for d in ("bfloat16", "float16")]
    wild = TensorSpec(shape=(3,), values=(float("nan"), float("inf"), 2.0))
    cases = [
        case("add", *grad, kwargs={"scale": 2.0}),
        case("into", TensorSpec(shape=(3, 4), layout="sliced")),
        case("many", TensorSpec(shape=(3, 4), layout="expanded")),
        case("rounded", half[0]),
        ParityCase(name="float16", call="ops:same", args=(half[1],)),
        ParityCase(name="wild", call="ops:rounded", args=(wild,)),
        case("wrong"),
        ParityCase(
            name="wrong, allowed",
            call="ops:wrong",
            args=(ONE,),
            tolerance=Tolerance(rtol=0.02, atol=0, reason="on purpose"),
        ),
    ]
    env = {"PYTHONPATH": str(tmp_path)}
    results = run_parity(
        cases,
        (
            Side(
                name="source",
                python=framework_pythons["torch"],
                work=tmp_path / "work",
                environment=env,
            ),
            Side(
                name="target",
                python=framework_pythons["paddle"],
                work=tmp_path / "work",
                prelude=framework("paddle").prelude,
                environment=env,
            ),
        ),
        Device.CPU,
    )
    failed = {result.case: result.message for result in results if result.phase}
    assert failed.keys() == {"wrong"}, failed


def test_an_error_within_another_is_told() -> None:
    worker = HERE.parent / "porter" / "workers" / "parity_worker.py"
    described = runpy.run_path(str(worker), run_name="worker")["describe_error"]
    nested = "(External) \n{\n  == back ==\n  RuntimeError: no bool\n  At:\n}\n (at x.cc:1)"
    assert described(OSError(nested)) == (
        "OSError: (External) ... RuntimeError: no bool ... (at x.cc:1)"
    )
    assert described(ValueError("one line")) == "ValueError: one line"
    assert described(ValueError("")) == "ValueError: "


# ------------------------------------------------- asked again where numbers differ

AGAIN = """
import os
import numpy as np
import torch
TARGET = os.environ.get("SIDE") == "target"
CALLS = []
def _of(tensor, numbers): return torch.from_numpy(np.asarray(numbers, tensor.array.dtype))
def rough(tensor):  # off on both sides, except in float64
    wide = tensor.array.dtype == np.float64
    return _of(tensor, tensor.array + (0 if wide else -1e-3 if TARGET else 1e-3))
def noisy(tensor):
    CALLS.append(0)
    return _of(tensor, tensor.array + 1e-4 * (len(CALLS) + TARGET))
def both_wrong(tensor): return _of(tensor, tensor.array + 1)
def same(tensor): return tensor
def no_half(tensor):
    if tensor.array.dtype == np.float16: raise TypeError("no half")
    return tensor
"""


def test_the_source_is_asked_again_in_higher_precision(tmp_path: Path) -> None:
    results = judged(tmp_path, case("rough"), case("noisy"), case("same"), ops=AGAIN)
    assert {name: result.phase for name, result in results.items()} == {
        "rough": "", "noisy": "", "same": "",
    }  # fmt: skip
    assert "compared with the reference, the source is off" in results["rough"].message
    assert "varies" in results["noisy"].message
    assert results["same"].message == ""


def test_a_reference_finds_what_is_wrong_on_both_sides(tmp_path: Path) -> None:
    plain, held = case("both_wrong"), case("both_wrong", reference="ops:same")
    assert judged(tmp_path, plain, ops=AGAIN)["both_wrong"].phase == ""
    (tmp_path / "again").mkdir()
    result = judged(tmp_path / "again", held, ops=AGAIN)["both_wrong"]
    assert result.phase == "values"
    assert "6 of 6" in result.message


def test_a_reference_may_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "expected.py"
    file.write_text("def same(tensor): return tensor\n")
    results = judged(tmp_path, case("same", reference=f"{file}:same"), ops=AGAIN)
    assert results["same"].phase == ""


def test_a_grid_of_which_nothing_ran_compares_nothing(tmp_path: Path) -> None:
    half, full = (TensorSpec(shape=(2,), dtype=dtype) for dtype in ("float16", "float32"))

    def point(name: str, spec: TensorSpec, group: str) -> ParityCase:
        return ParityCase(name=name, call="ops:no_half", args=(spec,), expect="either", group=group)

    results = judged(
        tmp_path,
        point("a [float16]", half, "a"),
        point("a [float32]", full, "a"),
        point("b [float16]", half, "b"),
        ops=AGAIN,
    )
    assert {name: result.phase for name, result in results.items()} == {
        "a [float16]": "", "a [float32]": "", "b [float16]": "call",
    }  # fmt: skip


# ----------------------------------------------- what a case does to its process

RUDE = """
import os, subprocess, sys
import numpy as np
import torch
def same(tensor): return tensor
def threads(tensor): torch.set_num_threads(7); return tensor
def folder(tensor): os.chdir("/"); return tensor
def variable(tensor): os.environ["PYTHONNOUSERSITE"] = "x"; os.environ["NEW"] = "1"; return tensor
def child(tensor):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(9)"])
    return tensor
def hoards(tensor): return [np.ones(1 << 24) for _ in range(64)]
def prints(tensor): print("x" * 100000); sys.stdout.flush(); return tensor
def polite(tensor):
    return torch.get_num_threads(), os.getcwd() == "/", os.environ["PYTHONNOUSERSITE"]
def random(tensor): return float(np.random.rand())
"""
RUDE_CASES = ("threads", "folder", "variable")


def test_what_a_case_changes_is_told_and_the_others_do_not_see_it(tmp_path: Path) -> None:
    results = judged(
        tmp_path,
        *map(case, RUDE_CASES),
        *(case(name) for name in ("child", "prints", "hoards", "polite", "same")),
        ops=RUDE,
    )
    assert {name: result.phase for name, result in results.items()} == {
        **dict.fromkeys(RUDE_CASES, "state"),
        **dict.fromkeys(("child", "prints", "polite", "same"), ""),
        "hoards": "call" if sys.platform == "linux" else "",
    }  # fmt: skip
    assert "threads: 1 to 7" in results["threads"].message
    assert results["variable"].message.endswith("environment: PYTHONNOUSERSITE")
    if sys.platform == "linux":
        assert "source left 1 process running" in results["child"].message


def test_the_seed_is_the_same_whatever_ran_before(tmp_path: Path) -> None:
    draws = "def draws(tensor):\n    np.random.rand(5 if os.environ.get('SIDE') else 2)\n"
    text = RUDE + draws + "    return tensor\n"
    results = judged(tmp_path, case("draws"), case("random"), ops=text)
    assert {result.phase for result in results.values()} == {""}


def test_a_change_may_be_waived_with_its_reason(tmp_path: Path) -> None:
    polite = case("threads", waived={"state": "it sets the number of threads for good"})
    assert judged(tmp_path, polite, ops=RUDE)["threads"].phase == ""
