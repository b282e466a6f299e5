"""`TORCH_LIBRARY_IMPL(ns, BackendSelect, m)` and keys that no piece gives."""

from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Form, Match, ProjectFacts, Safety, Span

# Paddle's own, and those of the piece cpp/registration.
KEYS = """
CPU CUDA Undefined CatchAll BackendSelect Meta PrivateUse1 HIP XPU MPS QuantizedCPU QuantizedCUDA
SparseCPU SparseCUDA SparseCsrCPU SparseCsrCUDA MkldnnCPU Autograd AutogradCPU AutogradCUDA
AutogradXPU AutogradMPS AutogradMeta AutogradPrivateUse1 AutogradOther AutogradNestedTensor
ADInplaceOrView Autocast AutocastCUDA AutocastCPU AutocastXPU Functionalize Python
FuncTorchBatched NestedTensorCPU NestedTensorCUDA CompositeImplicitAutograd
CompositeExplicitAutograd CompositeExplicitAutogradNonFunctional
"""
PRESENT = frozenset(KEYS.split())
GUARD = "Paddle has no dispatch key {}, and this block does not compile: keep it for torch in a "
GUARD += "source or behind a macro that only the torch build has"
OF_FORKS = "operators without tensor arguments: on Paddle they run when registered for CPU"


def check(unit: Unit, facts: ProjectFacts, form: Form) -> Iterator[Match]:
    for index in unit.find("TORCH_LIBRARY_IMPL", "("):
        found = unit.arguments(index + 1)
        if found is None or len(found[0]) != 3:
            continue
        first, last = found[0][1]
        key = unit.tokens[first]
        fork = form.is_fork and key.text == "BackendSelect"
        if first != last or key.kind is not Kind.NAME or _may_be_macro_parameter(unit, index):
            continue
        if key.text in PRESENT and not fork:
            continue
        span = Span(unit.tokens[index].span.start, unit.tokens[found[1]].span.end)
        yield Match(
            span,
            edits=(Edit(key.span, b"CPU"),) if fork else (),
            message=OF_FORKS if fork else GUARD.format(key.text),
            safety=Safety.REVIEW if fork else Safety.MANUAL,
            name=f"c10::DispatchKey::{key.text}",
        )


def _may_be_macro_parameter(unit: Unit, index: int) -> bool:
    """Whether the key may be the parameter of a macro around the block."""
    line = unit.line_start(unit.tokens[index].span.start).start
    return unit.data[line:].lstrip().startswith(b"#") or _is_continued(unit.data, line)


def _is_continued(data: bytes, line: int) -> bool:
    return data[:line].rstrip(b"\r\n").endswith(b"\\")
