"""What remains for a person: findings left open and residue, each site said once."""

from __future__ import annotations

from dataclasses import dataclass

from porter.model import State, place
from porter.run.record import RunRecord

Site = tuple[str, int]  # path, with the cell of a notebook; line


@dataclass(frozen=True, slots=True)
class Remaining:
    """One thing to look at, with every place it stands at."""

    what: str  # the rule that says so, else the name
    text: str
    sites: tuple[Site, ...]
    is_rule: bool
    judged: bool = True  # False where this build of the target cannot tell


def remaining(record: RunRecord) -> tuple[Remaining, ...]:
    """What migrate left, the most frequent first. Where a rule explains a site, residue at the
    same line is not said again; what nobody can judge here comes last."""
    explained = {place(finding) for finding in record.migration.open}
    sites: dict[tuple[str, str, bool, bool], list[Site]] = {}
    for finding in record.migration.open:
        key = (finding.rule, finding.message, True, True)
        sites.setdefault(key, []).append(place(finding))
    for left in record.residue:
        if place(left) not in explained:
            key = (left.name, left.reason, False, left.state is not State.UNKNOWN)
            sites.setdefault(key, []).append(place(left))
    found = [
        Remaining(what, text, tuple(places), is_rule, judged)
        for (what, text, is_rule, judged), places in sites.items()
    ]
    return tuple(sorted(found, key=lambda r: (not r.judged, -len(r.sites), r.sites[0])))
