"""The HTML page: what it shows, that it is safe to open, and that it stays small."""

from __future__ import annotations

import dataclasses
import html.parser
import json
import os
import re
import time
from pathlib import Path

import pytest

from porter.console import Console
from porter.host import files
from porter.model import Divergence, FirstDifference, ProjectFacts
from porter.report.facts import NOTHING
from porter.report.markdown import markdown
from porter.report.page.matrix import TOLERANCE, WIDTH, split
from porter.report.page.render import page
from porter.report.page.tables import FIRST, LONGEST, cut, table
from porter.report.sources import Sources
from porter.report.summary import summary
from porter.run.record import Migration, Verification
from porter.run.store import DIVERGENCE, Run
from porter.stages import diverge
from porter.stages.options import Options
from tests.records import changed, diff_of, made, record_of

BYTES, NODES = 5_000_000, 5_000
EVIL = "<script>alert(1)</script>\"'&</style></script><!--"
VOID = {"meta", "input", "path"}


class Page(html.parser.HTMLParser):
    """Collects the elements of a page, its number of nodes, the text outside of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.nodes = 0
        self.text = ""
        self.data: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.nodes += 1
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.nodes += 1
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "every element is closed in its place"

    def handle_data(self, data: str) -> None:
        self.nodes += 1
        if self.open and self.open[-1] == "script":
            self.data[self.elements[-1][1].get("id") or ""] = data
        elif self.open and self.open[-1] != "style":
            self.text += data

    def rows(self, key: str) -> list[list[object]]:
        found = json.loads(self.data[f"{key}-rows"])
        assert isinstance(found, list)
        return found


def test_every_part_of_a_run_is_on_the_page(tmp_path: Path) -> None:
    text = made(tmp_path, record_of(3), diff_of(2, ""), "one\ntwo\n")
    found = Page(text)
    assert found.open == []
    for said in ("RUNS", "reason", "rule_1", "finding 2", "why", "when", "added 1", "torch.n2"):
        assert said in found.text, said
    assert "cause 2" in found.text and "message 2" in found.text, "build messages"
    assert "source only" in found.text and "a.py:2" in found.text, "tests, with the first error"
    assert "float32 contiguous" in found.text and "failed: values" in found.text
    assert found.rows("unresolved")[0][0] == "x", "a lost test counts before uses"
    ids = {attributes.get("id") for _, attributes in found.elements}
    links = [a["href"] for tag, a in found.elements if tag == "a" and a["href"]]
    assert links and all(link[1:] in ids for link in links), "links lead to sections of the page"


def test_rules_are_counted_with_their_files(tmp_path: Path) -> None:
    found = Page(made(tmp_path, record_of(601)))
    assert found.rows("rules")[0][:3] == [3, 3, "rule_0"], "findings 0, 300 and 600"
    assert len(found.rows("rules")) == 300


def test_a_divergence_is_shown_until_there_is_another_patch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = record_of(0)
    made(tmp_path, record, file="one\ntwo\n")
    first = FirstDifference(
        kind="result",
        message="values: 1 on the source, 2 on the target",
        path="a.py",
        line=2,
        source_line=2,
        function="f",
        operation="out * factor",
        layer="the target",
        sure=False,
        evidence=(),
        agreed=13,
    )
    found = Divergence(
        name="t.py::test_it",
        frameworks=("torch", "paddle"),
        operations=(14, 14),
        endings=("", ""),
        folder="",
        first=first,
    )
    run = Run(tmp_path)
    monkeypatch.setattr(diverge, "_diverge", lambda *_: found)
    diverge.diverge(run, found.name, Options(), Console())
    files.save(run.divergences / "other" / DIVERGENCE, first)
    (row,) = Page(page(record, Sources(run, record))).rows("divergences")
    assert row[0] == "t.py::test_it" and row[3:5] == ["probably the target", 13]
    assert isinstance(row[5], dict) and row[5]["q"][1] == "    2 two\n"
    patch = run.patch / "port.patch"
    os.utime(patch, (time.time() + 60,) * 2)
    assert run.load_divergences() == []


def test_a_message_stands_with_the_line_that_it_is_about(tmp_path: Path) -> None:
    record = record_of(1)
    said = dataclasses.replace(record.builds[1].diagnostics[0], path="a.py", line=2)
    build = dataclasses.replace(record.builds[1], diagnostics=(said,))
    found = Page(made(tmp_path, changed(record, builds=(build,)), file="one\ntwo\nthree\n"))
    place = found.rows("diagnostics")[0][4]
    assert place == {"t": "a.py:2", "q": ["    1 one\n", "    2 two\n", "    3 three\n    4 \n"]}


def test_no_file_outside_of_the_trees_is_quoted(tmp_path: Path) -> None:
    record = record_of(0)
    made(tmp_path, record)
    (tmp_path / "secret").write_text("secret\n")
    (tmp_path / "tree" / "link.py").symlink_to(tmp_path / "secret")
    sources = Sources(Run(tmp_path), record)
    for path in ("link.py", "../secret", str(tmp_path / "secret"), "none.py", "a\0b"):
        assert sources.quote(path, 1, patched=True) is None, path
    assert sources.quote("a.py", 1, patched=True) == (1, [""])


def test_a_hostile_repository_writes_no_markup(tmp_path: Path) -> None:
    text = made(tmp_path, record_of(40, EVIL), diff_of(30, EVIL), f"{EVIL}\n" * 50)
    found = Page(text)
    assert found.open == []
    scripts = [attributes for tag, attributes in found.elements if tag == "script"]
    assert all(a.get("type") == "application/json" for a in scripts[:-1])
    assert scripts[-1] == {} and "alert" not in found.data[""]
    assert len([tag for tag, _ in found.elements if tag == "style"]) == 1
    assert "<script>alert(1)</script>" in found.text, "it is there to read"
    assert EVIL in json.dumps(found.rows("findings"), ensure_ascii=False).replace('\\"', '"')
    assert not any(name.startswith("on") for _, attributes in found.elements for name in attributes)


def test_the_page_asks_for_nothing_and_runs_one_script_only(tmp_path: Path) -> None:
    text = made(tmp_path, record_of(30))
    found = Page(text)
    assert not re.search(r"https?:|//|url\(|@import", text.replace("// ", ""))
    asking = {"src", "srcset", "data", "action", "background", "poster"}
    assert not any(asking & {*attributes} for _, attributes in found.elements)
    policy = next(a["content"] for t, a in found.elements if t == "meta" and "http-equiv" in a)
    assert policy and policy.startswith("default-src 'none'") and "script-src 'sha256-" in policy


def test_every_control_has_a_label_and_can_be_reached(tmp_path: Path) -> None:
    text = made(tmp_path, record_of(30))
    assert len(re.findall(r"<(?:input|select)\b", text)) == text.count("<label>")
    regions = [a for _, a in Page(text).elements if a.get("class") == "scroll"]
    assert regions and all(a["tabindex"] == "0" and a["aria-label"] for a in regions)


@pytest.mark.parametrize("text", ["", EVIL * 20], ids=["long", "long and hostile"])
def test_the_largest_run_stays_within_its_limits(tmp_path: Path, text: str) -> None:
    number = 2_000
    written = made(tmp_path, record_of(number, text), diff_of(3_000, text), f"{text}\n" * 50)
    found = Page(written)
    assert len(written.encode()) <= BYTES
    assert found.nodes <= NODES
    parts = re.split(r"<section id=", written)[1:]
    titles = (re.search(r'"(\w+)".*?<small>(\d+)</small>', part, re.DOTALL) for part in parts)
    totals = {found[1]: int(found[2]) for found in titles if found}
    assert totals["findings"] == totals["left"] == totals["tests"] == number
    assert totals["diff"] == 3_000
    for part, (key, total) in zip(parts[1:-1], totals.items(), strict=True):
        told = re.search(r"(\d+) of (\d+) (?:rows|hunks) are left out", part)
        rows = len(found.rows(key))
        assert rows == total or (told and int(told[1]) == total - rows and int(told[2]) == total)


def test_rows_beyond_the_first_are_data_and_those_beyond_the_limit_are_counted() -> None:
    made = table(
        "t", "T", ("a", "b"), ((f"row {n}", "x" * LONGEST) for n in range(1_000)), filters=(0,)
    )
    assert len(made.first) == FIRST < len(made.rows) < made.total == 1_000
    assert json.loads(made.json)[:FIRST] == list(made.first)
    assert cut("x" * (LONGEST + 5)) == "x" * LONGEST + " … (5 more characters)"


def test_the_name_of_a_point_is_its_case_dtype_and_layout() -> None:
    assert split("add [float32 rows=3 sliced]") == ("add", ("float32", "sliced"))
    assert split("add [rows=3 bool]") == ("add", ("bool", ""))
    assert split("add two") == ("add two", ("", ""))
    assert 0 < TOLERANCE < WIDTH


def test_a_source_without_torch_has_a_page_that_says_so(tmp_path: Path) -> None:
    record = changed(dataclasses.replace(record_of(0), migration=Migration()), facts=ProjectFacts())
    text = Page(made(tmp_path, record)).text
    assert NOTHING in text and "made by" not in text
    assert NOTHING in markdown(record) and NOTHING in summary(record)


def test_a_run_that_was_only_analyzed_has_a_page(tmp_path: Path) -> None:
    record = dataclasses.replace(record_of(1), migration=Migration(), verification=Verification())
    text = Page(made(tmp_path, changed(record, builds=(), suites=(), stages=()))).text
    for said in (
        "no verdict yet",
        "Not migrated yet.",
        "Nothing was built.",
        "Not compared.",
    ):
        assert said in text
