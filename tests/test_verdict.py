"""The verdict is that of the weakest stage."""

from __future__ import annotations

import dataclasses

import pytest

from porter.build.diagnostics import plain
from porter.model import (
    BuildResult,
    Cell,
    Device,
    DeviceVerdict,
    Evidence,
    Finding,
    InstalledCopy,
    Outcome,
    ParityResult,
    Residue,
    Safety,
    Span,
    State,
    Status,
    SuiteResult,
    Tree,
    UnitResult,
    Verdict,
)
from porter.run.verdict import Results, overall, verdict_of
from porter.suite import compare

CPU, CUDA = Device.CPU, Device.CUDA
BEFORE, PATCHED, TARGET = (
    (Tree.UNPATCHED, "torch"),
    (Tree.PATCHED, "torch"),
    (Tree.PATCHED, "paddle"),
)


def cell(
    side: tuple[Tree, str], device: Device = CPU, evidence: Evidence = Evidence.NATIVE
) -> Cell:
    return Cell(side[0], side[1], device, evidence)


def built(side: tuple[Tree, str], status: Status = Status.OK, reason: str = "") -> BuildResult:
    modules = ("ops",) if status is Status.OK else ()
    return BuildResult(cell=cell(side), status=status, reason=reason, modules=modules)


def suite(side: tuple[Tree, str], words: str) -> SuiteResult:
    """`p` passed, `f` failed, `s` skipped, by position."""
    kinds = {"p": Outcome.PASSED, "f": Outcome.FAILED, "s": Outcome.SKIPPED}
    outcomes = {f"t.py::t{n}": kinds[letter] for n, letter in enumerate(words)}
    status = Status.OK if "p" in words else Status.SKIPPED
    return SuiteResult(
        cell=cell(side), status=status, reason="needs CUDA", command="pytest", outcomes=outcomes
    )


def parity(*statuses: Status, device: Device = CPU) -> list[ParityResult]:
    return [
        ParityResult(
            case=f"case {n}", device=device, evidence=Evidence.NATIVE, status=status, phase="values"
        )
        for n, status in enumerate(statuses)
    ]


def residue(state: State = State.MISSING, path: str = "ops/a.py") -> Residue:
    return Residue(path=path, line=1, column=1, name="torch.thing", reason="no rule", state=state)


def judge(
    before: str = "",
    after: str = "",
    there: str = "",
    /,
    device: Device = CPU,
    **more: object,
) -> DeviceVerdict:
    suites = [suite(s, w) for s, w in ((BEFORE, before), (PATCHED, after), (TARGET, there)) if w]
    by_side = {(s.cell.tree, s.cell.environment): s for s in suites}
    comparison = (
        compare(by_side[BEFORE], by_side.get(PATCHED), by_side.get(TARGET)) if before else None
    )
    given: dict[str, object] = {
        "target": "paddle",
        "patched": True,
        "builds": [built(BEFORE), built(PATCHED), built(TARGET)],
        "suites": suites,
        "comparison": comparison,
        **more,
    }
    return verdict_of(Results(device=device, **given))  # type: ignore[arg-type]


def test_all_green_is_ported() -> None:
    found = judge("pps", "pps", "pps", parity=parity(Status.OK))
    assert found.verdict is Verdict.PORTED
    assert "2 tests" in found.reason
    assert "1 parity case" in found.reason


def test_tests_alone_or_parity_alone_are_enough() -> None:
    assert judge("p", "p", "p").verdict is Verdict.PORTED
    assert judge(parity=parity(Status.OK)).verdict is Verdict.PORTED


def test_a_fork_is_not_judged_under_the_source_framework() -> None:
    builds = [built(BEFORE), built(TARGET)]
    assert judge("p", "", "p", builds=builds).verdict is Verdict.PORTED


def test_tests_that_failed_before_lower_nothing_and_are_mentioned() -> None:
    found = judge("pf", "pf", "pf")
    assert found.verdict is Verdict.PORTED
    assert "failing before" in found.reason


@pytest.mark.parametrize(
    ("before", "patched", "target"),
    [("pp", "pp", "pf"), ("pp", "pp", "ps"), ("pp", "pf", "pp"), ("pp", "pp", "p")],
)
def test_a_lost_test_lets_it_only_run(before: str, patched: str, target: str) -> None:
    found = judge(before, patched, target)
    assert found.verdict is Verdict.RUNS
    assert "1 of 2 tests lost" in found.reason


def test_a_module_that_the_source_alone_imports_lets_it_only_run() -> None:
    """Those that fail on the source too lower nothing."""
    gone = {name: plain("python", "torch has no attribute it") for name in ("ops.a", "ops.b")}
    before = dataclasses.replace(built(BEFORE), inner_modules=("ops.a",))
    after = dataclasses.replace(built(TARGET), failed_imports=gone)
    found = judge("p", "p", "p", builds=[before, built(PATCHED), after])
    assert found.verdict is Verdict.RUNS
    assert "ops.a" in found.reason
    assert "ops.b" not in found.reason


