"""Which edits a repository is spared, as a piece of the unit does for many sites what they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from porter.migrate.spared import Spared
from porter.model import Finding, Package, ProjectFacts, Role, Safety
from porter.unit.pieces import Piece

SITES = 10  # more of them are a larger patch than the piece is


def spare_by_package(pieces: Sequence[Piece], facts: ProjectFacts) -> Spared | None:
    """The same where the tree imports the package, which has all pieces."""
    rules = frozenset(rule for piece in pieces for rule in piece.instead_of)
    places = tuple(path.removesuffix("__init__.py") for path in facts.first_modules)
    return Spared(rules, places) if places else None


def spare_rules(
    pieces: Sequence[Piece],
    findings: Iterable[Finding],
    roles: Mapping[str, Role],
    package: Package | None,
) -> tuple[Spared | None, tuple[str, ...]]:
    """The rules that edit nothing in `package` and in tests, and the pieces that are there for
    them. `roles` are those of files, by path."""
    if package is None:
        return None, ()
    by_rule = {rule: piece for piece in pieces for rule in piece.instead_of}
    every = Spared(frozenset(by_rule), (f"{package.path}/",))
    sites = Counter(
        f.rule
        for f in findings
        if f.edits and f.safety is Safety.SAFE and every.covers(f.rule, f.path, roles[f.path])
    )
    many = frozenset(rule for rule, count in sites.items() if count > SITES)
    chosen = tuple(dict.fromkeys(by_rule[rule].id for rule in sorted(many)))
    return (Spared(many, every.places) if many else None), chosen
