"""Delete any rule, and its sites appear as residue; what SAFE rules rewrite is none."""

from __future__ import annotations

import difflib

import pytest

from porter.host.home import rules_home
from porter.languages.edits import apply
from porter.model import Finding, Language, Residue, Role, Safety, SourceFile
from porter.residue import residue
from porter.rules.examples import Example, examples, find, run
from porter.rules.loader import load_pack
from porter.rules.rule import Rule
from porter.surface.load import list_shipped, load, load_torch
from porter.unit import pieces

PACK = load_pack("paddle")
VERSIONS = list_shipped("paddle")
LISTED = [rule for rule in PACK.rules if not rule.not_residue]
CASES = [
    (rule, example)
    for rule in LISTED
    for example in examples(rule)
    if not example.is_untouched and not example.created
]
SAFE = [
    (rule, example)
    for rule, example in CASES
    if rule.safety is Safety.SAFE and example.after is not None and not example.form.is_fork
]
ANSWERED = {
    name: piece.id
    for piece in pieces(rules_home() / "paddle" / "polyfills")
    for name in piece.provides
}


def case_id(value: object) -> str:
    return value.id if isinstance(value, Rule) else getattr(value, "name", str(value))


def left(rule: Rule, example: Example, data: bytes, answered: bool = False) -> tuple[Residue, ...]:
    """The residue of an example's file, in the small project that it belongs to."""
    files = {example.path: data}
    if example.path.endswith("conftest.py"):
        files = {**example.tree, **files}
    tree = [(_file(path, rule, example), text) for path, text in files.items()]
    return residue(
        tree,
        load("paddle", VERSIONS[-1]),
        load_torch(),
        ANSWERED if answered else {},
        keeps_torch=not example.form.is_fork,
        first_modules=example.facts.first_modules,
    )


def _file(path: str, rule: Rule, example: Example) -> SourceFile:
    if path == example.path:
        return SourceFile(path, rule.language, example.role, 1)
    role = Role.TEST if path.startswith("tests/") else Role.LIBRARY
    return SourceFile(path, Language.PYTHON, role, 1)


def stands_at(found: Residue, finding: Finding, data: bytes) -> bool:
    """Whether residue stands where a finding does: on its line, or on one of the statement that
    it spans. A conftest.py stands for the tests of its folder, an __init__.py for its package."""
    if finding.path.endswith("__init__.py"):
        return found.path == finding.path
    if finding.path.endswith("conftest.py"):
        return found.path.startswith(finding.path.rpartition("/")[0])
    last = finding.line + data[finding.span.start : finding.span.end].rstrip().count(b"\n")
    return found.path == finding.path and finding.line <= found.line <= last


@pytest.mark.parametrize(("rule", "example"), CASES, ids=case_id)
def test_without_its_rule_every_site_is_residue(rule: Rule, example: Example) -> None:
    found = left(rule, example, example.before)
    for finding in find(rule, example.before, example):
        assert any(stands_at(one, finding, example.before) for one in found), finding.line


@pytest.mark.parametrize(("rule", "example"), SAFE, ids=case_id)
def test_what_a_safe_rule_wrote_is_no_residue(rule: Rule, example: Example) -> None:
    after = all_safe(run(rule, example.before, example), rule, example)
    for one in left(rule, example, after, answered=True):
        if one.path == example.path and one.line in changed(example.before, after):
            assert one.line in for_a_person(after, rule, example), (one.line, one.name, one.reason)


def all_safe(data: bytes, rule: Rule, example: Example) -> bytes:
    """The bytes after the other SAFE rules have had their turn."""
    others = [r for r in PACK.rules if r.safety is Safety.SAFE and r.language is rule.language]
    for _ in range(5):
        found = [f for r in others for f in find(r, data, example) if f.safety is Safety.SAFE]
        data = apply(data, found).data
    return data


def changed(before: bytes, after: bytes) -> set[int]:
    """The lines of the later text that are not in the earlier one."""
    blocks = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    lines: set[int] = set()
    for kind, _, _, start, end in blocks.get_opcodes():
        lines |= set(range(start + 1, end + 1)) if kind != "equal" else set()
    return lines


def for_a_person(data: bytes, rule: Rule, example: Example) -> set[int]:
    """The lines of which some rule says that they need a person."""
    others = [r for r in PACK.rules if r.language is rule.language and r is not rule]
    return {f.line for r in others for f in find(r, data, example) if f.safety < Safety.SAFE}


@pytest.mark.parametrize("rule", [r for r in PACK.rules if r.not_residue], ids=case_id)
def test_a_rule_about_no_name_of_torch_says_what_it_is_about(rule: Rule) -> None:
    assert len(rule.not_residue.split()) >= 4
    own = [name for name in rule.missing if ("::" in name) == (rule.language is Language.CPP)]
    assert not own, "who names what the target lacks is about that"
    edited = [e.path for e in examples(rule) if not e.is_untouched]
    built = all(path.endswith(("setup.py", "CMakeLists.txt")) for path in edited)
    assert rule.is_fix or rule.safety is Safety.MANUAL or rule.language is Language.CPP or built
    sites = [(e, f) for e in examples(rule) for f in find(rule, e.before, e)]
    shown = [f for e, f in sites if any(stands_at(o, f, e.before) for o in left(rule, e, e.before))]
    assert len(shown) < len(sites), "all its sites are residue: not_residue can go"


def test_few_rules_are_about_no_name_of_torch() -> None:
    fixes = {rule.id for rule in PACK.fixes().rules}  # of what no framework is the cause
    own = [rule.id for rule in PACK.rules if rule.id not in fixes]
    listed = [rule.id for rule in LISTED if rule.id not in fixes]
    assert 4 * len(listed) > 3 * len(own)
