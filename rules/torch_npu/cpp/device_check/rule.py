"""`x.is_cuda()` outside of CUDA's own sources: or on an NPU."""

from collections.abc import Iterator

from porter.languages.cpp import Kind, Token, Unit
from porter.model import Edit, Match, ProjectFacts, Span

OTHERS = (".cu", ".cuh", ".asc")
OF_TYPE = ["type", "(", ")", "."]  # types are not asked for other devices
OPENS = {")": "(", "]": "["}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if unit.path.endswith(OTHERS):
        return
    tokens = unit.tokens
    for at in unit.places("is_cuda"):
        words = [t.text for t in tokens[at + 1 : at + 3]]
        if words != ["(", ")"] or tokens[at - 1].text not in (".", "->"):
            continue
        first = _receiver(tokens, at - 2)
        span = Span(tokens[at].start, tokens[at + 2].end)
        if first is None or _has_other_check(tokens, at):
            if first is None:
                yield Match(span)
            continue
        last = at - 5 if [t.text for t in tokens[at - 4 : at]] == OF_TYPE else at - 1
        receiver = unit.text(first, last)
        start = tokens[first].start
        before = Edit(Span(start, start), b"(")
        also = f" || {receiver}is_privateuseone())"
        yield Match(span, (before, Edit(Span(span.end, span.end), unit.encode(also))))


def _has_other_check(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether the other question stands beside it."""
    near = tokens[max(at - 16, 0) : at + 16]
    return any(token.text == "is_privateuseone" for token in near)


def _receiver(tokens: tuple[Token, ...], last: int) -> int | None:
    """The first token of the chain `a.b(c)[d]` that ends here."""
    at = last
    while at >= 0:
        if tokens[at].text in OPENS:
            depth, close, opening = 0, tokens[at].text, OPENS[tokens[at].text]
            while at >= 0:
                depth += (tokens[at].text == close) - (tokens[at].text == opening)
                if depth == 0:
                    break
                at -= 1
            if tokens[at - 1].kind is not Kind.NAME and tokens[at - 1].text not in OPENS:
                return at
            if tokens[at - 1].text in ("return", "TORCH_CHECK", "if"):
                return at
            if _is_macro_head(tokens, at):
                return at
            at -= 1
            continue
        if tokens[at].kind is not Kind.NAME:
            return None
        if tokens[at - 1].text not in (".", "->", "::"):
            return at
        at -= 2
    return None


def _is_macro_head(tokens: tuple[Token, ...], at: int) -> bool:
    """`#define F(x)`, whose brackets belong to its head."""
    return at > 1 and tokens[at - 2].text == "#define"
