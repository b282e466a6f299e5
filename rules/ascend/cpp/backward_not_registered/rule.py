"""`m.def("op(...)"); m.def("op_backward(...)");` and no Autograd registration of op."""

from collections.abc import Iterator

from porter.ascend.cpp_pieces import pieces
from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts

ENDINGS = ("_backward", "_grad", "_bwd")
SAID = (
    "{} is defined, and {} has no Autograd registration that calls it: its output has no gradient"
)


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    ascend = facts.ascend
    without = {
        operator.name
        for operator in (ascend.operators if ascend else ())
        if "backward" in operator.lacks and any(p.path == unit.path for p in operator.pieces)
    }
    found: dict[str, int] = {}
    for schema in pieces(unit).schemas:
        found.setdefault(f"{schema.space}::{schema.name}", schema.line)
    for name, line in found.items():
        backward = next((name + end for end in ENDINGS if name + end in found), "")
        called = ascend is not None and backward in ascend.called
        if backward and name in without and not called:
            at = next(i for i in code.places("def") if code.line(i) == line)
            said = SAID.format(backward.rpartition("::")[2], name.rpartition("::")[2])
            yield Match(code.tokens[at].span, message=said)
