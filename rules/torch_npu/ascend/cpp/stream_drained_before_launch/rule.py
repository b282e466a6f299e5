"""`getCurrentNPUStream().stream(true)` in a function that launches a kernel."""

from collections.abc import Iterator

from porter.ascend.kernels import body
from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts, Safety, Span

LAUNCHES = frozenset(("<<<", "ACLRT_LAUNCH_KERNEL", "SetCustomHandler", "RunOpApi", "RunOpApiV2"))
QUEUED = frozenset(("SetCustomHandler", "RunOpApi", "RunOpApiV2"))
WAITS = frozenset(("aclrtSynchronizeStream", "aclrtSynchronizeStreamWithTimeout", "synchronize"))
STREAM = ("getCurrentNPUStream", "(", ")", ".", "stream", "(")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    for at in code.places("getCurrentNPUStream"):
        words = tuple(token.text for token in code.tokens[at : at + 6])
        function = code.function_at(at)
        if words != STREAM or function is None:
            continue
        given = code.text(at + 6, code.pairs.get(at + 5, at + 5) - 1)
        texts = set(body(code, function))
        if given not in ("", "true") or not texts & LAUNCHES or texts & WAITS:
            continue
        span = Span(code.tokens[at + 4].start, code.tokens[code.pairs[at + 5]].end)
        if texts & QUEUED:  # what it is launched in keeps the order
            yield Match(span, (Edit(span, b"stream(false)"),))
        else:
            yield Match(span, safety=Safety.MANUAL)
