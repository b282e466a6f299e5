"""The faults planted in fixtures: lists that hold, and what counts as found.

`make mutants` plants all of them, tests/test_port_triton.py three.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mutants import lists
from tests.mutants.__main__ import Outcome, Report
from tests.mutants.lists import FIXTURES, ListError, Mutant, planted


def fault(**changes: str) -> Mutant:
    given = {"was": "b = 2", "becomes": "b = 3", "kind": "wrong index", "wrong": "b is wrong"}
    return Mutant(**{"fixture": "some", "file": "a.py", **given, **changes})


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("a = 1\nb = 2\nc = 1\n")
    return tmp_path


@pytest.mark.parametrize("name", lists.names())
def test_every_fault_of_a_list_can_be_planted_and_stands_alone(name: str) -> None:
    mutants = lists.load(name)
    for mutant in mutants:
        planted(mutant, FIXTURES / name)
    assert len({m.wrong for m in mutants}) == len({(m.file, m.was, m.becomes) for m in mutants})
    assert len({m.wrong for m in mutants}) == len(mutants)


def test_there_are_forty_faults_of_ten_kinds_in_six_fixtures() -> None:
    every = [mutant for name in lists.names() for mutant in lists.load(name)]
    assert len(every) >= 40 and len(lists.names()) >= 6
    assert len({mutant.kind for mutant in every}) >= 10


def test_a_fault_is_planted_where_its_text_is(tree: Path) -> None:
    assert planted(fault(), tree) == "a = 1\nb = 3\nc = 1\n"
    assert (tree / "a.py").read_text() == "a = 1\nb = 2\nc = 1\n", "the tree is only read"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"was": "d = 4"}, "0 times"),
        ({"was": "= 1"}, "2 times"),
        ({"becomes": "b  =  2"}, "nothing changes"),
        ({"becomes": "b ="}, "invalid syntax"),
    ],
)
def test_an_entry_that_plants_no_single_fault_is_an_error(
    changes: dict[str, str], said: str, tree: Path
) -> None:
    with pytest.raises(ListError, match=said):
        planted(fault(**changes), tree)


def test_a_key_that_is_none_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "HERE", tmp_path)
    (tmp_path / "some.toml").write_text('[[mutant]]\nfile = "a.py"\nknd = "wrong index"\n')
    with pytest.raises(ListError, match="knd"):
        lists.load("some")


def test_faults_are_chosen_by_fixture_and_words() -> None:
    some = lists.chosen(["triton_rows"], "row_scale and index")["triton_rows"]
    assert [mutant.kind for mutant in some] == ["wrong index"]
    assert sum(map(len, lists.chosen([], "").values())) >= 40


def test_one_in_twenty_may_be_missed_and_no_error_of_a_list() -> None:
    found = Outcome(mutant=fault(), failed=2, cases=9, case="add | 3", phase="values")
    missed = Outcome(mutant=fault(wrong="too small to see"), cases=9)
    assert Report(outcomes=[found] * 19 + [missed]).good
    assert not Report(outcomes=[found] * 18 + [missed]).good
    wrong = Outcome(mutant=fault(), error="its text is there 0 times")
    assert not wrong.found and not Report(outcomes=[found] * 99 + [wrong]).good
    assert not Report(outcomes=[found], repeated={"some": (20, 9, {"add": 1})}).good


def test_the_table_has_a_row_for_each_fault() -> None:
    found = Outcome(mutant=fault(), failed=2, cases=9, case="a | b", phase="values", seconds=3.2)
    missed = Outcome(mutant=fault(wrong="unseen"), cases=9)
    wrong = Outcome(mutant=fault(wrong="nowhere"), error="its text is there 0 times")
    report = Report(outcomes=[found, missed, wrong], repeated={"some": (20, 9, {"add: failed": 1})})
    lines = list(report.lines())
    assert lines[2] == "| some | b is wrong | wrong index | a \\| b | values | 2 of 9 | 3 |"
    assert lines[3] == "| some | unseen | wrong index | **not found** |  | 0 of 9 | 0 |"
    assert lines[4] == "| some | nowhere | wrong index | error of the list |  |  | 0 |"
    assert "1 of 3 faults found, 1 errors of the lists." in lines
    assert lines[-2:] == [
        "some: 9 cases without a fault, 20 times: 1 failed.",
        "- 1 times add: failed",
    ]
    assert [each["found"] for each in json.loads(report.encoded())["faults"]] == [
        True,
        False,
        False,
    ]
