"""A PYBIND11_MODULE with functions of its own, in a repository whose module takes those that its
own macro registers; and one below another one of its name in the same file."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts, Safety, Span


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None:
        return
    code = unit.code
    macro, header = facts.ascend.registration
    folder = header.rpartition("/")[0].rpartition("/")[0]  # what is built with the registry
    registries = {
        module.name
        for module in facts.ascend.modules
        if macro and not module.defines and module.path.startswith(folder)
    }
    own = {module.line: module for module in facts.ascend.modules if module.path == unit.path}
    seen: set[str] = set()
    for at in code.places("PYBIND11_MODULE"):
        module = own.get(code.line(at))
        if module is None:
            continue
        if module.defines and module.name in registries and module.path.startswith(folder):
            edits = _registry_edits(unit, at, macro, header)
            yield Match(code.tokens[at].span, edits, safety=None if edits else Safety.MANUAL)
        elif module.name in seen:
            yield Match(code.tokens[at].span, safety=Safety.MANUAL)
        seen.add(module.name)


def _registry_edits(unit: Unit, at: int, macro: str, header: str) -> tuple[Edit, ...]:
    """The macro in the place of the module, and its header; nothing where that has no place."""
    code = unit.code
    given = code.arguments(at + 1)
    whole = Span(code.tokens[at].start, code.tokens[code.pairs[at + 1]].end)
    edits = [Edit(whole, unit.encode(f"{macro}({code.text(*given[1])})"))]
    folder, _, name = header.rpartition("/")
    if unit.path != header and not any(h.endswith(name) for h, _ in unit.includes):
        if not unit.includes:
            return ()
        following = unit.offset(unit.position(unit.includes[-1][1].start)[0] + 1)
        beside = f"{folder.rpartition('/')[2]}/{name}".lstrip("/")
        text = unit.encode(f'#include "{beside}"\n')
        edits.append(Edit(Span(following, following), text))
    return tuple(edits)
