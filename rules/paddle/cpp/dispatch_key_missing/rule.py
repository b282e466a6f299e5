"""`TORCH_LIBRARY_IMPL(ns, BackendSelect, m)` and other keys than CPU and CUDA."""

from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts, Safety, Span, Style

PRESENT = frozenset({"CPU", "CUDA", "Undefined"})
MEANING = {
    "Meta": "shapes for tracing: give them in Python with torch.library.register_fake",
    "Autograd": "gradients: give them in Python with a torch.autograd.Function",
    "CompositeImplicitAutograd": "one implementation for all devices: register it for CPU and CUDA",
    "CompositeExplicitAutograd": "one implementation for all devices: register it for CPU and CUDA",
    "BackendSelect": "operators without tensor arguments: on Paddle they run when registered for "
    "CPU, under torch they need this key",
    "PrivateUse1": "a device that Paddle reaches by its own plugin interface",
}
GUARD = "Paddle 3.3 dispatches by CPU and CUDA only, and this block does not compile. {}; keep it "
GUARD += "for torch in a source or behind a macro that only the torch build has"


def check(unit: Unit, facts: ProjectFacts, style: Style) -> Iterator[Match]:
    for index in unit.find("TORCH_LIBRARY_IMPL", "("):
        found = unit.arguments(index + 1)
        if found is None or len(found[0]) != 3:
            continue
        first, last = found[0][1]
        key = unit.tokens[first]
        if first != last or key.kind is not Kind.NAME or not _is_missing(unit, index, key.text):
            continue
        span = Span(unit.tokens[index].span.start, unit.tokens[found[1]].span.end)
        fork = style is Style.FORK and key.text == "BackendSelect"
        yield Match(
            span,
            edits=(Edit(key.span, b"CPU"),) if fork else (),
            message=GUARD.format(MEANING.get(key.text, f"It has no {key.text}")),
            safety=Safety.REVIEW if fork else Safety.MANUAL,
            name=f"c10::DispatchKey::{key.text}",
        )


def _is_missing(unit: Unit, index: int, key: str) -> bool:
    """Not a key of Paddle's, and not the parameter of a macro around the block."""
    line = unit.line_start(unit.tokens[index].span.start).start
    in_macro = unit.data[line:].lstrip().startswith(b"#") or _continued(unit.data, line)
    return key not in PRESENT and not in_macro


def _continued(data: bytes, line: int) -> bool:
    return data[:line].rstrip(b"\r\n").endswith(b"\\")
