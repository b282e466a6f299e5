"""`getStreamFromPool` and `setCurrentCUDAStream`: the marks of a communication library."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts

MESSAGES = {
    "getStreamFromPool": "Paddle 3.3 has no stream pool: own a stream made by "
    "cudaStreamCreateWithPriority and wrap it, or take that of the process group's NCCL context "
    "(one more constructor argument: the ring id, `group.id` in Python); returned to Python it "
    "needs a cast, since there is no caster for c10::Stream",
    "setCurrentCUDAStream": "Paddle 3.3 cannot set the current stream from C++: where it is set "
    "so that allocations belong to that stream, set the allocator of the GPU context instead, and "
    "take the compute stream from that context where getCurrentCUDAStream was asked before",
}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for index, token in enumerate(unit.tokens[:-1]):
        if token.text in MESSAGES and unit.tokens[index + 1].text == "(":
            name = f"c10::cuda::{token.text}"
            yield Match(token.span, message=MESSAGES[token.text], name=name)
