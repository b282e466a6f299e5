"""Findings as SARIF, tests as JUnit; the hunks of a patch, which the page and SARIF read."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from junitparser import Failure as LostTest
from junitparser import JUnitXml, Skipped
from pydantic import ValidationError
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Schema
from sarif import loader

from porter.model import (
    BuildResult,
    Cell,
    Change,
    Device,
    Diagnostic,
    Difference,
    Edit,
    Evidence,
    Failure,
    Finding,
    Outcome,
    ParityResult,
    PatchRecord,
    Residue,
    Safety,
    Span,
    State,
    Status,
    SuiteComparison,
    SuiteResult,
    Tree,
)
from porter.report.hunks import hunks, line_before, reasons
from porter.report.junit import junit
from porter.report.sarif import sarif
from porter.report.sources import Sources
from porter.run.record import Analysis, Migration, RunRecord, SourceRecord
from porter.run.store import Run
from tests.records import changed

CPU = (Device.CPU, Evidence.NATIVE)
TEXT = 'x = "ü"; a.b(c)\nlast\n'
DIFF = """diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,3 +1,4 @@
 one
+new
 two
 three
@@ -10,3 +11,2 @@
 ten
--- looks like a header
 twelve
diff --git "a/\\303\\274.py" "b/\\303\\274.py"
--- "a/\\303\\274.py"
+++ "b/\\303\\274.py"
@@ -5 +5 @@
-old
+new
\\ No newline at end of file
"""
FINDING = Finding(
    rule="paddle/python/some_rule",
    path="a b.py",
    span=Span(10, 13),
    line=1,
    column=11,
    message="says why",
    safety=Safety.SAFE,
    edits=(Edit(Span(14, 15), b"d"), Edit(Span(10, 11), b"")),
)
RECORD = RunRecord(
    id="1",
    porter_version="0",
    created=0.0,
    cwd="/",
    source=SourceRecord(written="./ops", identity="path:/ops", kind="path"),
    analysis=Analysis(target="paddle", target_version="3.3.1"),
)


def results(folder: Path, record: RunRecord, diff: str = "") -> list[dict[str, Any]]:
    for name in ("base", "patch"):
        (folder / name).mkdir()
    (folder / "base" / "a b.py").write_text(TEXT)
    (folder / "patch" / "port.patch").write_text(diff)
    document = json.loads(sarif(record, Sources(Run(folder), record)))
    Schema.model_validate(document)
    assert document["version"] == "2.1.0" and len(document["runs"]) == 1
    run = document["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("note", "warning", "error") and result["message"]["text"]
        for location in result["locations"]:
            assert location["physicalLocation"]["artifactLocation"]["uriBaseId"] == "SRCROOT"
    found = run["results"]
    assert isinstance(found, list)
    return found


def place(result: dict[str, Any]) -> tuple[str, int | None]:
    found = result["locations"][0]["physicalLocation"]
    return found["artifactLocation"]["uri"], found.get("region", {}).get("startLine")


def apply(text: str, fix: dict[str, Any]) -> str:
    """Apply the replacements of a fix as a reader of SARIF does, the last place first."""
    lines = text.split("\n")
    (change,) = fix["artifactChanges"]
    for one in reversed(change["replacements"]):
        region = one["deletedRegion"]
        assert region["startLine"] == region["endLine"]
        line, inserted = lines[region["startLine"] - 1], one["insertedContent"]["text"]
        before, after = line[: region["startColumn"] - 1], line[region["endColumn"] - 1 :]
        lines[region["startLine"] - 1] = before + inserted + after
    return "\n".join(lines)


def test_a_fix_gives_what_migrate_writes(tmp_path: Path) -> None:
    data = TEXT.encode()
    start = data.index(b"a.b")
    edits = (Edit(Span(start + 4, start + 5), b"d"), Edit(Span(start, start + 2), b""))
    found = dataclasses.replace(FINDING, span=Span(start, start + 3), edits=edits)
    (result,) = results(tmp_path, changed(RECORD, findings=(found,)))
    assert result["level"] == "note" and place(result) == ("a%20b.py", 1)
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (10, 13), "characters, not bytes"
    assert apply(TEXT, result["fixes"][0]) == 'x = "ü"; b(d)\nlast\n'


def test_sarif_that_breaks_the_schema_is_noticed(tmp_path: Path) -> None:
    document = json.loads(sarif(RECORD, Sources(Run(tmp_path), RECORD)))
    Schema.model_validate(document)
    with pytest.raises(ValidationError):
        Schema.model_validate(document | {"version": "2.0.0"})
    document["runs"][0]["tool"]["driver"]["nmae"] = "porter"
    with pytest.raises(ValidationError):
        Schema.model_validate(document)


def test_another_tool_reads_the_findings(tmp_path: Path) -> None:
    record = changed(RECORD, findings=(FINDING, dataclasses.replace(FINDING, safety=Safety.MANUAL)))
    file = tmp_path / "porter.sarif"
    file.write_text(sarif(record, Sources(Run(tmp_path), record)), encoding="utf-8")
    read = loader.load_sarif_file(str(file))
    assert read.get_distinct_tool_names() == ["porter"] and read.get_result_count() == 2
    found = [(r["Severity"], r["Code"], r["Location"], r["Line"]) for r in read.get_records()]
    assert found == [(level, FINDING.rule, "a%20b.py", 1) for level in ("note", "warning")]


def test_a_cell_of_a_notebook_is_a_logical_place_and_has_no_fix(tmp_path: Path) -> None:
    (result,) = results(tmp_path, changed(RECORD, findings=(dataclasses.replace(FINDING, cell=3),)))
    assert place(result) == ("a%20b.py", None) and "fixes" not in result
    assert result["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "cell 3, line 1"}]


def test_what_a_project_below_the_root_has_is_named_from_the_root(tmp_path: Path) -> None:
    record = changed(RECORD, findings=(FINDING,))
    record = dataclasses.replace(record, source=dataclasses.replace(record.source, subdir="sub"))
    (result,) = results(tmp_path, changed(record, findings=(FINDING,)))
    assert place(result) == ("sub/a%20b.py", 1)


def test_differences_residue_and_build_messages_stand_at_lines_of_the_tree_as_it_came(
    tmp_path: Path,
) -> None:
    def difference(answer: str) -> Difference:
        return Difference(
            path="a.py", line=3, column=1, name="n", consequence="c", sure=True, answer=answer
        )

    said = Diagnostic(
        tool="g++", severity="error", path="a.py", line=4, column=1, message="m", cause="m"
    )
    build = BuildResult(
        cell=Cell(Tree.PATCHED, "paddle", *CPU),
        status=Status.FAILED,
        diagnostics=(said, dataclasses.replace(said, path="/usr/include/x.h")),
    )
    record = dataclasses.replace(
        RECORD,
        migration=Migration(
            patch=PatchRecord(path="port.patch"),
            residue=(
                Residue(
                    path="a.py", line=12, column=1, name="r", reason="why", state=State.MISSING
                ),
            ),
        ),
    )
    record = changed(record, differences=(difference(""), difference("x")), builds=(build,))
    found = results(tmp_path, record, DIFF)
    assert [(r["ruleId"], r["level"], place(r)) for r in found] == [
        ("difference/n", "warning", ("a.py", 3)),
        ("residue/r", "warning", ("a.py", 12)),
        ("build/g++", "error", ("a.py", 3)),
    ]


def test_a_diff_is_read_hunk_by_hunk() -> None:
    found = tuple(hunks(DIFF))
    assert [(h.path, h.before, h.after, len(h.lines)) for h in found] == [
        ("a.py", (1, 3), (1, 4), 4),
        ("a.py", (10, 3), (11, 2), 3),
        ("ü.py", (5, 1), (5, 1), 2),
    ]
    moved = {1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 10: 9, 11: 10, 12: 12, 13: 13}
    assert {line: line_before(found, "a.py", line) for line in moved} == moved
    assert line_before(found, "other.py", 7) == 7


def test_a_hunk_has_the_reasons_whose_rules_found_something_in_it() -> None:
    def change(rule: str) -> Change:
        return Change(rule=rule, reason=f"why {rule}", until="")

    findings = tuple(
        dataclasses.replace(FINDING, rule=rule, path="a.py", line=line)
        for rule, line in (("first", 2), ("second", 11))
    )
    changes = tuple(map(change, ("first", "second", "third")))
    patch = PatchRecord(path="p", changes=(("a.py", changes), ("ü.py", changes[2:])))
    record = dataclasses.replace(
        changed(RECORD, findings=findings), migration=Migration(patch=patch)
    )
    found = [[c.rule for c in why] for _, why in reasons(record, hunks(DIFF))]
    assert found == [["first"], ["second"], ["third"]]
    elsewhere = DIFF.replace("@@ -1,3 +1,4", "@@ -4,3 +4,4")
    assert [c.rule for c in next(reasons(record, hunks(elsewhere)))[1]] == ["third"]


def test_junit_has_the_compared_tests_and_the_parity_cases() -> None:
    names = ("t.py::lost", "t.py::good", "t.py::bad", "t.py::left")
    outcomes = dict(
        zip(
            names,
            (Outcome.PASSED, Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED),
            strict=True,
        )
    )
    record = changed(
        RECORD,
        suites=(
            SuiteResult(
                cell=Cell(Tree.UNPATCHED, "torch", *CPU), status=Status.OK, outcomes=outcomes
            ),
        ),
        comparison=SuiteComparison(
            lost=names[:1],
            failing_in_both=names[2:3],
            skipped=names[3:],
            messages={names[0]: "failed: \x1b <why>"},
            failures={
                names[0]: Failure(exception="E", message="m", path="a.py", line=4, source="f()")
            },
        ),
        parity=(
            ParityResult(
                case="c", device=CPU[0], evidence=CPU[1], status=Status.FAILED, phase="values"
            ),
        ),
    )
    tests, parity = ElementTree.fromstring(junit(record))
    assert {key: tests.get(key) for key in ("tests", "failures", "skipped")} == {
        "tests": "4",
        "failures": "1",
        "skipped": "2",
    }
    failure = tests.find("testcase/failure")
    assert failure is not None
    assert (failure.get("message"), failure.text) == ("failed:  <why>", "a.py:4: f()")
    assert [case.get("name") for case in tests] == ["lost", "bad", "left", "good"]
    assert parity.get("failures") == "1"
    read = [list(suite) for suite in JUnitXml.fromstring(junit(record).encode())]
    kinds = [[type(result) for case in cases for result in case.result] for cases in read]
    assert kinds == [[LostTest, Skipped, Skipped], [LostTest]], "as another tool reads it"
    assert read[0][0].classname == "t.py" and read[1][0].name == "c"


def test_without_a_comparison_there_is_no_test_in_junit() -> None:
    assert [len(suite) for suite in ElementTree.fromstring(junit(RECORD))] == [0, 0]
