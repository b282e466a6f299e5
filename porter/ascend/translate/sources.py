"""A CUDA source as one in Ascend C: its kernels translated, its host side for torch_npu."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from porter.ascend.translate import aclnn, host, row_text
from porter.ascend.translate.emit import HELPERS, NAMESPACE
from porter.ascend.translate.headers import merged
from porter.ascend.translate.kernels import Kernel, device_functions, kernels
from porter.ascend.translate.syntax import WIDE
from porter.languages.cpp import Code, Function, Kind, Unit, parse
from porter.languages.edits import splice
from porter.model import Edit, Span

_INCLUDES = """\
#include <algorithm>
#include <type_traits>

#include <ATen/ATen.h>

#include "acl/acl.h"
#include "kernel_operator.h"
#include "torch_npu/csrc/core/npu/NPUFunctions.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"
#include "torch_npu/csrc/framework/OpCommand.h"
"""
_REFUSE = f"""
namespace {NAMESPACE} {{
// A kernel that is still to be written.
inline void not_translated(const char *name, const char *reason) {{
    TORCH_CHECK_NOT_IMPLEMENTED(false, name, " is not translated for an NPU: ", reason);
}}
}}  // namespace {NAMESPACE}
"""
_HEADERS = re.compile(
    r"(?:c10|ATen|torch/csrc)/cuda/|cuda(?:_\w+|)\.h$|cuda\.h$|device_launch_parameters\.h$"
)
_ERRORS = frozenset(("cudaGetLastError", "cudaPeekAtLastError"))
_RENAMED = {
    "is_cuda": "is_privateuseone",
    "kCUDA": "kPrivateUse1",
    "cudaStream_t": "aclrtStream",
    "RestrictPtrTraits": "DefaultPtrTraits",
    "float4": "float",
    "float2": "float",
    "half2": "half",
    "__half2": "half",
    "__half": "half",
    "__nv_bfloat16": "bfloat16_t",
    "nv_bfloat16": "bfloat16_t",
    "dim3": f"{NAMESPACE}::Dim",
    "__host__": "",
    "__device__": "",
    "__forceinline__": "inline",
}
_OF_TYPE = ["type", "(", ")", "."]
_KEYS = {"CUDA": "PrivateUse1", "AutogradCUDA": "AutogradPrivateUse1"}
_THREADS = frozenset(("threadIdx", "blockIdx", "blockDim", "gridDim"))
_OF_CUDA = re.compile(
    r"cuda[A-Z_]\w*|CUDA[A-Z]\w*|OptionalCUDA\w+|cu(?:blas|rand|sparse|fft|dnn|solver)\w*"
    r"|__(?:global|device|shared|host|constant|launch_bounds|syncthreads)__|getCurrentCUDA\w*"
    r"|threadIdx|blockIdx|blockDim|gridDim|<<<"
)
_SKELETON = """\
// TODO(porter): `{name}` of {path}:{line} is not translated: {reason} (line {at}).
// Its launch raises until what each tile is computed to is written here.
{template}__global__ __aicore__ void {name}({parameters}) {{
    using namespace AscendC;
    constexpr int64_t tile_ = 2048;
    for (int64_t at_ = int64_t(GetBlockIdx()) * tile_; at_ < length_;
         at_ += int64_t(GetBlockNum()) * tile_) {{
        const int64_t count_ = length_ - at_ < tile_ ? length_ - at_ : tile_;
        (void)count_;  // TODO(porter): copy in `count_` elements from `at_` on, compute, copy out
    }}
}}
"""


@dataclass(frozen=True, slots=True)
class Translation:
    """The source for the NPU, its kernels, and what of the host side is left: name, file and
    line."""

    data: bytes
    kernels: tuple[Kernel, ...]
    left: tuple[tuple[str, str, int], ...]


@dataclass(slots=True)
class _Editor:
    unit: Unit
    edits: list[Edit] = field(default_factory=list)

    def replace(self, start: int, end: int, text: str) -> None:
        self.edits.append(Edit(Span(start, end), self.unit.encode(text)))

    def covers(self, at: int) -> bool:
        return any(edit.span.start <= at < edit.span.end for edit in self.edits)

    def drop(self, start: int, end: int) -> None:
        """Without the line, where nothing else is on it."""
        data = self.unit.data
        first = data.rfind(b"\n", 0, start) + 1
        last = data.find(b"\n", end)
        last = len(data) if last < 0 else last + 1
        if not data[first:start].strip() and not data[end:last].strip():
            start, end = first, last
        self.edits.append(Edit(Span(start, end), b""))


def translate(path: str, data: bytes, near: Callable[[str], bytes | None]) -> Translation:
    """A `.cu` for the NPU; `near` gives a header of the repository by its path."""
    whole = merged(path, data, near)
    unit = parse(whole.data, path)

    def where(line: int) -> tuple[str, int]:
        file, first = whole.place(unit.offset(line))
        text = data if file == path else near(file) or b""
        return posixpath.basename(file), text.count(b"\n", 0, first) + 1

    found = tuple(kernels(unit))
    editor = _Editor(unit)
    for kernel in found:
        text = f"{kernel.text}\n{kernel.launch}" if kernel.text else _skeleton(kernel, where)
        editor.replace(kernel.start, kernel.end, text.rstrip("\n"))
    for function in (*device_functions(unit), *_declared(unit, found)):
        end = unit.code.tokens[function.closing].end
        editor.drop(unit.code.tokens[function.head].start, end)
    streams = _launches(editor, {kernel.name: kernel for kernel in found})
    _statements(editor, streams)
    host.errors(unit.code, editor.drop, editor.replace)
    _guards(editor)
    _streams(editor)
    _names(editor)
    _macros(editor)
    _includes(editor)
    _unused(editor)
    left = [(name, *where(line)) for name, line in _left(editor)]
    _prelude(editor, found, left)
    return Translation(splice(whole.data, set(editor.edits)), found, tuple(left))


def _declared(unit: Unit, found: Sequence[Kernel]) -> Iterator[Function]:
    """Declarations of kernels that the file defines."""
    names = {kernel.name for kernel in found}
    for function in unit.code.declared:
        words = {t.text for t in unit.code.tokens[function.head : function.opening]}
        if function.name in names and "__global__" in words:
            yield function


def _skeleton(kernel: Kernel, where: Callable[[int], tuple[str, int]]) -> str:
    (path, line), (_, at) = where(kernel.line), where(kernel.reason_line)
    pointers = [f"GM_ADDR {p.name}" for p in kernel.parameters if p.pointer]
    return _SKELETON.format(
        name=kernel.name,
        path=path,
        line=line,
        reason=kernel.reason,
        at=at,
        template="",
        parameters=", ".join([*pointers, "int64_t length_"]),
    )


def _prelude(
    editor: _Editor, found: Sequence[Kernel], left: Sequence[tuple[str, str, int]]
) -> None:
    refused = any(not kernel.text for kernel in found)
    by_rows = any(f"{NAMESPACE}::first(" in kernel.text for kernel in found)
    unit = editor.unit
    first = next((t.start for t in unit.tokens if t.text == "#include"), 0)
    at = unit.line_start(first).start
    errors = "".join(
        f'#error "TODO(porter): line {line} of {own}: {name} is of CUDA"\n'
        for name, own, line in left
    )
    by_operators = any("EXEC_NPU_CMD_EXT(" in kernel.launch for kernel in found)
    includes = _INCLUDES
    if by_operators:
        names = '#include "torch_npu/csrc/aten/common/from_blob.h"\n'
        includes = _INCLUDES.replace(
            '#include "torch_npu', f'{aclnn.INCLUDE}#include "torch_npu', 1
        )
        includes = includes.replace(
            '#include "torch_npu/csrc/core', f'{names}#include "torch_npu/csrc/core', 1
        )
    helpers = HELPERS + (aclnn.HELPERS if by_operators else "")
    helpers += (row_text.HELPERS if by_rows else "") + (_REFUSE if refused else "")
    text = f"{errors}{includes}\n{helpers}\n"
    editor.edits.append(Edit(Span(at, at), unit.encode(text)))


def _includes(editor: _Editor) -> None:
    unit = editor.unit
    for at in unit.places("#include"):
        header = unit.tokens[at + 1]
        if header.kind is Kind.HEADER and _HEADERS.search(header.text[1:-1]):
            editor.drop(unit.tokens[at].start, header.end)


def _streams(editor: _Editor) -> None:
    """Streams that are handed around: launches take the current one, which these are."""
    code = editor.unit.code
    tokens = code.tokens
    for at in code.places("getCurrentCUDAStream"):
        first, closing = at, code.pairs.get(at + 1)
        if closing is None or editor.covers(tokens[at].start):
            continue
        while tokens[first - 1].text == "::":
            first -= 2
        last = closing
        if [t.text for t in tokens[closing + 1 : closing + 5]] == [".", "stream", "(", ")"]:
            last = closing + 4
        text = "c10_npu::getCurrentNPUStream().stream(false)"
        editor.replace(tokens[first].start, tokens[last].end, text)


def _unused(editor: _Editor) -> None:
    """Macros and functions that nothing uses any more."""
    for edit in list(host.checks(editor.unit, editor.covers)):
        inner = range(edit.span.start, edit.span.end)
        editor.edits = [e for e in editor.edits if e.span.start not in inner]
        editor.drop(edit.span.start, edit.span.end)


def _macros(editor: _Editor) -> None:
    """`#define`s about threads, which kernels alone use, are dropped."""
    unit = editor.unit
    for at in unit.places("#define"):
        start = unit.tokens[at].start
        end = _logical_end(unit.data, start)
        words = re.findall(rb"\w+", unit.data[start:end])
        if any(word.decode("latin-1") in _THREADS for word in words):
            editor.drop(start, end)


def _logical_end(data: bytes, at: int) -> int:
    while True:
        end = data.find(b"\n", at)
        if end < 0:
            return len(data)
        if not data[at:end].rstrip(b"\r").endswith(b"\\"):
            return end
        at = end + 1


def _launches(editor: _Editor, known: dict[str, Kernel]) -> set[str]:
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


def _statements(editor: _Editor, streams: set[str]) -> None:
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
        function = code.inside(at)
        if not equals or function is None or name.text not in streams:
            continue
        uses = (k for k in range(function.opening, function.closing) if tokens[k].text == name.text)
        if all(first <= k <= last or editor.covers(tokens[k].start) for k in uses):
            editor.drop(tokens[first].start, tokens[last].end)


def _guards(editor: _Editor) -> None:
    """`CUDAGuard guard(x.device())`: any device's."""
    code = editor.unit.code
    tokens = code.tokens
    for at in code.places("CUDAGuard", "OptionalCUDAGuard"):
        first = at
        while tokens[first - 1].text == "::":
            first -= 2
        opening = at + 2
        closing = code.pairs.get(opening)
        if tokens[at + 1].kind is not Kind.NAME or closing is None:
            continue
        words = [t.text for t in tokens[opening + 1 : closing]]
        if words[-3:] == ["get_device", "(", ")"]:
            editor.replace(tokens[closing - 3].start, tokens[closing - 3].end, "device")
        elif words[-3:] != ["device", "(", ")"] and words[:1] not in (["device_of"], ["at"]):
            continue
        editor.replace(tokens[first].start, tokens[at].end, "c10::OptionalDeviceGuard")


