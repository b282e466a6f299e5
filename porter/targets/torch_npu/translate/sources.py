"""A CUDA source as one in Ascend C: its kernels translated, its host side for torch_npu."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from porter.languages.cpp import Function, Kind, Unit, parse
from porter.languages.cpp_tokens import line_end
from porter.languages.edits import splice
from porter.targets.torch_npu.translate import host
from porter.targets.torch_npu.translate.device import device_functions
from porter.targets.torch_npu.translate.editor import Editor
from porter.targets.torch_npu.translate.headers import Near, merge_headers
from porter.targets.torch_npu.translate.kernels import Kernel, kernels
from porter.targets.torch_npu.translate.launches import drop_statements, launches
from porter.targets.torch_npu.translate.prelude import NAMESPACE, prelude
from porter.targets.torch_npu.translate.syntax import WIDE

_HEADERS = re.compile(
    r"(?:c10|ATen|torch/csrc)/cuda/|cuda(?:_\w+|)\.h$|cuda\.h$|device_launch_parameters\.h$"
)
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
// Its launch raises an error until you write the computation of a tile here.
__global__ __aicore__ void {name}({parameters}) {{
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
class Refused:
    """A kernel that is not translated: where it is, and why and at which line of which file."""

    name: str
    path: str
    start: int
    end: int
    reason: str
    file: str
    line: int


class Translation:
    """A source with headers of its repository, for the NPU: what is asked of it is made."""

    def __init__(self, path: str, data: bytes, near: Near) -> None:
        self._path, self._data, self._near = path, data, near
        self._whole = merge_headers(path, data, near)
        self._unit = parse(self._whole.data, path)
        self._kernels = tuple(kernels(self._unit))

    @cached_property
    def refused(self) -> tuple[Refused, ...]:
        """The kernels that are skeletons there."""
        return tuple(self._refusal_of(kernel) for kernel in self._kernels if not kernel.text)

    @cached_property
    def left(self) -> tuple[tuple[str, str, int], ...]:
        """What of the host side is left: name, file and line."""
        return self._made[1]

    @cached_property
    def data(self) -> bytes:
        return self._made[0]

    @cached_property
    def _made(self) -> tuple[bytes, tuple[tuple[str, str, int], ...]]:
        unit, found = self._unit, self._kernels
        editor = Editor(unit)
        for kernel in found:
            made = f"{kernel.text}\n{kernel.launch}"
            text = made if kernel.text else _skeleton(kernel, self._where)
            editor.replace(kernel.start, kernel.end, text.rstrip("\n"))
        left = tuple((name, *self._where(line)) for name, line in _host_side(editor, found))
        first = next((t.start for t in unit.tokens if t.text == "#include"), 0)
        at = unit.line_start(first).start
        editor.replace(at, at, prelude([(k.text, k.launch) for k in found], left))
        return splice(unit.data, set(editor.edits)), left

    def _where(self, line: int) -> tuple[str, int]:
        file, first = self._whole.place(self._unit.offset(line))
        text = self._data if file == self._path else self._near(file) or b""
        return file, text.count(b"\n", 0, first) + 1

    def _refusal_of(self, kernel: Kernel) -> Refused:
        own, start = self._whole.place(kernel.start)
        end, at = start + kernel.end - kernel.start, self._where(kernel.reason_line)
        return Refused(kernel.name, own, start, end, kernel.reason, *at)


def translate(path: str, data: bytes, near: Near) -> Translation:
    """A source of CUDA as one in Ascend C for torch_npu; `near` gives a file of the repository by
    its path."""
    return Translation(path, data, near)


def _host_side(editor: Editor, found: Sequence[Kernel]) -> list[tuple[str, int]]:
    """Edit what is not in kernels; return what is of CUDA still, and its line."""
    unit = editor.unit
    for function in (*device_functions(unit), *_find_declarations(unit, found)):
        end = unit.code.tokens[function.closing].end
        editor.drop(unit.code.tokens[function.head].start, end)
    streams = launches(editor, {kernel.name: kernel for kernel in found})
    drop_statements(editor, streams)
    host.errors(unit.code, editor.drop, editor.replace)
    _guards(editor)
    _streams(editor)
    _names(editor)
    _macros(editor)
    _includes(editor)
    _drop_unused(editor)
    return list(_find_cuda_names(editor))


def _find_declarations(unit: Unit, found: Sequence[Kernel]) -> Iterator[Function]:
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
        path=posixpath.basename(path),
        line=line,
        reason=kernel.reason,
        at=at,
        parameters=", ".join([*pointers, "int64_t length_"]),
    )


def _includes(editor: Editor) -> None:
    unit = editor.unit
    for at in unit.places("#include"):
        header = unit.tokens[at + 1]
        if header.kind is Kind.HEADER and _HEADERS.search(header.text[1:-1]):
            editor.drop(unit.tokens[at].start, header.end)


def _streams(editor: Editor) -> None:
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


def _drop_unused(editor: Editor) -> None:
    """Macros and functions that nothing uses any more."""
    for edit in list(host.checks(editor.unit, editor.covers)):
        inner = range(edit.span.start, edit.span.end)
        editor.edits = [e for e in editor.edits if e.span.start not in inner]
        editor.drop(edit.span.start, edit.span.end)


def _macros(editor: Editor) -> None:
    """`#define`s about threads, which kernels alone use, are dropped."""
    unit = editor.unit
    for at in unit.places("#define"):
        start = unit.tokens[at].start
        end = line_end(unit.data, start)
        words = re.findall(rb"\w+", unit.data[start:end])
        if any(word.decode("latin-1") in _THREADS for word in words):
            editor.drop(start, end)


def _guards(editor: Editor) -> None:
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


def _names(editor: Editor) -> None:
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


def _find_cuda_names(editor: Editor) -> Iterator[tuple[str, int]]:
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
