"""The vendored unit: the polyfill pieces this repository uses, and the lines that reach them."""

from porter.unit.assemble import UnitPlan, assemble, package_of
from porter.unit.choose import on_offer, shown_by
from porter.unit.native import Seen
from porter.unit.pieces import Condition, Piece, Plane, pieces
from porter.unit.sparing import sparing

__all__ = [
    "Condition",
    "Piece",
    "Plane",
    "Seen",
    "UnitPlan",
    "assemble",
    "on_offer",
    "package_of",
    "pieces",
    "shown_by",
    "sparing",
]
