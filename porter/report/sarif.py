"""SARIF 2.1.0 of what was found in the tree as it came, with the edits that rules know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from porter.model import Diagnostic, Edit, Finding, Safety, Tree
from porter.report.facts import unexplained
from porter.report.hunks import Hunk, hunks, line_before
from porter.report.sources import Sources
from porter.run.record import RunRecord

Part = dict[str, Any]
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {Safety.SAFE: "note", Safety.REVIEW: "warning", Safety.MANUAL: "warning"}
RESULTS = 20_000  # readers take no more of a run


def sarif(record: RunRecord, sources: Sources) -> str:
    """Return the document; results over the limit are counted in a notification."""
    results = list(_results(record, sources))
    rules: dict[str, Part] = {}
    for result in results:
        rules.setdefault(result["ruleId"], _rule(result))
    index = {name: number for number, name in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = index[result["ruleId"]]
    driver = {
        "name": "porter",
        "version": record.porter_version,
        "rules": list(rules.values()),
    }
    invocation: Part = {"executionSuccessful": not record.crashes}
    if len(results) > RESULTS:
        said = f"{len(results) - RESULTS} more results are left out: porter report --json"
        invocation["toolExecutionNotifications"] = [{"message": {"text": said}}]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the root of the repository"}}},
        "invocations": [invocation],
        "results": results[:RESULTS],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(result: Part) -> Part:
    """Describe a rule by its name, and by the first of its results."""
    words = result["ruleId"].rpartition("/")[2].split("_")
    return {
        "id": result["ruleId"],
        "name": "".join(word.capitalize() for word in words),
        "shortDescription": {"text": " ".join(words)},
        "fullDescription": result["message"],
        "defaultConfiguration": {"level": result["level"]},
    }


def _results(record: RunRecord, sources: Sources) -> Iterator[Part]:
    """Yield findings, differences without an answer, residue, and what the build of the tree as it
    came said; a place counts in that tree."""
    for finding in (*record.analysis.findings, *record.analysis.ascend):
        yield _result_of_finding(finding, sources)
    for unused in record.analysis.unused:
        place = _location(sources.whole(unused.path), {"startLine": unused.line}, unused.cell)
        text = f"`porter: ignore` for {unused.rule or 'all rules'}: {unused.reason}"
        yield _result("unused_suppression", "note", text, place)
    for one in record.analysis.differences:
        if not one.answer:
            place = _location(sources.whole(one.path), {"startLine": one.line}, one.cell)
            yield _result(
                f"difference/{one.name}", "warning", f"{one.name}: {one.consequence}", place
            )
    found = tuple(hunks(sources.diff()))
    for left in unexplained(record):
        path = sources.whole(left.path)
        line = left.line if left.cell else line_before(found, path, left.line)
        place = _location(path, {"startLine": line}, left.cell)
        yield _result(f"residue/{left.name}", "warning", f"{left.name}: {left.reason}", place)
    for build in record.builds:
        for said in build.diagnostics:
            if said.path and not PurePosixPath(said.path).is_absolute():
                yield _diagnostic(said, found if build.cell.tree is Tree.PATCHED else ())


def _result_of_finding(finding: Finding, sources: Sources) -> Part:
    path = sources.whole(finding.path)
    data = None if finding.cell else sources.read(path)
    region: Part = {"startLine": finding.line}
    if data is not None and finding.span.end <= len(data):
        region = _region(data, finding.span.start, finding.span.end)
    place = _location(path, region, finding.cell)
    result = _result(finding.rule, LEVELS[finding.safety], finding.message, place)
    if finding.accepted:
        result["suppressions"] = [{"kind": "external", "status": "accepted"}]
    result["properties"] = {"safety": finding.safety.label}
    if finding.edits and data is not None:
        result["fixes"] = [_fix(finding, path, data)]
    return result


def _fix(finding: Finding, path: str, data: bytes) -> Part:
    """Return the edit in the form of replacements, the first place first."""
    edits = sorted(finding.edits, key=lambda e: (e.span.start, e.span.end))
    change = {
        "artifactLocation": _artifact(path),
        "replacements": [_replacement(edit, data) for edit in edits],
    }
    return {"description": {"text": finding.message}, "artifactChanges": [change]}


def _replacement(edit: Edit, data: bytes) -> Part:
    return {
        "deletedRegion": _region(data, edit.span.start, edit.span.end),
        "insertedContent": {"text": edit.text.decode(errors="replace")},
    }


def _region(data: bytes, start: int, end: int) -> Part:
    """Return a span of bytes as lines and columns from 1, in code points."""
    (line, column), (last, after) = _place(data, start), _place(data, end)
    return {"startLine": line, "startColumn": column, "endLine": last, "endColumn": after}


def _place(data: bytes, offset: int) -> tuple[int, int]:
    before = data[:offset]
    column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
    return before.count(b"\n") + 1, column


def _diagnostic(said: Diagnostic, found: tuple[Hunk, ...]) -> Part:
    level = "error" if said.severity == "error" else "warning"
    region = {"startLine": line_before(found, said.path, said.line)} if said.line > 0 else {}
    place = _location(said.path, region, 0)
    return _result(f"build/{said.tool}", level, said.message, place)


def _result(rule: str, level: str, message: str, place: Part) -> Part:
    return {"ruleId": rule, "level": level, "message": {"text": message}, "locations": [place]}


def _location(path: str, region: Part, cell: int) -> Part:
    """Return a place in a file; of a notebook, whose lines count in a cell, the cell's name."""
    physical: Part = {"artifactLocation": _artifact(path)}
    if cell:
        logical = {"fullyQualifiedName": f"cell {cell}, line {region['startLine']}"}
        return {"physicalLocation": physical, "logicalLocations": [logical]}
    return {"physicalLocation": physical | ({"region": region} if region else {})}


def _artifact(path: str) -> Part:
    return {"uri": quote(path), "uriBaseId": "SRCROOT"}