def _names(editor: _Editor) -> None:
    unit = editor.unit
    tokens = unit.tokens
    for at in unit.places(*_RENAMED):
        token, after = tokens[at], tokens[at + 1 : at + 2]
        if editor.covers(token.start):
            continue
        if token.text in WIDE and [t.text for t in after] != ["*"]:
            continue  # of another size than what it points to
        new = _RENAMED[token.text]
        start, end = token.start, token.end if new or not after else after[0].start
        if token.text == "is_cuda" and [t.text for t in tokens[at - 4 : at]] == _OF_TYPE:
            start = tokens[at - 4].start  # x.type().is_cuda(): types are not asked for others
        editor.replace(start, end, new)
    for at in unit.places("DeviceType", "DispatchKey"):
        if at + 2 < len(tokens) and tokens[at + 2].text in _KEYS:
            editor.replace(tokens[at + 2].start, tokens[at + 2].end, _KEYS[tokens[at + 2].text])
    for at in unit.places("TORCH_LIBRARY_IMPL"):
        given = unit.arguments(at + 1) if tokens[at + 1].text == "(" else None
        if given and len(given[0]) == 3 and tokens[given[0][1][0]].text in _KEYS:
            key = tokens[given[0][1][0]]
            editor.replace(key.start, key.end, _KEYS[key.text])


def _left(editor: _Editor) -> Iterator[tuple[str, int]]:
    """What is of CUDA still, once each."""
    unit, seen = editor.unit, set()
    tokens = unit.tokens
    for at, token in enumerate(tokens):
        if token.kind in (Kind.STRING, Kind.HEADER) or token.text in seen:
            continue
        inner = token.text == "cuda" and at > 1 and tokens[at - 1].text == "::"
        inner = inner and tokens[at - 2].text in ("at", "c10")
        if (inner or _OF_CUDA.fullmatch(token.text)) and not editor.covers(token.start):
            seen.add(token.text)
            yield token.text, unit.position(token.start)[0]
