"""`save_for_backward({x})` in a forward, and a backward without `get_saved_variables()`."""

from collections.abc import Iterator

from porter.ascend.kernels import body
from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts

SAVES = "save_for_backward"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None:
        return
    code = unit.code
    backward = {f.scope: f for f in code.functions if f.name == "backward" and f.scope}
    for function in code.functions:
        other = backward.get(function.scope)
        if function.name != "forward" or other is None:
            continue
        context = _context(body(code, function))
        texts = body(code, other)
        # What gets the context may read it somewhere else.
        handed = any(text in ("ctx", "context", context) and texts[n + 1] in (",", ")", "}")
                     for n, text in enumerate(texts[:-1]))  # fmt: skip
        if context and "get_saved_variables" not in texts and not handed:
            at = next(i for i in code.places("backward") if other.head <= i < other.opening)
            yield Match(code.tokens[at].span, name=f"{other.scope}::backward")


def _context(texts: list[str]) -> str:
    """What a body calls the context that it saves tensors in; empty where it saves none."""
    for n, text in enumerate(texts):
        empty = texts[n + 1 : n + 4] == ["(", "{", "}"]
        if text == SAVES and not empty:
            return texts[n - 2]
    return ""
