"""`at::Tensor z; EXEC_NPU_CMD_EXT(aclnnFoo, x, z);`, and `z = at::empty_like(x)` for an operator
that broadcasts x and y."""

from collections.abc import Iterator

from porter.ascend.hosts import brings_aten, tensors
from porter.ascend.kernels import body
from porter.languages.cpp import Code, Function, Unit
from porter.model import Edit, Match, ProjectFacts, Safety, Span

COMMANDS = ("EXEC_NPU_CMD_EXT", "EXEC_NPU_CMD", "EXEC_NPU_CMD_V2", "EXEC_KERNEL_CMD")
# Of two tensors, by CANN's documents of each; in op-plugin their outputs are as large as
# broadcast_ops_npu_output_size(self, other).
BROADCAST = frozenset((
    "aclnnAdd", "aclnnSub", "aclnnMul", "aclnnDiv", "aclnnDivMod", "aclnnMaximum",
    "aclnnMinimum", "aclnnPowTensorTensor", "aclnnRemainderTensorTensor", "aclnnFmodTensor",
    "aclnnAtan2", "aclnnEqTensor", "aclnnNeTensor", "aclnnGtTensor", "aclnnGeTensor",
    "aclnnLtTensor", "aclnnLeTensor", "aclnnLogicalAnd", "aclnnLogicalOr", "aclnnLogicalXor",
    "aclnnBitwiseAndTensor", "aclnnBitwiseOrTensor", "aclnnBitwiseXorTensor", "aclnnFloorDivide",
))  # fmt: skip
NOTHING = "{0} is declared and never given memory: {1} has nowhere to write, and {0} is returned"
NARROW = "{1} broadcasts, and {0} is as large as {2}, whatever {3} is: where {3} has more elements "
NARROW += "the operator refuses {0}"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None:
        return
    code = unit.code
    for at in code.places(*COMMANDS):
        given, function = code.arguments(at + 1), code.function_at(at)
        if len(given) < 3 or function is None or given[-1][0] != given[-1][1]:
            continue
        operator, out = code.text(*given[0]), code.text(*given[-1])
        made = _find_assignment(code, function, out, at)
        if made is None:
            if _is_declared_only(code, function, out, at):
                said = NOTHING.format(out, operator)
                yield Match(code.tokens[given[-1][0]].span, (), said, Safety.MANUAL, name=out)
        elif operator in BROADCAST and len(given) >= 4:
            inputs = [code.text(*one) for one in given[1:3]]
            yield from _narrow(code, function, made, operator, out, inputs)


def _find_assignment(code: Code, function: Function, name: str, before: int) -> int | None:
    """The `=` of `name = ...` in a function, before a token."""
    found = [
        at + 1
        for at in code.places(name)
        if function.opening < at < before and code.tokens[at + 1].text in ("=", "{", "(")
        and code.tokens[at - 1].text not in (".", "->", "::")
    ]  # fmt: skip
    return found[-1] if found else None


def _is_declared_only(code: Code, function: Function, name: str, before: int) -> bool:
    """`at::Tensor name;`, then nothing of it before the command, and its return after that."""
    uses = [at for at in code.places(name) if function.opening < at < function.closing]
    earlier = [at for at in uses if at < before]
    alone = [
        at
        for at in earlier
        if code.tokens[at - 1].text == "Tensor" and code.tokens[at + 1].text == ";"
    ]
    returned = any(code.tokens[at - 1].text == "return" for at in uses if at > before)
    return len(earlier) == len(alone) == 1 and returned


def _narrow(
    code: Code, function: Function, made: int, operator: str, out: str, inputs: list[str]
) -> Iterator[Match]:
    """`out = at::empty_like(x)`, where nothing in the function asks for the other's size."""
    end = made
    while end < function.closing and code.tokens[end].text != ";":
        end += 1
    text = code.text(made + 1, end - 1)
    for first, other in (inputs, inputs[::-1]):
        if text not in (f"at::empty_like({first})", f"torch::empty_like({first})"):
            continue
        own = tensors(code, function)
        if first == other or {first, other} - {*own} or _is_used_elsewhere(code, function, other):
            return
        space = text.partition("::")[0]
        sizes = f"at::infer_size({first}.sizes(), {other}.sizes())"
        new = f"{space}::empty({sizes}, {first}.options())"
        span = Span(code.tokens[made + 1].start, code.tokens[end - 1].end)
        said = NARROW.format(out, operator, first, other)
        edits = (Edit(span, new.encode()),) if brings_aten(code.unit) else ()
        yield Match(span, edits, said, None if edits else Safety.MANUAL, name=out)


def _is_used_elsewhere(code: Code, function: Function, name: str) -> bool:
    """Whether anything but the command takes it: its size may be checked, or be another's."""
    words = body(code, function)
    uses = [n for n, word in enumerate(words) if word == name]
    return len(uses) != 1 or _is_called(code, function)


def _is_called(code: Code, function: Function) -> bool:
    """Whether functions of the file call it, which may have looked at its arguments."""
    others = [body(code, f) for f in code.functions if f.opening != function.opening]
    return any(
        word == function.name and other[n + 1 : n + 2] == ["("]
        for other in others
        for n, word in enumerate(other)
    )
