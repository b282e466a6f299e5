"""Every rule does what its own examples say, and every folder is complete."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from dataclasses import replace
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.languages.cpp import parse as tokens_of
from porter.languages.edits import apply
from porter.languages.python import BOM
from porter.languages.read import read
from porter.migrate.intact import find_harm
from porter.model import Finding, Language, Safety
from porter.rules import examples as rule_examples
from porter.rules.examples import Example, examples
from porter.rules.loader import load_pack
from porter.rules.rule import Rule


def windows(example: Example) -> Example:
    """The same example with CRLF line ends."""
    before = example.before.replace(b"\n", b"\r\n")
    after = None if example.after is None else example.after.replace(b"\n", b"\r\n")
    return replace(example, name=f"{example.name}-crlf", before=before, after=after)


TARGETS = [path.name for path in sorted(rules_home().iterdir()) if (path / "cpp").is_dir()]
RULES = [*{rule.id: rule for target in TARGETS for rule in load_pack(target).rules}.values()]
CASES = [(rule, example) for rule in RULES for example in examples(rule)]
CASES += [
    (rule, windows(example))
    for rule, example in CASES
    if rule.language is Language.PYTHON and not example.created
]
FOUND: dict[tuple[str, int, bytes], tuple[Finding, ...]] = {}
WRITTEN: dict[tuple[str, int, bytes], bytes] = {}
KNOWN = Path("/work/shared/knowledge/rules-catalogue.json")


def case_id(value: object) -> str:
    return value.id if isinstance(value, Rule) else getattr(value, "name", "")


def find(rule: Rule, data: bytes, example: Example) -> tuple[Finding, ...]:
    """The findings of a rule, computed once for the tests of an example."""
    key = (rule.id, id(example), data)
    if key not in FOUND:
        FOUND[key] = rule_examples.find(rule, data, example)
    return FOUND[key]


def run(rule: Rule, data: bytes, example: Example) -> bytes:
    """The result of a rule, computed once for the tests of an example."""
    key = (rule.id, id(example), data)
    if key not in WRITTEN:
        WRITTEN[key] = rule_examples.run(rule, data, example)
    return WRITTEN[key]


every_case = pytest.mark.parametrize(("rule", "example"), CASES, ids=case_id)
every_rule = pytest.mark.parametrize("rule", RULES, ids=case_id)


@every_case
def test_fires_or_stays_silent_as_stated_with_exact_bytes(rule: Rule, example: Example) -> None:
    if example.created:
        assert rule.create is not None
        created = list(rule.create(example.facts, example.tree, example.form))
        assert [(new.path, new.data) for new in created] == [(example.path, example.after)]
        return
    findings = find(rule, example.before, example)
    if example.is_untouched:
        assert findings == ()
    elif example.after is None:
        assert findings and not any(finding.edits for finding in findings)
    else:
        assert run(rule, example.before, example).decode() == example.after.decode()
        assert findings


@every_case
def test_a_second_run_changes_nothing(rule: Rule, example: Example) -> None:
    once = run(rule, example.before, example)
    assert run(rule, once, example) == once
    left = find(rule, once, example)
    assert not any(finding.edits for finding in left)
    unanswered = [f for f in find(rule, example.before, example) if not f.edits]
    assert len(left) <= len(unanswered), "what was rewritten is not found again"


@every_case
def test_the_result_still_parses_and_keeps_the_comments(rule: Rule, example: Example) -> None:
    if example.created:
        read(example.after or b"", example.path, rule.language)
        return
    before, after = example.before, run(rule, example.before, example)
    taken = apply(before, find(rule, before, example)).applied
    edits = [edit for finding in taken for edit in finding.edits]
    assert find_harm(before, edits, example.path, rule.language) is None
    read(after, example.path, rule.language)
    if rule.language is Language.PYTHON:
        ast.parse(after)
        edited = any(edit.span for f in find(rule, before, example) for edit in f.edits)
        assert edited or comments(before) == comments(after)
        assert set(comments(after)) >= set(comments_outside(rule, before, example))
    if rule.language is Language.CPP:
        assert balance(after) == balance(before)


@every_rule
def test_a_third_of_the_examples_are_left_untouched(rule: Rule) -> None:
    given = examples(rule)
    untouched = sum(example.is_untouched for example in given)
    assert given, "a rule has examples"
    assert 3 * untouched >= len(given), f"{untouched} of {len(given)} are untouched"
    assert untouched < len(given), "an example shows what the rule finds"


@every_rule
def test_a_safe_rule_shows_an_edit(rule: Rule) -> None:
    adds_files = rule.create is not None  # which are tested where they are made
    if rule.safety is Safety.SAFE and not adds_files:
        assert any(e.after is not None and not e.is_untouched for e in examples(rule))


@every_rule
def test_a_folder_is_complete(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z0-9_]+", rule.folder.name)
    assert rule.until.strip() and rule.message.strip() and rule.title.strip()
    if (rule.folder / "README.md").is_file():
        prose = re.sub(r"```.*?```", "", (rule.folder / "README.md").read_text(), flags=re.DOTALL)
        assert len(prose.split()) >= 15, "the README says why"


@every_rule
def test_a_rule_names_entries_of_the_catalogue(rule: Rule) -> None:
    assert all(re.fullmatch(r"[A-Z]-[0-9]{2}", entry) for entry in rule.catalogue)
    if KNOWN.is_file():
        known = {entry["id"] for entry in json.loads(KNOWN.read_text())}
        assert set(rule.catalogue) <= known


@pytest.mark.parametrize("target", TARGETS)
def test_ids_are_unique(target: str) -> None:
    ids = [rule.id for rule in load_pack(target).rules]
    assert len(ids) == len(set(ids))


def comments(data: bytes) -> list[str]:
    tokens = tokenize.tokenize(io.BytesIO(data.removeprefix(BOM)).readline)
    return sorted(token.string for token in tokens if token.type == tokenize.COMMENT)


def comments_outside(rule: Rule, data: bytes, example: Example) -> list[str]:
    """The comments that no edit of the first pass covers."""
    spans = [edit.span for finding in find(rule, data, example) for edit in finding.edits]
    lines = data.split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    out = []
    for token in tokenize.tokenize(io.BytesIO(data).readline):
        if token.type == tokenize.COMMENT:
            column = len(token.line[: token.start[1]].encode())
            at = starts[token.start[0] - 1] + column
            if not any(span.start <= at < span.end for span in spans):
                out.append(token.string)
    return out


def balance(data: bytes) -> list[int]:
    texts = [token.text for token in tokens_of(data, "x").tokens]
    return [texts.count(a) - texts.count(b) for a, b in ("()", "[]", "{}")]
