"""`runner->Run({x}, {out})` where the runner's launch takes the address of `inputs()[0]`, x is a
parameter of the function, and nobody looks at its layout."""

from collections.abc import Iterator

from porter.languages.cpp import Code, Unit
from porter.model import Edit, Match, ProjectFacts, Safety
from porter.targets.mindspore.runners import (
    LAYOUT,
    Run,
    is_inspected,
    name_of,
    read_by_address,
    runs,
    takes,
    values_of,
)


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None:
        return
    code = unit.code
    for run in runs(code):
        read = read_by_address(code, run.runner)
        written = {name_of(code, given) for given in run.outputs}
        for number, given in enumerate(run.inputs):
            name = name_of(code, given)
            if number in read and name and _may_be_strided(code, run, name):
                token = code.tokens[given[0]]
                # a copy would get what is meant for the tensor, if the launch writes to its inputs
                in_place = name in written or not run.outputs
                edits = () if in_place else (Edit(token.span, f"{name}.contiguous()".encode()),)
                yield Match(
                    token.span, edits, safety=Safety.MANUAL if in_place else None, name=name
                )


def _may_be_strided(code: Code, run: Run, name: str) -> bool:
    """Whether it is a parameter that nothing in the function makes contiguous, or asks if it is."""
    if not takes(code, run.function, name):
        return False
    values = values_of(code, run.function, name)
    if any("contiguous" in code.text(*value) for value in values):
        return False
    for at in code.places(name):
        if run.function.opening < at < run.at:
            method = code.tokens[at + 2].text if code.tokens[at + 1].text == "." else ""
            if method in LAYOUT or is_inspected(code, at, (*LAYOUT, "contiguous")):
                return False
    return True