def test_parity_that_fails_or_is_skipped_lets_it_only_run() -> None:
    failed = judge("p", "p", "p", parity=parity(Status.OK, Status.FAILED))
    assert failed.verdict is Verdict.RUNS
    assert "case 1 (values)" in failed.reason
    assert judge("p", "p", "p", parity=parity(Status.OK, Status.SKIPPED)).verdict is Verdict.RUNS


@pytest.mark.parametrize("state", [State.MISSING, State.DIFFERENT])
def test_residue_lets_it_only_run(state: State) -> None:
    found = judge("p", "p", "p", residue=[residue(state)])
    assert found.verdict is Verdict.RUNS
    assert "torch.thing" in found.reason


@pytest.mark.parametrize(
    "left", [residue(State.UNKNOWN), residue(State.MISSING, path="csrc/kernel.cu")]
)
def test_residue_that_says_nothing_of_the_cpu_is_only_mentioned(left: Residue) -> None:
    found = judge("p", "p", "p", residue=[left])
    assert found.verdict is Verdict.PORTED
    assert "torch.thing" in found.reason


@pytest.mark.parametrize("accepted", [False, True])
def test_an_operator_that_a_conversion_left_out_lets_it_only_run(accepted: bool) -> None:
    left = Finding(
        rule="ascend/route/plugin",
        path="csrc/op.cpp",
        span=Span(0, 0),
        line=1,
        column=1,
        message="add_direct: why",
        safety=Safety.MANUAL,
        accepted=accepted,
    )
    found = judge("p", "p", "p", open_findings=[left])
    assert found.verdict is (Verdict.PORTED if accepted else Verdict.RUNS)
    assert ("add_direct" in found.reason) is not accepted


def test_without_the_tests_before_the_patch_nothing_is_proved() -> None:
    assert judge("", "", "p").verdict is Verdict.RUNS


def test_a_tree_that_builds_with_the_patch_only_is_compared_with_that() -> None:
    made = compare(suite(PATCHED, "pp"), None, suite(TARGET, "pf"))
    found = judge("", "pp", "pf", comparison=made)
    assert found.verdict is Verdict.RUNS
    assert "1 of 2 tests lost" in found.reason and "not run before the patch" in found.reason


def test_tests_not_run_on_the_target_are_a_gap_beside_green_parity() -> None:
    assert judge("p", "p", "", parity=parity(Status.OK)).verdict is Verdict.RUNS


def test_a_patch_that_breaks_the_source_framework_is_no_port() -> None:
    builds = [built(BEFORE), built(PATCHED, Status.FAILED), built(TARGET)]
    assert judge("p", "", "p", builds=builds).verdict is Verdict.RUNS


def test_skips_are_never_a_pass() -> None:
    found = judge("ss", "ss", "ss", parity=parity(Status.SKIPPED))
    assert found.verdict is Verdict.BUILDS
    assert "needs CUDA" in found.reason


def test_without_tests_and_cases_it_only_builds_and_says_what_would_raise_it() -> None:
    found = judge()
    assert found.verdict is Verdict.BUILDS
    assert "porter.parity.toml" in found.reason


@pytest.mark.parametrize(("before", "said"), [("ff", True), ("fp", False)])
def test_where_no_test_passed_before_the_patch_the_reason_says_so(before: str, said: bool) -> None:
    found = judge(before, before, "ff")
    assert found.verdict is Verdict.BUILDS
    assert ("no test of the unpatched tree passed either" in found.reason) == said


def test_a_suite_that_was_started_and_ran_nothing_has_lost_every_test() -> None:
    empty = SuiteResult(
        cell=cell(TARGET), status=Status.FAILED, reason="conftest", command="pytest"
    )
    suites = [suite(BEFORE, "pp"), suite(PATCHED, "pp"), empty]
    comparison = compare(*suites)
    found = judge(suites=suites, comparison=comparison, parity=parity(Status.OK))
    assert found.verdict is Verdict.RUNS
    assert "2 of 2 tests lost" in found.reason


def test_tests_that_pass_with_the_patch_alone_are_among_those_that_may_be_lost() -> None:
    suites = [suite(BEFORE, "pf"), suite(PATCHED, "pp"), suite(TARGET, "ff")]
    found = judge(suites=suites, comparison=compare(*suites), parity=parity(Status.OK))
    assert "2 of 2 tests lost" in found.reason


def test_tests_that_did_not_run_to_their_end_let_it_only_run() -> None:
    cut = [
        dataclasses.replace(
            suite(side, "pf"), status=Status.PARTIAL, reason="out of time; 1 passed"
        )
        for side in (BEFORE, PATCHED, TARGET)
    ]
    found = judge("pf", "pf", "pf", suites=cut)
    assert found.verdict is Verdict.RUNS
    assert "did not finish: out of time" in found.reason


