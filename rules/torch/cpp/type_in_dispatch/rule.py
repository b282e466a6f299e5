"""`AT_DISPATCH_*(x.type(), ...)`, by the type that old torch took in place of a ScalarType."""

from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts

_END = [".", "type", "(", ")"]


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    tokens = unit.tokens
    for index, token in enumerate(tokens[:-1]):
        if token.kind is not Kind.NAME or not token.text.startswith("AT_DISPATCH_"):
            continue
        found = unit.arguments(index + 1) if tokens[index + 1].text == "(" else None
        for first, last in found[0] if found else ():
            if last - first >= 4 and [t.text for t in tokens[last - 3 : last + 1]] == _END:
                name = tokens[last - 2]
                yield Match(name.span, (Edit(name.span, b"scalar_type"),), name=token.text)
