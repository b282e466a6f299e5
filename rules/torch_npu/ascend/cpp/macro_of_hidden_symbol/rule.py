"""`EXEC_NPU_CMD(...)` out of torch_npu's tree, in place of `EXEC_NPU_CMD_EXT(...)`."""

from collections.abc import Iterator

from porter.ascend.own_files import is_own_file
from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts, State
from porter.surface.load import load_newest


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if is_own_file(unit.path, facts):
        return
    names = load_newest("torch_npu").cpp
    own = facts.ascend.macros if facts.ascend else frozenset[str]()
    hidden = [n for n, s in names.items() if s.kind == "macro" and s.state is not State.PRESENT]
    for index in unit.places(*hidden):
        token, symbol = unit.tokens[index], names[unit.tokens[index].text]
        called = index + 1 < len(unit.tokens) and unit.tokens[index + 1].text == "("
        if token.text in own or not called:
            continue
        other = names.get(f"{token.text}_EXT")
        edits = (Edit(token.span, f"{token.text}_EXT".encode()),) if other else ()
        fact = symbol.facts[0].sentence
        said = f"{token.text} compiles, and the library cannot be loaded: {fact}"
        said += f"; {token.text}_EXT of npu_cpp_extension.h is for extensions" if other else ""
        yield Match(token.span, edits, message=said, name=token.text)
