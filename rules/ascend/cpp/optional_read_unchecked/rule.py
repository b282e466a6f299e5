"""`y.value()` of a `const std::optional<at::Tensor>& y` that nothing asks for its presence."""

from collections.abc import Iterator

from porter.languages.cpp import Code, Function, Unit
from porter.model import Match, ProjectFacts

SAID = "{0}.value() throws where {0} is not given, and nothing asks {0}.has_value()"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None:
        return
    code = unit.code
    for function in code.functions:
        for name in _optionals(code, function):
            uses = [i for i in range(function.opening, function.closing)
                    if code.tokens[i].text == name]  # fmt: skip
            after = [tuple(t.text for t in code.tokens[i + 1 : i + 3]) for i in uses]
            read = [i for i, words in zip(uses, after, strict=True) if words == (".", "value")]
            if read and len(read) == len(uses):
                yield Match(code.tokens[read[0]].span, message=SAID.format(name), name=name)


def _optionals(code: Code, function: Function) -> Iterator[str]:
    for at in range(function.head, function.opening):
        if code.tokens[at].text == "optional" and code.tokens[at + 1].text == "<":
            end = code.skip_angles(at + 1)
            if "Tensor" in [t.text for t in code.tokens[at:end]]:
                end += code.tokens[end].text == "&"
                yield code.tokens[end].text
