"""What a host function says to CUDA's runtime beside launches: checks, waiting, which device."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from porter.languages.cpp import Code, Function, Unit
from porter.languages.cpp_tokens import line_end
from porter.model import Edit, Span

_ERRORS = frozenset(("cudaGetLastError", "cudaPeekAtLastError"))
_WAITS = frozenset(("cudaDeviceSynchronize", "cudaStreamSynchronize"))
_WAIT = "c10_npu::npuSynchronizeDevice();"
_OF_CHECKS = frozenset(("cudaError_t", "cudaSuccess", "cudaGetErrorString", "cudaError"))
_BEFORE = (";", "{", "}", ")", "else")

Drop = Callable[[int, int], None]
Replace = Callable[[int, int, str], None]


def errors(code: Code, drop: Drop, replace: Replace) -> None:
    """Checks of what CUDA returns go, since torch_npu's queue reports by itself."""
    tokens = code.tokens
    for at in code.places(*_ERRORS):
        words = [t.text for t in tokens[at + 1 : at + 5]]
        compared = words[:2] == ["(", ")"] and words[2:] in (["==", "cudaSuccess"],)
        if compared and tokens[at - 1].text == "(":
            statement = _statement(code, at - 2, code.pairs.get(at - 1))
            if statement is not None:
                drop(*statement)
    for at in code.places(*_WAITS):
        statement = _find_statement(code, at)
        if statement is not None:
            replace(*statement, _WAIT)
    for at in code.places("cudaGetDevice", "cudaSetDevice"):
        statement = _find_statement(code, at)
        first, closing = at + 2, code.pairs.get(at + 1, -1)
        if statement is None or closing < first:
            continue
        if tokens[at].text == "cudaSetDevice":
            replace(*statement, f"c10_npu::set_device({_text(code, first, closing - 1)});")
        elif tokens[first].text == "&":
            named = _text(code, first + 1, closing - 1)
            replace(*statement, f"{named} = c10_npu::current_device();")
    for at in code.places("cudaError_t"):
        _variable(code, at, drop, replace)


def _text(code: Code, first: int, last: int) -> str:
    return code.unit.data[code.tokens[first].start : code.tokens[last].end].decode()


def _statement(code: Code, first: int, closing: int | None) -> tuple[int, int] | None:
    """A call that is a statement of its own, in bytes."""
    tokens = code.tokens
    if closing is None or closing + 1 >= len(tokens) or tokens[closing + 1].text != ";":
        return None
    while tokens[first - 1].text == "::":
        first -= 2
    if tokens[first - 1].text not in _BEFORE:
        return None
    return tokens[first].start, tokens[closing + 1].end


def _find_statement(code: Code, at: int) -> tuple[int, int] | None:
    """The statement that a call is, also in the brackets of a check."""
    closing = code.pairs.get(at + 1)
    own = _statement(code, at, closing)
    if own is not None or code.tokens[at - 1].text != "(" or closing is None:
        return own
    outer = code.pairs.get(at - 1)
    return _statement(code, at - 2, outer) if outer == closing + 1 else None


def _variable(code: Code, at: int, drop: Drop, replace: Replace) -> None:
    """`cudaError_t e = cudaGetLastError();`, and what is done with it alone."""
    tokens, function = code.tokens, code.function_at(at)
    if function is None or tokens[at + 2].text != "=":
        return
    name, found = tokens[at + 1].text, list[tuple[int, int, str]]()
    for place in code.places(name):
        if not function.opening <= place <= function.closing or _is_found(code, place, found):
            continue
        one = _use(code, place)
        if one is None:
            return
        found.append(one)
    for start, end, text in found:
        if text:
            replace(start, end, text)
        else:
            drop(start, end)


def _is_found(code: Code, place: int, found: list[tuple[int, int, str]]) -> bool:
    return any(start <= code.tokens[place].start < end for start, end, _ in found)


def _use(code: Code, place: int) -> tuple[int, int, str] | None:
    """A statement about an error: its place, and what is in its stead."""
    tokens = code.tokens
    if tokens[place + 1].text == "=":
        first = place - 1 if tokens[place - 1].text == "cudaError_t" else place
        closing = code.pairs.get(place + 3)
        known = _ERRORS | _WAITS
        if tokens[place + 2].text not in known or closing is None:
            return None
        if tokens[closing + 1].text != ";" or tokens[first - 1].text not in _BEFORE:
            return None
        text = _WAIT if tokens[place + 2].text in _WAITS else ""
        return tokens[first].start, tokens[closing + 1].end, text
    opening = place - 1 if tokens[place - 1].text == "(" else place - 3
    near = {t.text for t in tokens[place - 2 : place + 3]}
    if tokens[opening].text != "(" or not ({"cudaSuccess", ")"} & near):
        return None
    closing = code.pairs.get(opening)
    if closing is None:
        return None
    if tokens[opening - 1].text != "if":
        made = _statement(code, opening - 1, closing)
        return (*made, "") if made else None
    if "!=" not in near:
        return None
    end = code.pairs.get(closing + 1) if tokens[closing + 1].text == "{" else None
    if end is None:
        end = closing + 1
        while tokens[end].text != ";":
            end = code.pairs.get(end, end) + 1
    if tokens[end + 1].text == "else":
        return None
    return tokens[opening - 1].start, tokens[end].end, ""


def checks(unit: Unit, covered: Callable[[int], bool]) -> Iterator[Edit]:
    """Macros and functions that are about errors of CUDA, where nothing uses them any more."""
    gone: list[Edit] = []
    found = list(_find_error_checks(unit))
    while found:
        unused = [
            one
            for one in found
            if all(
                covered(unit.tokens[k].start)
                or any(_is_within(unit, k, s) for s in (one[1:], *_spans(gone)))
                for k in unit.places(one[0])
            )
        ]
        if not unused:
            break
        gone += [Edit(Span(start, end), b"") for _, start, end in unused]
        found = [one for one in found if one not in unused]
    yield from gone


def _spans(edits: list[Edit]) -> Iterator[tuple[int, int]]:
    for edit in edits:
        yield edit.span.start, edit.span.end


def _is_within(unit: Unit, token: int, span: tuple[int, int]) -> bool:
    return span[0] <= unit.tokens[token].start < span[1]


def _find_error_checks(unit: Unit) -> Iterator[tuple[str, int, int]]:
    tokens, code = unit.tokens, unit.code
    for at in unit.places("#define"):
        inner = {t.text for t in tokens[at + 1 : unit.directive_end(at)]}
        if any(word.startswith(("cuda", "CUDA", "gpu")) for word in inner):
            yield tokens[at + 1].text, tokens[at].start, line_end(unit.data, tokens[at].end)
    for function in code.functions:
        head = {t.text for t in code.tokens[function.head : function.opening]}
        if head & _OF_CHECKS:
            yield _function(code, function)


def _function(code: Code, function: Function) -> tuple[str, int, int]:
    end = code.tokens[function.closing].end
    return function.name, code.tokens[function.head].start, end
