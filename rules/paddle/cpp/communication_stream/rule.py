"""`getStreamFromPool` and `setCurrentCUDAStream`: the marks of a communication library."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts

MESSAGES = {
    "getStreamFromPool": "Paddle 3.3 has no stream pool; the vendored unit has one of its own. "
    "Where the stream has to be that of a process group, take it from the group's NCCL context "
    "(one more constructor argument: the ring id, `group.id` in Python)",
    "setCurrentCUDAStream": "Paddle 3.3 cannot set the current stream from C++; the vendored "
    "unit's function sets it for the whole process, torch's for one thread: see that no other "
    "thread launches before the old stream is set again",
}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for index, token in enumerate(unit.tokens[:-1]):
        if token.text in MESSAGES and unit.tokens[index + 1].text == "(":
            name = f"c10::cuda::{token.text}"
            yield Match(token.span, message=MESSAGES[token.text], name=name)