def test_calls_that_porter_made_up_let_it_run_and_no_more() -> None:
    made = [dataclasses.replace(one, made=True) for one in parity(Status.OK)]
    found = judge(parity=made)
    assert found.verdict is Verdict.RUNS
    assert "no tests" in found.reason
    assert judge("p", "p", "p", parity=made).verdict is Verdict.PORTED


def test_a_patch_that_does_not_build_is_a_patch() -> None:
    builds = [built(BEFORE), built(TARGET, Status.FAILED, "3 errors")]
    found = judge("p", "", "", builds=builds)
    assert found.verdict is Verdict.PATCHED
    assert "3 errors" in found.reason


def test_a_tree_that_does_not_build_under_torch_either_says_so() -> None:
    neither = [built(BEFORE, Status.FAILED, "no solver"), built(TARGET, Status.FAILED, "no solver")]
    assert "torch" in judge(builds=neither).reasons[0]
    assert "torch" not in judge(builds=neither[1:]).reasons[0]


def test_nothing_imported_is_not_built() -> None:
    empty = BuildResult(cell=cell(TARGET), status=Status.OK)
    assert judge(builds=[empty]).verdict is Verdict.PATCHED
    tested_in_the_tree = dataclasses.replace(empty, reason="not installed: no setup.py")
    assert judge(builds=[tested_in_the_tree]).verdict is Verdict.BUILDS


def test_nothing_changed_and_nothing_built_is_stuck() -> None:
    failed = [built(TARGET, Status.FAILED)]
    assert judge(builds=failed, patched=False).verdict is Verdict.STUCK
    assert judge(builds=[], patched=False).verdict is Verdict.STUCK


def test_a_tree_that_needs_no_patch_can_be_ported() -> None:
    assert judge("p", "p", "p", patched=False).verdict is Verdict.PORTED


@pytest.mark.parametrize(
    ("units", "expected"),
    [((True, True), Verdict.BUILDS), ((True, False), Verdict.PATCHED), ((), Verdict.PATCHED)],
)
def test_objects_compiled_and_not_run_build_at_most(
    units: tuple[bool, ...], expected: Verdict
) -> None:
    compiled = BuildResult(
        cell=cell(TARGET, CUDA, Evidence.COMPILED),
        status=Status.OK if all(units) else Status.FAILED,
        units=tuple(
            UnitResult(path=f"csrc/{n}.cu", extension="ops", ok=ok, seconds=1)
            for n, ok in enumerate(units)
        ),
    )
    found = judge(device=CUDA, builds=[built(TARGET), compiled])
    assert found.verdict is expected


def test_a_device_nobody_built_for_has_a_patch_at_most() -> None:
    assert judge("p", "p", "p", device=CUDA).verdict is Verdict.PATCHED


def test_tests_on_one_device_say_nothing_of_another() -> None:
    native = BuildResult(cell=cell(TARGET, CUDA), status=Status.OK, modules=("ops",))
    assert judge("p", "p", "p", device=CUDA, builds=[native]).verdict is Verdict.BUILDS


def test_emulated_evidence_never_ports() -> None:
    stand_in = BuildResult(
        cell=cell(TARGET, CUDA, Evidence.EMULATED), status=Status.OK, modules=("ops",)
    )
    found = judge(device=CUDA, builds=[stand_in], parity=parity(Status.OK, device=CUDA))
    assert found.verdict is Verdict.RUNS


def test_the_overall_verdict_is_the_weakest_of_the_devices_that_count() -> None:
    found = (
        DeviceVerdict(CPU, Verdict.PORTED),
        DeviceVerdict(CUDA, Verdict.BUILDS, ("objects compiled, not run",)),
    )
    assert overall(found, [CPU]) is found[0]
    assert overall(found, [CPU, CUDA]) is found[1]
    assert overall(found, [Device.NPU]) is None


def test_a_finding_whose_place_is_residue_too_is_not_counted_again() -> None:
    def left_at(line: int) -> Finding:
        return Finding(
            rule="r",
            path="ops/a.py",
            span=Span(0, 1),
            line=line,
            column=1,
            message="m",
            safety=Safety.MANUAL,
        )

    found = verdict_of(
        Results(
            device=CPU,
            target="paddle",
            patched=True,
            residue=[residue()],
            open_findings=[left_at(1), left_at(2)],
        )
    )
    assert "1 finding to resolve manually" in found.reason


def test_an_sdist_that_the_patch_breaks_under_torch_keeps_a_port_from_ported() -> None:
    bad = InstalledCopy(form="sdist", device=CPU, status=Status.FAILED, reason="no file")
    found = judge("pp", "pp", "pp", copies=(bad,))
    assert found.verdict is Verdict.RUNS
    said = "the sdist of the patched tree fails under the source framework: no file"
    assert found.reasons == (said,)
    before = dataclasses.replace(bad, status=Status.SKIPPED)
    assert judge("pp", "pp", "pp", copies=(before,)).verdict is Verdict.PORTED
