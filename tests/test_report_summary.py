"""The summary of a CI job: what it says at a glance, and that it fits."""

from __future__ import annotations

from porter.report.summary import MOST, summary
from tests.records import changed, record_of


def test_the_verdict_the_numbers_and_what_is_lost_come_first() -> None:
    text = summary(record_of(30))
    glance, _, folded = text.partition("<details>")
    for said in ("RUNS", "reason", "30 safe", "15 both, 15 source only", "`a.py:2`", "and 5 more"):
        assert said in glance, said
    assert "| ✅ build | 2.0 |" in folded and "`rule_7`" in folded
    assert folded.count("</details>") == text.count("<details>")


def test_a_table_has_a_row_a_line_whatever_messages_hold() -> None:
    text = summary(record_of(3, "a | b\nc"))
    tables = [line for line in text.splitlines() if line.startswith("|")]
    columns = [line.replace("\\|", "").count("|") for line in tables]
    assert all(line.endswith("|") for line in tables) and min(columns) >= 3


def test_a_large_run_fits_and_says_what_is_left_out() -> None:
    record = record_of(2_000, "x" * 2_000)
    assert len(summary(record)) <= MOST + 100 and "porter report --run 1" in summary(record)


def test_a_run_that_was_only_analyzed_has_its_findings() -> None:
    record = changed(record_of(3), builds=(), suites=(), parity=(), verdicts=(), overall=None)
    text = summary(record)
    assert "no verdict" in text and "3, 3 without a rule or polyfill" in text
