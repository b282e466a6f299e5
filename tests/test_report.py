"""What a person reads of a run: on a terminal, and in a pull request."""

from __future__ import annotations

import dataclasses
import io

import pytest
from rich.console import Console

from porter.build.diagnostics import plain
from porter.model import (
    Ascend,
    AscendOperator,
    AscendPart,
    AscendPiece,
    AscendRoute,
    BuildResult,
    Cell,
    Change,
    Crash,
    Device,
    DeviceVerdict,
    Diagnostic,
    Edit,
    Evidence,
    Extension,
    Finding,
    Form,
    Language,
    LostTests,
    Mention,
    Missing,
    Outcome,
    Package,
    ParityResult,
    ProjectFacts,
    Residue,
    Safety,
    Skipped,
    Span,
    State,
    Status,
    Style,
    SuiteComparison,
    SuiteResult,
    Tree,
    UnitResult,
    Verdict,
)
from porter.report.facts import collect_remaining
from porter.report.json import document
from porter.report.markdown import markdown
from porter.report.text import render
from porter.run.record import Analysis, PatchRecord, RunRecord, SourceRecord
from porter.stages import everything, verdicts
from porter.stages.options import Options
from porter.surface.facts import note
from tests.records import changed

FACTS = ProjectFacts(
    builds=("setuptools",),
    extensions=(Extension("ops._C", "CppExtension", ("ops.cpp",), "setup.py", 3),),
    registration=("pybind11",),
    packages=(Package("ops", "ops"),),
    vendored=("third_party/cutlass",),
    tests=("tests/test_ops.py",),
    distribution="ops",
    torch_files=3,
)
EMPTY = RunRecord(
    id="1",
    porter_version="0",
    created=0.0,
    cwd="/",
    source=SourceRecord(written="./ops", identity="path:/ops", kind="path", commit="abc"),
    analysis=Analysis(target="paddle", target_version="3.3.1", facts=FACTS, files=4),
)


def finding(
    rule: str, line: int, safety: Safety = Safety.SAFE, edited: bool = True, path: str = "a.py"
) -> Finding:
    return Finding(
        rule=f"paddle/python/{rule}",
        path=path,
        span=Span(0, 1),
        line=line,
        column=1,
        message=f"says {rule}",
        safety=safety,
        edits=(Edit(Span(0, 1), b"x"),) if edited else (),
    )


def left(name: str, line: int, state: State = State.MISSING) -> Residue:
    return Residue(path="a.py", line=line, column=1, name=name, reason="lacks it", state=state)


def lacks(name: str, uses: int = 1, answer: str = "", **more: object) -> Missing:
    state = more.pop("state", State.MISSING)
    return Missing(
        name=name, language=Language.PYTHON, uses=uses, answer=answer, state=state, **more
    )  # type: ignore[arg-type]


