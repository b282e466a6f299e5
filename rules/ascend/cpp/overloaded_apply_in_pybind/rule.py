"""`.def_static("f", &F::apply)`, with F derived from torch::autograd::Function."""

from collections.abc import Iterator

from porter.languages.cpp import Code, Unit
from porter.model import Edit, Match, ProjectFacts, Span

METHODS = frozenset(("def", "def_static", "impl"))


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    for at in code.places("apply"):
        words = [token.text for token in code.tokens[at - 3 : at + 2]]
        if len(words) != 5 or words[0] != "&" or words[2] != "::" or words[4] not in (",", ")"):
            continue
        name = words[1]
        if not _is_function(code, name) or not _is_def_argument(code, at):
            continue
        span = Span(code.tokens[at - 3].start, code.tokens[at].end)
        given = _parameters(code, name)
        edits = ()
        if given is not None:
            names = ", ".join(given[1])
            edits = (Edit(span, f"[]({given[0]}) {{ return {name}::apply({names}); }}".encode()),)
        yield Match(span, edits, name=f"{name}::apply")


def _is_def_argument(code: Code, at: int) -> bool:
    """Whether it stands among the arguments of a `def`."""
    depth = 0
    for index in range(at, max(at - 400, 0), -1):
        text = code.tokens[index].text
        depth += (text == ")") - (text == "(")
        if depth < 0:
            return code.tokens[index - 1].text in METHODS
    return False


def _is_function(code: Code, name: str) -> bool:
    for at in code.places(name):
        words = [token.text for token in code.tokens[at - 1 : at + 12]]
        if words and words[0] in ("class", "struct") and ":" in words[2:3]:
            return "Function" in words
    return False


def _parameters(code: Code, name: str) -> tuple[str, list[str]] | None:
    """The parameters of the class's forward after the context: as written, and their names."""
    for function in code.functions:
        if function.name != "forward" or function.scope.rpartition("::")[2] != name:
            continue
        opening = next(
            i for i in range(function.head, function.opening)
            if code.tokens[i].text == "(" and code.tokens[i - 1].text == "forward"
        )  # fmt: skip
        given = code.arguments(opening)[1:]
        if not given or any("=" in code.text(*argument) for argument in given):
            return None
        written = [
            code.unit.data[code.tokens[first].start : code.tokens[last].end].decode()
            for first, last in given
        ]
        return ", ".join(written), [code.tokens[last].text for _, last in given]
    return None
