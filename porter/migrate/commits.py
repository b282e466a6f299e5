"""The commits of a patch: which files go together, and what each message says."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from porter.model import UNIT, Change, FilePatch, Plan
from porter.survey.roles import BUILD_NAMES
from porter.targets import TARGETS


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The files of one commit."""

    subject: str
    is_unit: bool = False
    is_fix: bool = False  # of what today's source framework refuses
    rule: str = ""  # the rule that a group of library files is for
    patches: tuple[FilePatch, ...]


def groups(plan: Plan) -> list[Group]:
    """One group for what today's source framework refuses, then those of the port."""
    if not plan.fixes:
        return _group_port(plan.patches)
    titles = sorted({c.title or c.reason for patch in plan.fixes for c in patch.changes})
    subject = textwrap.shorten(f"Fix: {'; '.join(titles)}".rstrip("."), 72, placeholder=" ...")
    fixes = Group(subject=subject, is_fix=True, patches=plan.fixes)
    return [fixes, *_group_port(_diff_from_fixes(plan))]


def _diff_from_fixes(plan: Plan) -> Iterator[FilePatch]:
    """What patches change beyond the fixes."""
    fixed = {patch.path: patch for patch in plan.fixes}
    for patch in plan.patches:
        fix = fixed.get(patch.renamed_from or patch.path)
        if fix is not None:
            changes = tuple(c for c in patch.changes if c.rule not in {f.rule for f in fix.changes})
            patch = replace(patch, before=fix.after, changes=changes)
        if patch.before != patch.after or patch.renamed_from:
            yield patch


def _group_port(patches: Iterable[FilePatch]) -> list[Group]:
    """One group for the unit, the build scripts, the test set-up, then one a rule.

    A file is in one group only, so that the commits never depend on each other's lines:
    a file with several rules goes with the one that changes the most files.
    """
    patches = list(patches)
    unit_rules = {c.rule for p in patches if _is_in_unit(p.path) for c in p.changes}
    spread = Counter(change.rule for p in patches for change in p.changes)
    members: dict[tuple[int, str], list[FilePatch]] = {}
    for patch in patches:
        members.setdefault(_group_key(patch, unit_rules, spread), []).append(patch)
    return [
        Group(
            subject=_subject(order, rule, found),
            is_unit=order == 0,
            rule=rule,
            patches=tuple(found),
        )
        for (order, rule), found in sorted(members.items(), key=lambda item: item[0])
    ]


def _is_in_unit(path: str) -> bool:
    """Whether a file belongs to a vendored unit: a folder, or one module."""
    return any(part in (UNIT, f"{UNIT}.py") for part in path.split("/"))


def _group_key(
    patch: FilePatch, unit_rules: set[str], spread: Mapping[str, int]
) -> tuple[int, str]:
    rules = {change.rule for change in patch.changes}
    name = PurePosixPath(patch.path).name
    if _is_in_unit(patch.path) or (rules and rules <= unit_rules):
        return 0, ""
    if name in ("pyproject.toml", "setup.cfg", "CMakeLists.txt") or _is_build_script(name):
        return 1, ""
    if name == "conftest.py":
        return 2, ""
    return 3, min(rules, key=lambda rule: (-spread[rule], rule), default="")


def _is_build_script(name: str) -> bool:
    return name.endswith(".cmake") or bool(name.endswith(".py") and BUILD_NAMES.match(name[:-3]))


def _subject(order: int, rule: str, patches: Sequence[FilePatch]) -> str:
    if order == 0:
        return "Add vendored polyfills for what the target framework lacks"
    own = {c.rule: c for p in patches for c in p.changes if order < 3 or c.rule == rule}
    titles = [(c.title or c.reason).rstrip(".") for _, c in sorted(own.items())]
    of_npu = rule.partition("/")[0] in _packs_for_npus()
    prefix = {1: "Build", 2: "Tests"}.get(order, "For NPUs" if of_npu else "Proxy-safe")
    more = f" and {len(titles) - 1} more" if len(titles) > 1 else ""
    name = rule.rpartition("/")[2].replace("_", " ")
    whole = ("; ".join(titles), *(f"{title}{more}" for title in titles), name)
    texts = (f"{prefix}: {text}" for text in whole if text)
    general = f"{prefix}: port to the target framework"
    return next((text for text in texts if len(text) <= 72), general)


def _packs_for_npus() -> set[str]:
    found = [target for target in TARGETS.values() if target.for_npus]
    return {pack for target in found for pack in (target.pack, *target.shared_packs)}


def _sentence(text: str) -> str:
    """Begin with a capital, unless the first word is a name of code."""
    word = text.split(" ", 1)[0].rstrip(",:;")
    return text[:1].upper() + text[1:] if word.isalpha() and word.islower() else text


def message(group: Group, command: str) -> str:
    """Why, for each rule in it; until when; and the trailers that tools read."""
    changes = [change for patch in group.patches for change in patch.changes]
    counts: Counter[str] = Counter()
    for change in changes:
        counts[change.rule] += change.count
    by_rule: dict[str, Change] = {change.rule: change for change in changes}
    parts = [group.subject]
    if group.is_unit:
        parts.append("Only the pieces this repository uses; under torch none of it runs.")
    for _, change in sorted(by_rule.items()):
        until = f" Remove when: {change.until.rstrip('.')}." if change.until else ""
        parts.append(textwrap.fill(f"{_sentence(change.reason).rstrip('.')}.{until}", 72))
    several = sorted(p.path for p in group.patches if len({c.rule for c in p.changes}) > 1)
    if several and group.rule:
        parts.append(
            textwrap.fill("Holds the changes of several rules: " + ", ".join(several) + ".", 72)
        )
    trailers = [f"Porter-Rule: {rule} ({counts[rule]})" for rule in sorted(by_rule) if rule]
    parts.append("\n".join([*trailers, f"Porter-Command: {' '.join(command.split())}"]))
    return "\n\n".join(parts)