def shown(record: RunRecord, only: str | None = None, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    for part in render(record, only):
        console.print(part)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_a_tree_without_torch_has_nothing_to_port() -> None:
    quiet = changed(EMPTY, facts=ProjectFacts())
    assert "nothing to port" in shown(quiet) and len(render(quiet)) == 1


def test_analyze_says_what_it_is_then_what_is_fine_then_what_changes_and_what_lacks() -> None:
    record = changed(
        EMPTY,
        findings=(
            finding("edited", 1),
            finding("person", 2, Safety.MANUAL, edited=False),
            finding("review", 3, Safety.REVIEW),
        ),
        missing=(
            lacks("torch.a", 3, "paddle/python/edited"),
            lacks("torch.b", 2, "python/piece"),
            lacks("torch.c", answer="paddle/python/person"),
            lacks("torch.d"),
            lacks("torch.e", state=State.DIFFERENT, facts=(note("differs"),)),
        ),
    )
    text = shown(record, "analyze")
    parts = [
        "ops._C",
        "no changes needed",
        "will be rewritten (1 site)",
        "missing or incompatible in",
    ]
    places = [
        text.index(part) for part in (*parts, "manual changes required (2 sites, 1 edited with")
    ]
    assert places == sorted(places)
    assert "5 names, 8 uses, 6 with a rule or polyfill" in text
    rows = {line.split()[1]: line for line in text.splitlines() if "torch." in line}
    assert "rule edited" in rows["torch.a"] and "polyfill piece" in rows["torch.b"]
    assert "advice person" in rows["torch.c"] and "none yet" in rows["torch.d"]
    assert "only in some calls" in rows["torch.e"] and "differs" in text


def test_what_the_target_lacks_is_not_asked_of_a_project_of_its_own() -> None:
    """Which a conversion writes beside the code for torch, and which uses nothing of it."""
    lacking = changed(EMPTY, target="mindspore", missing=(lacks("torch.a", 3),))
    assert "none yet" in shown(lacking, "analyze")
    patch = PatchRecord(path="x.patch", changes=(("sub/mindspore_plugin/setup.py", ()),))
    text = shown(changed(lacking, patch=patch), None)
    assert "none yet" not in text and "behave differently" not in text
    assert "1 name, 3 uses; mindspore_plugin/ uses none of them" in text


def test_names_that_nothing_handles_come_first_and_are_not_cut_off() -> None:
    handled = [lacks(f"torch.f{number}", 9, "python/piece") for number in range(20)]
    left = [lacks("torch.y", 2), lacks("torch.z", 1)]
    text = shown(changed(EMPTY, missing=(*handled, *left)), "analyze")
    names = [line.split()[1] for line in text.splitlines() if "torch." in line]
    assert names[:3] == ["torch.y", "torch.z", "torch.f0"]


def test_what_launches_kernels_by_itself_is_left_alone_and_why() -> None:
    kernels = ("cuda-python", "cute-dsl", "nvrtc", "tilelang")
    facts = dataclasses.replace(FACTS, registration=("tvm_ffi",), kernels=kernels)
    text = " ".join(shown(changed(EMPTY, facts=facts), "analyze").split())
    assert "kernel bodies in tilelang and cute-dsl: independent of the framework" in text
    assert "launches through CuTe DSL, NVRTC, cuda-python: framework-neutral" in text
    assert "TVM FFI: its ABI is framework-neutral" in text
    assert "launches through" not in shown(EMPTY, "analyze")


def test_cpp_is_called_fine_only_where_nothing_in_it_is_lacking() -> None:
    used = changed(EMPTY, present=("at::b",))
    assert "C++ and CUDA sources" in shown(used, "analyze")
    assert "C++ and CUDA sources" not in shown(EMPTY, "analyze"), "no name of torch is used"
    lacking = Missing(name="at::a", language=Language.CPP, uses=1, state=State.MISSING)
    assert "C++ and CUDA sources" not in shown(changed(used, missing=(lacking,)), "analyze")


def test_torch_library_is_fine_only_where_the_target_has_headers_of_torch() -> None:
    facts = dataclasses.replace(FACTS, registration=("TORCH_LIBRARY",))
    lacking = Missing(name="at::a", language=Language.CPP, uses=1, state=State.MISSING)
    some = changed(EMPTY, facts=facts, missing=(lacking,), present=("at::b",))
    none = changed(EMPTY, facts=facts, missing=(lacking,))
    assert "TORCH_LIBRARY blocks" in shown(some, "analyze")
    assert "TORCH_LIBRARY blocks" not in shown(none, "analyze")


def test_files_that_could_not_be_read_are_listed_and_vendored_ones_are_not() -> None:
    skipped = (
        Skipped("b.py", "line 3: syntax"),
        Skipped("third_party/x.py", "vendored", meant=True),
    )
    text = shown(changed(EMPTY, skipped=skipped), "analyze")
    assert "b.py" in text and "third_party/x.py" not in text


def test_a_long_list_is_cut_and_says_where_the_rest_is() -> None:
    record = changed(EMPTY, missing=tuple(lacks(f"torch.n{n}") for n in range(40)))
    text = shown(record, "analyze")
    assert "torch.n11" in text and "torch.n12" not in text and "28 more" in text


def test_brackets_in_names_are_shown_as_they_are() -> None:
    record = changed(EMPTY, residue=(left("torch.a[red]", 1),), patch=PATCH)
    assert "torch.a[red]" in shown(record, "migrate")


PATCH = PatchRecord(
    path="/runs/1/port.patch",
    files=3,
    added=9,
    removed=1,
    changes=(
        ("setup.py", (Change(rule="paddle/python/guard", reason="why | how", until="never"),)),
        ("ops/_porter_compat/__init__.py", (Change(rule="p/one", reason="r", until="u"),)),
        ("ops/_porter_compat/build.py", (Change(rule="p/two", reason="r", until="u"),)),
    ),
)


def test_the_files_of_the_unit_are_one_row() -> None:
    text = shown(changed(EMPTY, patch=PATCH), "migrate")
    assert text.count("_porter_compat") == 1 and "one, two" in text
    assert "/runs/1/port.patch" in text and "no manual changes required" in text


def test_a_rule_that_crashed_is_not_nothing_left() -> None:
    crash = Crash(path="ops/a.py", where="p/one", error="ValueError: x")
    text = shown(changed(EMPTY, patch=PATCH, crashes=(crash,)), "migrate")
    assert "no manual changes required" not in text and "ops/a.py" in text


def test_what_no_one_can_judge_by_its_form_is_named_where_nothing_else_is_left() -> None:
    record = changed(
        EMPTY,
        patch=PATCH,
        missing=(lacks("torch.e", 2, state=State.DIFFERENT),),
        documents=(Mention("README.md", 3, "torch.a", "lacks it"),),
        skipped=(Skipped("c.py", "vendored", meant=True),),
    )
    text = " ".join(shown(record, "migrate", width=300).split())
    assert "no manual changes required (to check yourself: 2 uses of names" in text
    assert "1 place in documents)" in text
    assert "judge yourself" not in shown(changed(EMPTY, patch=PATCH), "migrate")


def test_a_file_that_could_not_be_read_is_not_nothing_left() -> None:
    skipped = (Skipped("b.py", "line 3: syntax"),)
    text = shown(changed(EMPTY, patch=PATCH, skipped=skipped), "migrate")
    assert "no manual changes required" not in text and "b.py" in text


def test_a_verdict_below_ported_is_not_nothing_left() -> None:
    assert "no manual changes required" not in shown(judged(Verdict.RUNS, "one test is lost"))


def test_units_of_cuda_that_do_not_compile_are_not_nothing_left() -> None:
    unit = UnitResult(path="a.cu", extension="ops", ok=False, seconds=1.0)
    text = shown(changed(EMPTY, patch=PATCH, cuda_units=(unit,)), "migrate")
    assert "no manual changes required" not in text and "0 of 1 compile" in text


def test_a_site_that_a_rule_explains_is_not_said_again_as_residue() -> None:
    record = changed(
        EMPTY,
        patch=PATCH,
        open=(finding("person", 2, Safety.MANUAL, edited=False),),
        residue=(left("torch.a", 2), left("torch.b", 5), left("torch.b", 7)),
    )
    found = [(one.what, len(one.sites), one.is_rule) for one in collect_remaining(record)]
    assert found == [("torch.b", 2, False), ("paddle/python/person", 1, True)]
    for text in (shown(record, "migrate"), markdown(record)):
        assert text.count("a.py:2") == 1 and "torch.a" not in text
    assert "manual changes required (3 sites)" in shown(record, "migrate")


def with_scripts(*own: Residue) -> RunRecord:
    """A migrated library with leftovers in a benchmark, and these in itself."""
    facts = dataclasses.replace(FACTS, scripts=("bench.py",))
    speed = (
        dataclasses.replace(left("torch.a", 2), path="bench.py"),
        dataclasses.replace(left("torch.b", 2), path="bench.py"),
    )
    return changed(EMPTY, facts=facts, patch=PATCH, residue=(*own, *speed))


def test_what_remains_in_scripts_is_told_apart_and_decides_nothing() -> None:
    record = with_scripts()
    text = shown(record, "migrate")
    assert "no manual changes" in text and "manual changes required (" not in text
    assert "not affect the verdict (1 site)" in text and text.count("bench.py:2") == 2
    assert not everything.leftovers(record)
    written = document(record)
    assert written["open"] == written["residue"] == []
    assert [one["path"] for one in written["scripts"]["residue"]] == ["bench.py"] * 2
    assert "What remains" not in markdown(record) and "`bench.py:2`" in markdown(record)


def test_what_remains_in_the_library_decides_beside_scripts() -> None:
    record = with_scripts(left("torch.a", 9))
    text = shown(record, "migrate")
    assert "manual changes required (1 site)" in text and "no manual changes" not in text
    assert everything.leftovers(record)
    assert [one["line"] for one in document(record)["residue"]] == [9]


def test_a_site_is_counted_once_in_text_and_in_json() -> None:
    record = changed(
        EMPTY,
        patch=PATCH,
        open=(finding("person", 2, Safety.MANUAL, edited=False),),
        residue=(left("torch.a", 2), left("torch.b", 5), left("torch.b", 5), left("torch.c", 5)),
    )
    written = document(record)
    sites = {(one["path"], one["line"]) for one in (*written["open"], *written["residue"])}
    assert f"manual changes required ({len(sites)} sites)" in shown(record, "migrate")
    assert {one["line"] for one in written["residue"]} == {5}


def test_without_a_patch_no_path_is_named() -> None:
    assert document(EMPTY)["patch"] is None
    empty = dataclasses.replace(PATCH, files=0, added=0, removed=0)
    assert document(changed(EMPTY, patch=empty))["patch"]["path"] is None
    assert document(changed(EMPTY, patch=PATCH))["patch"]["path"] == PATCH.path


def test_what_this_build_cannot_judge_comes_last_and_says_so() -> None:
    record = changed(
        EMPTY, residue=(left("u", 1, State.UNKNOWN), left("u", 2, State.UNKNOWN), left("m", 9))
    )
    assert [(one.what, one.judged) for one in collect_remaining(record)] == [
        ("m", True),
        ("u", False),
    ]
    assert "not judged" in markdown(record)


def cell(tree: Tree, environment: str, evidence: Evidence = Evidence.NATIVE) -> Cell:
    return Cell(tree, environment, Device.CPU, evidence)


DONE = changed(
    EMPTY,
    patch=PATCH,
    builds=(
        BuildResult(cell=cell(Tree.PATCHED, "torch"), status=Status.OK),
        BuildResult(
            cell=cell(Tree.PATCHED, "paddle"),
            status=Status.FAILED,
            reason="it stopped",
            diagnostics=tuple(
                Diagnostic(
                    tool="g++",
                    severity="error",
                    path="ops.cpp",
                    line=n,
                    column=1,
                    message="m",
                    cause="no member named sum",
                )
                for n in (4, 8)
            ),
        ),
    ),
    suites=tuple(
        SuiteResult(cell=cell(tree, name), status=Status.OK, outcomes=outcomes)
        for tree, name, outcomes in (
            (Tree.UNPATCHED, "torch", {"t::a": Outcome.PASSED}),
            (Tree.PATCHED, "paddle", {"t::a": Outcome.FAILED}),
        )
    ),
    comparison=SuiteComparison(lost=("t::a",), messages={"t::a": "it differs"}),
    lost_tests=(
        LostTests(
            exception="AssertionError",
            message="it differs",
            path="t.py",
            line=3,
            answer="",
            tests=("t::a",),
        ),
    ),
    parity=(
        ParityResult(case="fine", device=Device.CPU, evidence=Evidence.NATIVE, status=Status.OK),
        ParityResult(
            case="odd",
            device=Device.CPU,
            evidence=Evidence.NATIVE,
            status=Status.FAILED,
            phase="values",
            message="off by one",
        ),
    ),
)


def judged(verdict: Verdict, reason: str) -> RunRecord:
    found = DeviceVerdict(Device.CPU, verdict, tuple(reason.split("; ")))
    return changed(DONE, verdicts=(found,), overall=found)


def test_builds_tests_and_parity_show_what_failed_and_why() -> None:
    text = shown(judged(Verdict.RUNS, "one; two"))
    assert "2  no member named sum" in text and "ops.cpp:4" in text and "it stopped" in text
    assert "unpatched, torch" in text and "1 passed" in text and "1 failed" in text
    assert "tests lost on paddle (1)" in text and "it differs" in text
    assert "parity cases (2: 1 ok, 1 failed)" in text and "off by one" in text


def test_lost_tests_are_told_by_cause() -> None:
    """Those of most tests first, each with its answer and frame, in every form of the report."""

    def cause(answer: str, line: int, *tests: str) -> LostTests:
        return LostTests(
            exception="AttributeError",
            message="no frob",
            path="ops/a.py",
            line=line,
            answer=answer,
            tests=tests,
        )

    groups = (cause("missing torch.frob", 4, "t::a", "t::b", "t::c"), cause("", 0, "t::d"))
    record = changed(judged(Verdict.RUNS, "one"), lost_tests=groups)
    first, second = document(record)["tests"]["lost_by_cause"]
    assert (first["answer"], first["tests"]) == ("missing torch.frob", ["t::a", "t::b", "t::c"])
    assert (first["exception"], first["message"]) == ("AttributeError", "no frob")
    assert (first["path"], first["line"], second["answer"]) == ("ops/a.py", 4, "unknown")
    text = shown(record)
    assert "tests lost on paddle (4)" in text and "3  AttributeError: no frob" in text
    assert "missing torch.frob at ops/a.py:4: t::a, t::b and 1 more" in " ".join(text.split())
    assert (
        "- 3 tests lost: AttributeError: no frob (missing torch.frob at ops/a.py:4): "
        "`t::a`, `t::b`, `t::c`" in markdown(record)
    )


def test_modules_that_the_target_alone_cannot_import_are_told_by_cause() -> None:
    """The cause of the most modules first, in every form of the report."""

    def lacking(name: str) -> Diagnostic:
        return plain("python", f"AttributeError: module 'torch' has no attribute '{name}'")

    lost = {"ops.a": lacking("x"), "ops.b": lacking("y"), "ops.c": lacking("y")}
    record = dataclasses.replace(
        judged(Verdict.RUNS, "one"),
        verification=dataclasses.replace(DONE.verification, lost_imports=lost),
    )
    rows = document(record)["lost_imports"]
    assert [(row["scope"], row["name"], row["modules"]) for row in rows] == [
        ("torch", "y", ["ops.b", "ops.c"]),
        ("torch", "x", ["ops.a"]),
    ]
    for text in (shown(record), markdown(record)):
        assert text.index("ops.b") < text.index("ops.a")
        assert "torch has no attribute y" in text


def test_tests_that_depend_on_polyfilled_checks_are_listed_and_compiled_ones_apart() -> None:
    plain, target = DONE.suites
    compilers = {"torch.jit.script": ("t::a",), "torch.compile": ("t::b", "t::c", "t::d")}
    checks = {"torch.equal": ("t::a", "t::b"), "x": ("t::a",), **compilers}
    record = changed(DONE, suites=(plain, dataclasses.replace(target, polyfilled=checks)))
    text = shown(record)
    assert "depend on a polyfilled check (2)" in text and "2  torch.equal" in text
    assert "t::a, t::b" in text and "1  x " in text
    assert "that use torch.jit.script, which compiles nothing under paddle (1)" in text
    assert "that use torch.compile, which compiles nothing under paddle (3)" in text
    found = document(record)["tests"]
    assert found["polyfilled_checks"] == {"torch.equal": ["t::a", "t::b"], "x": ["t::a"]}
    assert found["scripted"] == ["t::a"] and found["eager"] == ["t::b", "t::c", "t::d"]
    assert "| `torch.equal` | 2 |" in markdown(record)
    assert "polyfill" not in shown(DONE) and document(DONE)["tests"]["polyfilled_checks"] == {}


@pytest.mark.parametrize("verdict", list(Verdict))
def test_the_verdict_comes_last_with_its_reasons_and_what_raises_it(verdict: Verdict) -> None:
    lines = shown(judged(verdict, "one; two")).rstrip().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(f"{verdict.name} — "))
    below = [line.split() for line in lines[at + 1 :]]
    assert below[0][-1] == "one" and below[1] == ["two"]
    assert (verdict is Verdict.PORTED) == (len(below) == 2)
    assert below[0][0] == ("because" if verdict is Verdict.PORTED else "why")


