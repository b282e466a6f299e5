"""`EXEC_NPU_CMD_EXT(aclnnOwn, x, y)` of an operator of the repository's own package, in a function
that never looks at the type of what it is given."""

import re
from collections.abc import Iterable, Iterator

from porter.ascend.kernels import body
from porter.ascend.own_files import is_own_file
from porter.ascend.tree import snake
from porter.languages.cpp import Unit
from porter.model import AscendPart, Match, ProjectFacts
from porter.surface.load import load_newest
from porter.targets.torch_npu.capture import UNREAD

SAID = "{} of torch_npu {} does not read what {}GetWorkspaceSize returns, and nothing here checks "
SAID += "the type of the inputs: what the operator refuses leaves the output as it was, in silence"
LOOKS = re.compile(r"scalar_?type|dtype|(?<!TORCH_)check|k(Half|Float|BFloat16|Int|Long)$", re.I)


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if is_own_file(unit.path, facts) or facts.ascend is None:
        return
    surface, code = load_newest("torch_npu"), unit.code
    macros = facts.ascend.macros
    silent = [n for n, s in surface.cpp.items() if s.facts[:1] == (UNREAD,) and n not in macros]
    own = {
        snake(piece.form.rpartition(" ")[2])
        for operator in facts.ascend.operators
        if any(p.form in ("OpDef", "json") for p in operator.pieces)
        for piece in operator.pieces
        if piece.part is AscendPart.CALL
    }
    for at in code.places(*silent):
        given, function = code.arguments(at + 1), code.function_at(at)
        name = code.text(*given[0]) if given else ""
        if not name.startswith("aclnn") or snake(name) not in own or function is None:
            continue
        others = [body(code, f) for f in code.functions if f.opening != function.opening]
        callers = [other for other in others if function.name in other]
        if not _looks(body(code, function)) and not any(map(_looks, callers)):
            said = SAID.format(code.tokens[at].text, surface.version, name)
            yield Match(code.tokens[at].span, message=said, name=code.tokens[at].text)
            return


def _looks(texts: Iterable[str]) -> bool:
    return any(LOOKS.search(text) for text in texts)
