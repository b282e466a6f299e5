"""Baselines of accepted findings, and comments that suppress: what counts, what is not used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porter.languages.read import read
from porter.migrate import baseline
from porter.migrate.scan import Job, scan
from porter.model import Finding, Form, Language, ProjectFacts, Safety, Span, Suppression
from porter.rules.loader import load_pack
from porter.rules.suppressed import find_unused
from tests.test_cli import document, porter, write
from tests.test_scan import home, tree

__all__ = ["home"]  # a fixture
CALL = "torch.frombuffer(b'abcd', dtype=torch.float32)"
USES = f"import torch\n\nx = {CALL}\n"


def finding(data: bytes, needle: bytes, rule: str = "r", nth: int = 0) -> Finding:
    at = -1
    for _ in range(nth + 1):
        at = data.index(needle, at + 1)
    span = Span(at, at + len(needle))
    line = data.count(b"\n", 0, at) + 1
    return Finding(
        rule=rule, path="a.py", span=span, line=line, column=1, message="m", safety=Safety.SAFE
    )


def accepted_of(data: bytes, found: list[Finding], written: str, folder: Path) -> list[bool]:
    (folder / "b.json").write_text(written)
    marked, _ = baseline.mark(found, baseline.load(folder / "b.json"), lambda path: data)
    return [one.accepted for one in marked]


def test_lines_may_move_and_be_indented_anew(tmp_path: Path) -> None:
    old = b"a = f(1)\nb = f(2)\n"
    written = baseline.encode([finding(old, b"f(1)")], (), lambda path: old)
    new = b"import os\n\nif os:\n    a  =  f(1)\nb = f(2)\n"
    both = [finding(new, b"f(1)"), finding(new, b"f(2)")]
    assert accepted_of(new, both, written, tmp_path) == [True, False]
    other_rule = [finding(new, b"f(1)", "other")]
    assert accepted_of(new, other_rule, written, tmp_path) == [False]


def test_sites_that_read_alike_are_counted(tmp_path: Path) -> None:
    old = b"f(1)\nf(1)\n"
    written = baseline.encode([finding(old, b"f", nth=n) for n in (0, 1)], (), lambda path: old)
    new = b"f(1)\nf(1)\nf(1)\n"
    three = [finding(new, b"f", nth=n) for n in range(3)]
    assert accepted_of(new, three, written, tmp_path) == [True, True, False]
    _, unused = baseline.mark(three[:1], baseline.load(tmp_path / "b.json"), lambda path: new)
    assert [one.count for one in unused] == [1]


def test_long_sites_are_told_apart(tmp_path: Path) -> None:
    old, new = (b"f(" + b"x, " * 200 + last + b")\n" for last in (b"1", b"2"))
    written = baseline.encode([finding(old, b"f(")], (), lambda path: old)
    assert len(written) < 500
    assert accepted_of(old, [finding(old, b"f(")], written, tmp_path) == [True]
    assert accepted_of(new, [finding(new, b"f(")], written, tmp_path) == [False]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": 2, "findings": []}',
        '{"schema": 1, "findings": [1]}',
        '{"schema": 1, "findings": [{"rule": 1, "path": "", "text": ""}]}',
        '{"schema": 1, "findings": [{"rule": "", "path": "", "text": "", "count": 0}]}',
        '{"schema": 1, "findings": [{"rule": "", "path": "", "text": "", "more": 1}]}',
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"b.json": text, "a.py": USES})
    done = porter("analyze", ".", "--baseline", "b.json", cwd=tmp_path)
    assert done.returncode == 2 and "b.json" in done.stderr


def test_only_what_is_new_counts(tmp_path: Path) -> None:
    write(tmp_path / "ops", {"a.py": USES})
    gate = ("analyze", "ops", "--fail-on-findings")
    assert porter(*gate, cwd=tmp_path).returncode == 1
    porter("analyze", "ops", "--write-baseline", "b.json", cwd=tmp_path)
    accepted = document(*gate, "--baseline", "b.json", cwd=tmp_path, code=0)
    assert accepted["baseline"]["accepted"]["finding"] > 0
    assert accepted["baseline"]["unused"] == []
    write(tmp_path / "ops", {"a.py": f"import os\n{USES}"})
    assert porter(*gate, "--baseline", "b.json", cwd=tmp_path).returncode == 0, "lines moved"
    write(tmp_path / "ops", {"a.py": f"{USES}y = {CALL}\n"})
    again = document(*gate, "--baseline", "b.json", cwd=tmp_path, code=1)
    assert {f["line"] for f in again["findings"] if not f["accepted"]} == {4}
    report = json.loads(porter("report", "--format", "sarif", cwd=tmp_path).stdout)
    results = report["runs"][0]["results"]
    lines = {
        r["locations"][0]["physicalLocation"]["region"]["startLine"]
        for r in results
        if r.get("suppressions") == [{"kind": "external", "status": "accepted"}]
    }
    assert lines == {3}


def test_entries_that_nothing_is_like_are_told(tmp_path: Path) -> None:
    write(tmp_path / "ops", {"a.py": USES, "b.py": USES})
    porter("analyze", "ops", "--write-baseline", "b.json", cwd=tmp_path)
    (tmp_path / "ops" / "b.py").write_text("import torch\n\ntorch.ones(1)\n")
    found = document("analyze", "ops", "--baseline", "b.json", cwd=tmp_path, code=0)
    assert {entry["path"] for entry in found["baseline"]["unused"]} == {"b.py"}
    assert "b.py" in porter("report", cwd=tmp_path).stdout


def test_what_is_left_and_accepted_waits_for_nobody(tmp_path: Path) -> None:
    write(tmp_path / "ops", {"pkg/__init__.py": USES, "setup.py": "import setuptools\n"})
    plain = document("migrate", "ops", "--no-compiler", cwd=tmp_path, code=1)
    assert plain["open"] and not any(left["accepted"] for left in plain["open"])
    porter("analyze", "ops", "--write-baseline", "b.json", cwd=tmp_path)
    words = ("migrate", "ops", "--no-compiler", "--baseline", "b.json")
    found = json.loads(porter(*words, "--json", cwd=tmp_path).stdout)
    assert found["open"] and all(left["accepted"] for left in found["open"])
    assert found["residue"] == plain["residue"], "a baseline hides no residue"


# -------------------------------------------------------------------- comments


COMMENTS = {
    "a.py": ("x = 1  # porter: ignore[one]\ny = '# porter: ignore'\n", Language.PYTHON),
    "a.pyx": ("x = 1  # porter: ignore[one]\ny = '# porter: ignore'\n", Language.CYTHON),
    "a.cu": (
        'int x; // porter: ignore[one]\nconst char *y = "// porter: ignore";\n',
        Language.CPP,
    ),
    "b.cpp": ('int x; /* porter: ignore[one] */\nauto y = R"(// porter: ignore)";\n', Language.CPP),
    "c.cmake": (
        'set(X 1)  # porter: ignore[one]\nset(Y "# porter: ignore")\n',
        Language.CMAKE,
    ),
    "pyproject.toml": (
        'x = 1  # porter: ignore[one]\ny = "# porter: ignore"\n',
        Language.TOML,
    ),
}


@pytest.mark.parametrize("path", COMMENTS)
def test_comments_of_every_language_count_and_strings_do_not(path: str) -> None:
    text, language = COMMENTS[path]
    document = read(text.encode(), path, language)
    assert document.ignores_by_line == {1: {"one"}}


def test_prose_about_comments_suppresses_nothing() -> None:
    text = "x = 1  # `porter: ignore` and reporter: ignore and porter: ignored\n"
    assert read(text.encode(), "a.py", Language.PYTHON).ignores_by_line == {}


def test_comments_that_suppress_nothing_are_found(tmp_path: Path, home: Path) -> None:
    text = (
        "import torch\n"
        "a = torch.a  # porter: ignore[finds]\n"
        "b = 1  # porter: ignore[finds]\n"
        "c = torch.c  # porter: ignore[finds, other, fnids]\n"
        "d = 2  # porter: ignore\n"
        "e = torch.e  # porter: ignore\n"
    )
    job = Job(root=tmp_path, facts=ProjectFacts(), pack=load_pack("paddle", home), form=Form())
    result = scan(job, tree(tmp_path, {"a.py": text, "b.py": "# porter: ignore[finds]\n"}), jobs=1)
    active = {rule.id for rule in job.pack.rules}
    unused = find_unused(result.suppressions, active, active | {"x/python/other"})
    told = [(one.path, one.line, one.rule, one.reason.partition(":")[0]) for one in unused]
    assert told == [
        ("a.py", 3, "finds", "suppresses nothing"),
        ("a.py", 4, "fnids", "no such rule"),
        ("a.py", 5, "", "suppresses nothing"),
        ("b.py", 1, "finds", "suppresses nothing"),
    ]


def test_a_comment_that_one_scan_uses_is_used() -> None:
    one = Suppression(path="a.py", line=1, rules=("x",))
    other = Suppression(path="a.py", line=1, rules=("x",), used=("p/python/x",))
    assert [*find_unused([one, other], {"p/python/x"}, {"p/python/x"})] == []


def test_unused_comments_are_in_every_report(tmp_path: Path) -> None:
    write(tmp_path / "ops", {"a.py": f"{USES}y = torch.ones(1)  # porter: ignore[event_wait]\n"})
    found = document("analyze", "ops", cwd=tmp_path, code=0)
    assert [(one["line"], one["rule"]) for one in found["unused_suppressions"]] == [
        (4, "event_wait")
    ]
    assert "a.py:4" in porter("analyze", "ops", cwd=tmp_path).stdout
    sarif = json.loads(porter("report", "--format", "sarif", cwd=tmp_path).stdout)
    ids = [result["ruleId"] for result in sarif["runs"][0]["results"]]
    assert "unused_suppression" in ids