def test_what_needs_the_patch_is_told_apart() -> None:
    """Of two tests the tree as it came passes one, of two cases that agree with the patch none."""
    outcomes = {"t::a": Outcome.PASSED, "t::b": Outcome.PASSED}
    trees = (Tree.UNPATCHED, "torch"), (Tree.UNMODIFIED, "paddle"), (Tree.PATCHED, "paddle")
    there = [cell(tree, name) for tree, name in trees]
    some = {**outcomes, "t::b": Outcome.FAILED}
    fine = DONE.verification.parity[0]
    cases = tuple(dataclasses.replace(fine, case=name) for name in "cd")
    other = dataclasses.replace(fine, case="c", status=Status.FAILED)
    record = changed(
        EMPTY,
        patch=PATCH,
        builds=tuple(
            BuildResult(cell=one, status=Status.OK, python="python", modules=("m",))
            for one in there
        ),
        suites=tuple(
            SuiteResult(cell=one, status=Status.OK, outcomes=found)
            for one, found in zip(there, (outcomes, some, outcomes), strict=True)
        ),
        parity=cases,
        unmodified_parity=(other, dataclasses.replace(other, case="d", status=Status.SKIPPED)),
    )
    record = verdicts.judge(record, Options())
    found = document(record)
    assert found["tests"]["by_patch"] == ["t::b"]
    assert found["unmodified"]["verdict"] == "RUNS" and found["verdict"] == "PORTED"
    assert found["unmodified"]["parity"] == {"passed": 0, "failed": 1, "skipped": 1}
    assert found["unmodified"]["cases_by_patch"] == ["c", "d"]
    text = shown(record)
    assert "parity cases that need the patch on paddle (2)" in text
    assert "without patch   RUNS: 1 of 2 tests lost on paddle: t::b" in text


