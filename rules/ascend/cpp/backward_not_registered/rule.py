"""`m.def("op(...)"); m.def("op_backward(...)");` and no Autograd registration of op."""

from collections.abc import Iterator

from porter.ascend.cpp_pieces import strings
from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts

ENDINGS = ("_backward", "_grad", "_bwd")
SAID = (
    "{} is defined, and {} has no Autograd registration that calls it: its output has no gradient"
)


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    operators = facts.ascend.operators if facts.ascend else ()
    without = {o.name.rpartition("::")[2] for o in operators if "backward" in o.lacks}
    found: dict[str, int] = {}
    for at in code.places("def"):
        given = code.arguments(at + 1) if code.tokens[at + 1].text == "(" else []
        text = strings(code, *given[0]) if given else ""
        found.setdefault(text.partition("(")[0].strip().rpartition("::")[2], at)
    for name in sorted(found, key=lambda n: found[n]):
        backward = next((name + end for end in ENDINGS if name and name + end in found), "")
        if backward and name in without:
            yield Match(code.tokens[found[name]].span, message=SAID.format(backward, name))
