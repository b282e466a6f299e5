"""`AT_ERROR("...")` and `AT_ASSERTM(c, "...")`, which torch defines by newer macros."""

from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts, Span

NEW = {
    "AT_ERROR": "TORCH_CHECK",
    "AT_ASSERT": "TORCH_INTERNAL_ASSERT",
    "AT_ASSERTM": "TORCH_INTERNAL_ASSERT",
}
CONDITIONAL = frozenset({"#define", "#undef", "#ifdef", "#ifndef"})


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    own = _names_in_directives(unit)
    for index, token in enumerate(unit.tokens[:-1]):
        if token.text not in NEW or token.text in own or unit.tokens[index + 1].text != "(":
            continue
        found = unit.arguments(index + 1)
        if found is None or token.kind is not Kind.NAME:
            continue
        arguments, closing = found
        span = Span(token.span.start, unit.tokens[closing].span.end)
        yield Match(span, _edits(unit, index, bool(arguments), closing), name=token.text)


def _names_in_directives(unit: Unit) -> frozenset[str]:
    """Names that the file defines or asks about itself."""
    tokens = unit.tokens
    return frozenset(
        tokens[index + 1].text
        for index in range(len(tokens) - 1)
        if tokens[index].kind is Kind.DIRECTIVE and tokens[index].text in CONDITIONAL
    )


def _edits(unit: Unit, index: int, has_arguments: bool, closing: int) -> tuple[Edit, ...]:
    token = unit.tokens[index]
    head = NEW[token.text]
    edits = [Edit(token.span, head.encode())]
    if token.text == "AT_ERROR":
        inside = unit.tokens[index + 1].span.end
        broken = unit.data[inside : inside + 1].isspace()  # the arguments begin on the next line
        text = b"false" if not has_arguments else b"false," if broken else b"false, "
        edits.append(Edit(Span(inside, inside), text))
    if not _before_else(unit, closing):
        return tuple(edits)
    # the old macros were one statement, the new ones end an `if` without braces
    edits[0] = Edit(token.span, f"{{ {head}".encode())
    end = unit.tokens[closing + 1].span.end
    return (*edits, Edit(Span(end, end), b" }"))


def _before_else(unit: Unit, closing: int) -> bool:
    return [token.text for token in unit.tokens[closing + 1 : closing + 3]] == [";", "else"]
