"""How sure a rule's edits are held to be, by the user's word."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

from porter.model import Finding, Level, Safety
from porter.rules.rule import RulePack

Levels = Mapping[str, Level]
_SAFETY = {Level.MANUAL: Safety.MANUAL, Level.REVIEW: Safety.REVIEW}


def find_level(rule: str, levels: Levels) -> Level | None:
    """Return what the user says of a rule: by its whole name first, else by its last part."""
    return levels.get(rule) or levels.get(rule.rpartition("/")[2])


def drop_off(pack: RulePack, levels: Levels) -> RulePack:
    """Return a pack without the rules that are off."""
    if Level.OFF not in levels.values():
        return pack
    left = tuple(rule for rule in pack.rules if find_level(rule.id, levels) is not Level.OFF)
    return dataclasses.replace(pack, rules=left)


def set_levels(findings: Iterable[Finding], levels: Levels) -> list[Finding]:
    """Return the findings with the safety that the user gives their rules: what a person has to do
    is never taken for an edit."""
    if not levels:
        return list(findings)
    return [_set_level(finding, find_level(finding.rule, levels)) for finding in findings]


def _set_level(finding: Finding, level: Level | None) -> Finding:
    if level is Level.SAFE and finding.safety is Safety.REVIEW:
        return dataclasses.replace(finding, safety=Safety.SAFE)
    lowest = min(finding.safety, _SAFETY.get(level or Level.SAFE, Safety.SAFE))
    return dataclasses.replace(finding, safety=lowest)
