"""`runner->Run({x}, {out})`, then `out.GetDataPtr()` or `out.cast(type)` in the same function, or
`out` handed to a function of the file that casts: what these take, the queue has not written. On
the stream of an NPU, a cast comes after the launch."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts
from porter.targets.mindspore.runners import POINTERS, computes_on_host, is_inspected, name_of, runs


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None:
        return
    code = unit.code
    for run in runs(code):
        outputs = {name_of(code, given) for given in run.outputs} - {""}
        for at in code.places(*outputs):
            words = [token.text for token in code.tokens[at - 1 : at + 6]]
            if not run.at < at < run.function.closing or words[0] in (".", "->", "::"):
                continue
            method = words[3] if words[2] == "." else ""
            read = method in POINTERS or words[3:7] == ["tensor", "(", ")", "->"]
            handed = words[0] in ("(", ",") and words[2] in (",", ")")
            cast = method == "cast" or (handed and is_inspected(code, at, ("cast",)))
            if read or (cast and computes_on_host(code, run.runner)):
                yield Match(code.tokens[at].span, name=words[1])
