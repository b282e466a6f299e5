"""Includes of THC's and TH's headers, and their functions that ATen and c10 have by other names."""

import re
from collections.abc import Iterator

from porter.languages.cpp import Kind, Token, Unit
from porter.model import Edit, Match, ProjectFacts, Span
from porter.rules.includes import OPENS

# torch 1.10 had each of the first only to include the second, but for what THC itself declared.
HEADERS = {
    "THC/THCAtomics.cuh": "ATen/cuda/Atomic.cuh",
    "THC/THCDeviceUtils.cuh": "ATen/cuda/DeviceUtils.cuh",
    "THC/THC.h": "ATen/cuda/CUDAContext.h",
    "THC/THCGeneral.h": "ATen/cuda/CUDAContext.h",
    "TH/TH.h": "ATen/ATen.h",
    "TH/THGeneral.h": "ATen/ATen.h",
}
ALLOCATOR = "c10::cuda::CUDACachingAllocator"
# What torch 1.10's THC defined each as, and the header that has it; with `state` they took the
# state of THC first.
FUNCTIONS = {
    "THCCeilDiv": ("at::ceil_div", "ATen/ceil_div.h"),
    "THCudaCheck": ("AT_CUDA_CHECK", "ATen/cuda/Exceptions.h"),
    "THArgCheck": ("TORCH_CHECK", "c10/util/Exception.h"),  # condition, number, message
}
WITH_STATE = {
    "THCState_getCurrentStream": (
        "at::cuda::getCurrentCUDAStream",
        "ATen/cuda/CUDAContext.h",
    ),
    "THCudaFree": (f"{ALLOCATOR}::raw_delete", "c10/cuda/CUDACachingAllocator.h"),
    "THCudaMalloc": (f"{ALLOCATOR}::raw_alloc", "c10/cuda/CUDACachingAllocator.h"),
}
_OF_THC = re.compile(r"_?TH(C[A-Za-z_]|[A-Z][a-z])")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    present = {header for header, _ in unit.includes}
    named = [i for i, t in enumerate(unit.tokens) if t.kind is Kind.NAME and _OF_THC.match(t.text)]
    done = _functions(unit, named)
    if done is None:
        return  # ATen's headers have none of these names
    edits, wanted = done
    for header, token in unit.includes:
        new = HEADERS.get(header)
        if new is None:
            continue
        if new in present and not edits:
            # perhaps by torch's version; TH's headers had no other to include
            if header.startswith("TH/") and not _is_conditional(unit, token):
                yield Match(token.span, (Edit(_line(unit, token.span), b""),), name=header)
            continue
        more = sorted(wanted - present - {new})
        opening, closing = token.text[0], token.text[-1]
        lines = [f"{opening}{name}{closing}" for name in (new, *more)]
        text = unit.encode("\n#include ".join(lines))
        yield Match(token.span, (Edit(token.span, text), *edits), name=header)
        edits, wanted = [], set()


def _functions(unit: Unit, named: list[int]) -> tuple[list[Edit], set[str]] | None:
    """The edits of all names of THC and the headers that they want; None if one is not known."""
    tokens = unit.tokens
    states: dict[str, int] = {}  # variables of a state -> uses that go away
    edits: list[Edit] = []
    wanted: set[str] = set()
    for index in named:
        token = tokens[index]
        if token.text == "THCState":
            found = _declaration(unit, index)
            if found is None:
                return None
            name, span = found
            states[name] = states.get(name, 0) + 1
            edits.append(Edit(span, b""))
            continue
        new, header = (FUNCTIONS | WITH_STATE).get(token.text, ("", ""))
        opened = unit.arguments(index + 1) if tokens[index + 1].text == "(" else None
        if not new or opened is None:
            return None
        span = token.span
        if token.text in WITH_STATE:
            first, last = opened[0][0]
            if first != last or tokens[first].kind is not Kind.NAME:
                return None
            states[tokens[first].text] = states.get(tokens[first].text, 0) + 1
            after = opened[0][1][0] if len(opened[0]) > 1 else last + 1
            span = Span(span.start, tokens[after].span.start)
            new += "("
        elif token.text == "THArgCheck":
            if len(opened[0]) != 3:
                return None  # its message has a format
            number, message = (tokens[opened[0][k][0]].span.start for k in (1, 2))
            edits.append(Edit(Span(number, message), b""))
        edits.append(Edit(span, unit.encode(new)))
        wanted.add(header)
    uses = {name: sum(t.text == name for t in tokens) for name in states}
    return (edits, wanted) if uses == states else None


def _declaration(unit: Unit, index: int) -> tuple[str, Span] | None:
    """The name and the whole line of `extern THCState* state;` or `THCState* state = ...;`."""
    tokens = unit.tokens
    if tokens[index + 1].text != "*" or tokens[index + 2].kind is not Kind.NAME:
        return None
    end = index + 3
    while end < len(tokens) and tokens[end].text not in (";", ",", ")", "{"):
        arguments = unit.arguments(end) if tokens[end].text == "(" else None
        end = arguments[1] + 1 if arguments else end + 1
    start = index - (tokens[index - 1].text == "extern")
    line = unit.data.rfind(b"\n", 0, tokens[start].span.start) + 1
    if end == len(tokens) or tokens[end].text != ";":
        return None
    if unit.data[line : tokens[start].span.start].strip():
        return None
    newline = unit.data.find(b"\n", tokens[end].span.end)
    rest = unit.data[tokens[end].span.end : newline].strip()
    if newline < 0 or (rest and not rest.startswith(b"//")):
        return None
    return tokens[index + 2].text, Span(line, newline + 1)


def _is_conditional(unit: Unit, token: Token) -> bool:
    before = [t.text for t in unit.tokens if t.kind is Kind.DIRECTIVE and t.start < token.start]
    return sum(text in OPENS for text in before) > before.count("#endif")


def _line(unit: Unit, span: Span) -> Span:
    """The whole lines of a span."""
    newline = unit.data.find(b"\n", span.end) + 1
    return Span(unit.data.rfind(b"\n", 0, span.start) + 1, newline or len(unit.data))