def test_no_line_is_wider_than_the_terminal() -> None:
    record = changed(
        judged(Verdict.RUNS, "a reason " * 30),
        findings=(finding("r" * 60, 1, path="p/" * 40),),
        missing=(lacks("torch." + "n" * 90, answer="python/" + "p" * 60),),
    )
    for only in (None, "analyze", "migrate"):
        lines = shown(record, only, width=80).splitlines()
        assert all(len(line) <= 80 for line in lines)


def test_markdown_has_the_changes_the_evidence_and_what_remains() -> None:
    text = markdown(judged(Verdict.RUNS, "one"))
    assert "| why \\| how (`paddle/python/guard`) | `setup.py` | never |" in text
    assert text.count("`ops/_porter_compat/`") == 2
    assert (
        "RUNS" in text
        and "it differs (unknown at t.py:3): `t::a`" in text
        and "parity case `odd`" in text
    )
    assert "| no member named sum | 2 | `ops.cpp:4` | patched, paddle, cpu |" in text
    assert "porter migrate . --target paddle==3.3.1" in text
    fork = changed(DONE, form=Form(Style.FORK))
    assert "--style fork" in markdown(fork)


def full_record(**more: object) -> RunRecord:
    """A record whose two tests pass on every side."""
    passed = dict.fromkeys(("t::a", "t::b"), Outcome.PASSED)
    sides = ((Tree.UNPATCHED, "torch"), (Tree.PATCHED, "torch"), (Tree.PATCHED, "paddle"))
    cells = [Cell(tree, name, Device.CPU, Evidence.NATIVE) for tree, name in sides]
    checks = {"torch.equal": ("t::a",)}
    record = changed(
        EMPTY,
        builds=tuple(BuildResult(cell=c, status=Status.OK, modules=("m",)) for c in cells),
        suites=tuple(
            SuiteResult(
                cell=c,
                status=Status.OK,
                command="pytest tests",
                outcomes=passed,
                polyfilled=checks if c.environment == "paddle" else {},
            )
            for c in cells
        ),
        **{"patch": PATCH, **more},
    )
    return verdicts.judge(record, Options())


