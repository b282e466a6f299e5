"""Functions registered for PrivateUse1, or by pybind11, that call or launch, without any guard;
once a file."""

from collections.abc import Iterator

from porter.ascend.cpp_pieces import pieces
from porter.ascend.hosts import brings_aten, insert_before, parameters, tensors
from porter.ascend.kernels import body
from porter.ascend.own_files import is_own_file
from porter.languages.cpp import Code, Function, Unit
from porter.model import AscendPart, Edit, Match, ProjectFacts, Safety

CALLS = ("EXEC_NPU_CMD", "EXEC_NPU_CMD_EXT", "<<<", "ACLRT_LAUNCH_KERNEL")
STATEMENT = "const c10::OptionalDeviceGuard guard(device_of({}));"
SAID = "{} without a device guard: with inputs on another device than the current one it runs on "
SAID += f"the wrong one; `{STATEMENT.format('x')}` comes first"
HEADERS = ("ATen/DeviceGuard.h", "npu_cpp_extension.h")  # of the class and of device_of


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if is_own_file(unit.path, facts):
        return
    code = unit.code
    registered = {
        name
        for impl in pieces(unit).impls
        if impl.key in ("PrivateUse1", "NPU")
        for name in impl.uses
    }
    calls = set(CALLS) - (facts.ascend.guarded if facts.ascend else frozenset())
    lines = _binding_lines(unit.path, facts)
    found = []
    for function in code.functions:
        texts = set(body(code, function))
        guarded = any("Guard" in text or "set_device" in text.lower() for text in texts)
        if not texts & calls or guarded:
            continue
        if function.name in registered or (lines and _is_entry(code, function, lines)):
            found.append(function)
    if found:
        count = found[0].name if len(found) == 1 else f"{len(found)} functions"
        begin = code.tokens[found[0].opening]
        edits = tuple(edit for function in found if (edit := _add_guard(code, function)))
        safety = None if edits else Safety.MANUAL
        yield Match(begin.span, edits, SAID.format(count), safety, found[0].name)


def _binding_lines(path: str, facts: ProjectFacts) -> set[int]:
    """The lines of a file from which the operators of pybind11 call."""
    return {
        piece.line
        for operator in (facts.ascend.operators if facts.ascend else ())
        if any(p.form == "pybind11" and p.part is AscendPart.BINDING for p in operator.pieces)
        for piece in operator.pieces
        if piece.part is AscendPart.CALL and piece.path == path
    }


def _is_entry(code: Code, function: Function, lines: set[int]) -> bool:
    """Whether one of these lines is in a function of tensors that no other of the file calls."""
    here = range(code.line(function.opening), code.line(function.closing) + 1)
    if not lines & set(here) or not tensors(code, function):
        return False
    others = (f for f in code.functions if f.name not in (function.name, "PYBIND11_MODULE"))
    return not any(function.name in body(code, f) for f in others)


def _add_guard(code: Code, function: Function) -> Edit | None:
    unit = code.unit
    known = brings_aten(unit) or any(header in HEADERS for header, _ in unit.includes)
    given = tensors(code, function)
    if not known or not given or "guard" in body(code, function):
        return None
    for first, last in parameters(code, function):
        words = [token.text for token in code.tokens[first : last + 1]]
        if words[-1] == given[0]:
            break
        if "Tensor" in words or "TensorList" in words:
            return None  # the list is on the device; what comes after it may be a number
    return insert_before(code, function.opening + 1, STATEMENT.format(given[0]))
