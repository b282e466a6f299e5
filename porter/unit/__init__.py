"""The vendored unit: the polyfill pieces this repository uses, and the lines that reach them."""

from porter.unit.assemble import UnitPlan, assemble
from porter.unit.choose import on_offer, shown_by
from porter.unit.native import Seen
from porter.unit.pieces import Condition, Piece, Plane, pieces

__all__ = [
    "Condition",
    "Piece",
    "Plane",
    "Seen",
    "UnitPlan",
    "assemble",
    "on_offer",
    "pieces",
    "shown_by",
]
