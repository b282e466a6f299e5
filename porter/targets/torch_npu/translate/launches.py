"""Launches of kernels as calls, and the checks and streams around them."""

from __future__ import annotations

from porter.languages.cpp import Code, Kind
from porter.targets.torch_npu.translate.editor import Editor
from porter.targets.torch_npu.translate.kernels import Kernel
from porter.targets.torch_npu.translate.prelude import NAMESPACE

_ERRORS = frozenset(("cudaGetLastError", "cudaPeekAtLastError"))


def launches(editor: Editor, known: dict[str, Kernel]) -> set[str]:
    """The names of the streams of the launches, which are made calls."""
    code, streams = editor.unit.code, set()
    for at in code.places("<<<"):
        end = next((k for k in range(at, len(code.tokens)) if code.tokens[k].text == ">>>"), None)
        if end is None or code.tokens[end + 1].text != "(" or editor.covers(code.tokens[at].start):
            continue
        name = _callee(code, at)
        given = _split(code, at + 1, end)
        if name is None or code.tokens[name].text not in known or len(given) < 2:
            continue
        tokens, closing = code.tokens, code.pairs.get(end + 1)
        if closing is None:
            continue
        if len(given) == 4 and given[3][0] == given[3][1]:
            streams.add(tokens[given[3][0]].text)
        kernel = known[tokens[name].text]
        if not kernel.text:
            reason = kernel.reason.replace("\\", "").replace('"', "'")
            first = name
            while tokens[first - 1].text == "::":
                first -= 2
            call = f'{NAMESPACE}::not_translated("{kernel.name}", "{reason}")'
            editor.replace(tokens[first].start, tokens[closing].end, call)
            continue
        grid, block = (
            code.unit.data[tokens[a].start : tokens[b].end].decode() for a, b in given[:2]
        )
        editor.replace(tokens[name].start, tokens[name].start, "launch_")
        comma = "" if closing == end + 2 else ","
        if comma and tokens[end + 2].start == tokens[end + 1].end:
            comma += " "
        editor.replace(tokens[at].start, tokens[end + 1].end, f"({grid}, {block}{comma}")
    return streams


def _callee(code: Code, at: int) -> int | None:
    """The token that is the kernel's name, before `<<<`."""
    place = at - 1
    if code.tokens[place].text == ">":
        depth = 0
        while place > 0:
            depth += {">": 1, ">>>": 3, "<": -1}.get(code.tokens[place].text, 0)
            if depth == 0:
                break
            place -= 1
        place -= 1
    return place if code.tokens[place].kind is Kind.NAME else None


def _split(code: Code, first: int, end: int) -> list[tuple[int, int]]:
    out, at, begin = [], first, first
    while at < end:
        if code.tokens[at].text == ",":
            out.append((begin, at - 1))
            begin = at + 1
        at = code.pairs.get(at, at) + 1
    return [*out, (begin, end - 1)]


def drop_statements(editor: Editor, streams: set[str]) -> None:
    """Checks of launches, and streams that only launches take, are dropped."""
    code = editor.unit.code
    tokens = code.tokens
    for at in code.places("C10_CUDA_KERNEL_LAUNCH_CHECK", *_ERRORS):
        first, last = at, code.pairs.get(at + 1, -1)
        if tokens[at].text in _ERRORS and tokens[at - 1].text == "(":
            first, last = at - 2, code.pairs.get(at - 1, -1)
        if last > 0 and tokens[last + 1].text == ";" and tokens[first - 1].text in (";", "{", "}"):
            editor.drop(tokens[first].start, tokens[last + 1].end)
    for at in code.places("getCurrentCUDAStream"):
        first = at
        while tokens[first - 1].text not in (";", "{", "}"):
            first -= 1
        last = at
        while tokens[last].text != ";":
            last += 1
        equals = [k for k in range(first, at) if tokens[k].text == "="]
        name = tokens[equals[0] - 1] if equals else tokens[first]
        function = code.function_at(at)
        if not equals or function is None or name.text not in streams:
            continue
        uses = (k for k in range(function.opening, function.closing) if tokens[k].text == name.text)
        if all(first <= k <= last or editor.covers(tokens[k].start) for k in uses):
            editor.drop(tokens[first].start, tokens[last].end)
