"""`c10_npu::get_current_npu_stream()`: a call in a scope that is torch_npu's, of no name of it."""

import difflib
from collections.abc import Iterator

from porter.ascend.own_files import is_own_file
from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts
from porter.surface.load import load_newest
from porter.targets.torch_npu.names import qualify_names


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if is_own_file(unit.path, facts):
        return
    surface = load_newest("torch_npu")
    own = facts.ascend.own if facts.ascend else frozenset[str]()
    scopes = {name.rpartition("::")[0] for name in surface.cpp if "::" in name}
    for name, first, last in qualify_names(unit):
        scope, _, short = name.rpartition("::")
        called = last + 1 < len(unit.tokens) and unit.tokens[last + 1].text == "("
        if scope not in scopes or name in surface.cpp or name in own or not called:
            continue
        if unit.tokens[first].text != name.partition("::")[0]:
            continue  # by an alias or a namespace in use: it may be somebody else's
        beside = [n.rpartition("::")[2] for n in surface.cpp if n.rpartition("::")[0] == scope]
        same = [n for n in beside if _plain(n) == _plain(short)]
        close = same or difflib.get_close_matches(short, beside, n=1, cutoff=0.8)
        span = unit.tokens[last].span
        edits = (Edit(span, same[0].encode()),) if len(same) == 1 else ()
        said = f"torch_npu {surface.version} has no {name}"
        yield Match(span, edits, message=said + (f": {close[0]}?" if close else ""), name=name)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