def test_what_remains_in_scripts_does_not_lower_the_verdict() -> None:
    bench, facts = (dataclasses.replace(left("a", 2), path="bench.py"),), FACTS
    record = full_record(residue=bench, facts=dataclasses.replace(facts, scripts=("bench.py",)))
    assert document(record)["verdict"] == "PORTED" and not everything.remains(record)
    text = shown(record)
    assert "no manual changes" in text and "bench.py:2" in text
    record = full_record(residue=bench)
    assert document(record)["verdict"] == "RUNS" and everything.remains(record)


def test_a_pull_request_says_first_what_changes_for_whom_and_how_it_was_tested() -> None:
    wheel = "/home/me/porter_compat-1-py3.whl"
    source = dataclasses.replace(EMPTY.source, written="/home/me/ops")
    record = full_record(patch=dataclasses.replace(PATCH, compat_wheel=wheel), source=source)
    text = markdown(record)
    before_tables = text.partition("\n|")[0]
    for said in (
        "Nothing changes. Tests passed without the patch: 2, with it: 2, lost: none.",
        "**PORTED",
        "`porter_compat-1-py3.whl`",
        "`pytest tests`",
        "porter migrate . --target paddle==3.3.1",
    ):
        assert said in before_tables
    assert "/home/me" not in text and "1 polyfill" not in before_tables
    folded = text[text.index("<details>") : text.index("</details>")]
    assert "`torch.equal`" in folded and text.count("torch.equal") == 1


