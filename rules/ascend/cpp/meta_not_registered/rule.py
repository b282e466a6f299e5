"""A TORCH_LIBRARY block of which operators have no meta function, neither here nor in Python."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import AscendPart, Match, ProjectFacts

SHOWN = 4
SAID = "{} without a meta function: torch.compile and torch.export cannot know their shapes: {}"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    operators = facts.ascend.operators if facts.ascend else ()
    for at in code.begun("TORCH_LIBRARY"):
        token = code.tokens[at]
        if "IMPL" in token.text:
            continue
        brace = code.pairs.get(at + 1, -2) + 1
        if brace not in code.pairs or code.tokens[brace].text != "{":
            continue
        lines = range(code.line(brace), code.line(code.pairs[brace]) + 1)
        names = [
            operator.name.rpartition("::")[2]
            for operator in operators
            if "meta function" in operator.lacks
            and any(
                p.part is AscendPart.DEFINITION and p.path == unit.path and p.line in lines
                for p in operator.pieces
            )
        ]
        if names:
            count = "1 operator" if len(names) == 1 else f"{len(names)} operators"
            some = ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")
            yield Match(token.span, message=SAID.format(count, some))
