"""The vendored unit: the polyfill pieces this repository uses, and the lines that reach them."""

from porter.unit.assemble import UnitPlan, assemble
from porter.unit.choose import find_answers_of_quirks, find_offers, find_shown_by
from porter.unit.native import Seen
from porter.unit.pieces import Condition, Piece, Plane, pieces
from porter.unit.projects import package_of
from porter.unit.sparing import spare_by_package, spare_rules

__all__ = [
    "Condition",
    "Piece",
    "Plane",
    "Seen",
    "UnitPlan",
    "assemble",
    "find_answers_of_quirks",
    "find_offers",
    "find_shown_by",
    "package_of",
    "pieces",
    "spare_by_package",
    "spare_rules",
]