def test_a_pull_request_promises_nothing_that_was_not_seen() -> None:
    untested = markdown(changed(EMPTY, patch=PATCH))
    assert "Nothing changes" not in untested and "no tests were run with the patch" in untested
    lost = SuiteComparison(lost_patched=("t::a",))
    torch = Cell(Tree.PATCHED, "torch", Device.CPU, Evidence.NATIVE)
    suite = SuiteResult(cell=torch, status=Status.OK, outcomes={"t::b": Outcome.PASSED})
    text = markdown(changed(EMPTY, patch=PATCH, suites=(suite,), comparison=lost))
    assert (
        "Nothing changes" not in text
        and "no longer pass with the patch (1)" in text
        and "`t::a`" in text
    )


def test_code_for_ascend_has_its_section_and_other_repositories_none() -> None:
    assert document(EMPTY)["ascend"] is None
    assert "Ascend" not in shown(EMPTY, "analyze") and "Ascend" not in markdown(EMPTY)
    piece = AscendPiece(AscendPart.KERNEL, "op_kernel/add.cpp", 4, "__aicore__")
    add = AscendOperator(
        name="ours::add",
        routes=(AscendRoute.LAUNCH,),
        pieces=(piece,),
        lacks=("meta function", "ACLNN operator"),
    )
    wrong = dataclasses.replace(finding("no_tail", 9, path="op_kernel/add.cpp"), message="no tail")
    record = changed(
        EMPTY,
        facts=dataclasses.replace(FACTS, ascend=Ascend(operators=(add,))),
        ascend=(wrong,),
    )
    text = shown(record, "analyze")
    for part in (
        "for Ascend NPUs (1 operator)",
        "direct launch",
        "ours::add",
        "no tail",
        "has a fix",
    ):
        assert part in text
    assert "no node in a GE graph" in text
    told = document(record)["ascend"]
    assert told["routes"]["direct launch"] == 1
    assert told["operators"][0]["pieces"][0]["line"] == 4
    assert told["findings"][0]["fix"] is True
    assert "| `ours::add` | kernel | meta function, ACLNN operator |" in markdown(record)
