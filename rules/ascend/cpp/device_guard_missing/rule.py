"""Functions registered for PrivateUse1 that call or launch, without any guard; once a file."""

from collections.abc import Iterator

from porter.ascend.cpp_pieces import pieces
from porter.ascend.kernels import body
from porter.ascend.names import inside
from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts

CALLS = ("EXEC_NPU_CMD", "EXEC_NPU_CMD_EXT", "<<<", "ACLRT_LAUNCH_KERNEL")
SAID = "{} without a device guard: with inputs on another device than the current one it runs on "
SAID += "the wrong one; `const c10::OptionalDeviceGuard guard(device_of(x));` comes first"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if inside(unit.path, facts):
        return
    code = unit.code
    registered = {
        name
        for impl in pieces(unit).impls
        if impl.key in ("PrivateUse1", "NPU")
        for name in impl.uses
    }
    found = []
    for function in code.functions:
        texts = set(body(code, function))
        guarded = any("Guard" in text or "set_device" in text.lower() for text in texts)
        if function.name in registered and texts & set(CALLS) and not guarded:
            found.append(function)
    if found:
        count = found[0].name if len(found) == 1 else f"{len(found)} functions"
        begin = code.tokens[found[0].opening]
        yield Match(begin.span, message=SAID.format(count), name=found[0].name)
