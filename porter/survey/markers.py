"""Byte patterns that tell what a file uses, sought only in code: not in comments or strings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from porter.languages.cython import TEXT
from porter.model import Language


@dataclass(frozen=True, slots=True)
class Marker:
    """A label, the bytes a file must hold for it, and the pattern that decides."""

    label: str
    language: Language
    needle: bytes
    pattern: re.Pattern[bytes]


def _py(label: str, needle: str, pattern: str) -> Marker:
    return Marker(label, Language.PYTHON, needle.encode(), re.compile(pattern.encode(), re.M))


def _cpp(label: str, needle: str, pattern: str) -> Marker:
    return Marker(label, Language.CPP, needle.encode(), re.compile(pattern.encode(), re.M))


def _imports(module: str) -> str:
    return rf"^[ \t]*(?:from|import)[ \t]+(?:[\w. \t]+,[ \t]*)?{module}\b"


REGISTRATION = (
    _cpp("pybind11", "PYBIND11_MODULE", r"\bPYBIND11_MODULE\s*\("),
    _cpp("TORCH_LIBRARY", "TORCH_LIBRARY", r"\b(?:STABLE_)?TORCH_LIBRARY(?:_\w+)?\s*\("),
    _cpp(
        "RegisterOperators",
        "RegisterOperators",
        r"\b(?:torch|c10)\s*::\s*(?:jit\s*::\s*)?RegisterOperators\b",
    ),
    _cpp("torch::class_", "class_", r"\btorch\s*::\s*class_\s*<"),
    _cpp("tvm_ffi", "TVM_FFI_", r"\bTVM_FFI_(?:DLL_EXPORT\w*|STATIC_INIT_BLOCK)\b"),
    _cpp("nanobind", "NB_MODULE", r"\bNB_MODULE\s*\("),
    _cpp("CPython module", "PyMODINIT_FUNC", r"\bPyMODINIT_FUNC\b"),
    _cpp("XLA FFI", "XLA_FFI_", r"\bXLA_FFI_DEFINE_HANDLER"),
    *(
        _py("custom_op", op, rf"\btorch\.library\.{op}\b|^[ \t]*@(?:\w+\.)?{op}\(")
        for op in ("custom_op", "triton_op")
    ),
    _py(
        "torch.library",
        "torch.library",
        r"\btorch\.library\.(?:Library|define|impl|register_\w+)\b|" + _imports(r"torch\.library"),
    ),
    _py("torch.ops.load_library", "load_library", r"\btorch\.(?:ops|classes)\.load_library\s*\("),
    _py("tvm_ffi", "tvm_ffi", _imports("tvm_ffi")),
    _py("ctypes", "ctypes", r"\b(?:ctypes\.(?:CDLL|PyDLL|cdll)|cdll\.LoadLibrary)\b"),
)
# Kernels for NPUs say `__global__` too, and beside it on which of the cores they run.
_CUDA_GLOBAL = r"(?<!__aicore__ )\b__global__\b(?!\s+(?:__(?:aicore|vector|cube|mix)__|AICORE))"
KERNELS = (
    _cpp("cuda", "__global__", _CUDA_GLOBAL),
    _cpp("ascendc", "AscendC", r"\bAscendC\s*::|\busing\s+namespace\s+AscendC\b"),
    _cpp("ascendc", "kernel_operator.h", r"#[ \t]*include[ \t]*[<\"]kernel_operator\.h"),
    _cpp("cutlass", "cutlass", r"#[ \t]*include[ \t]*[<\"]cutlass/"),
    _cpp("cute", "cute/", r"#[ \t]*include[ \t]*[<\"]cute/"),
    _cpp("hip", "hip/", r"#[ \t]*include[ \t]*[<\"]hip/"),
    _py("triton", "triton", _imports("triton")),
    _py("tilelang", "tilelang", _imports("tilelang")),
    _py("cute-dsl", "cutlass", _imports("cutlass")),
    _py("tvm-ffi", "tvm_ffi", _imports("tvm_ffi")),
    _cpp("tvm-ffi", "tvm/ffi", r"#[ \t]*include[ \t]*[<\"]tvm/ffi/"),
    _py(
        "jit-load",
        "cpp_extension",
        r"\bcpp_extension\.load(?:_inline)?\b"
        r"|\bcpp_extension[ \t]+import[^\n]*\bload(?:_inline)?\b",
    ),
    _py("nvrtc", "nvrtc", r"\bnvrtc\b"),
    _cpp("nvrtc", "nvrtc", r"#[ \t]*include[ \t]*[<\"]nvrtc\.h"),
    _py(
        "cuda-python",
        "cuda",
        _imports(r"cuda\.(?:bindings|core|pathfinder|cccl|cooperative|cuda|cudart|nvrtc)")
        + r"|^[ \t]*from[ \t]+cuda[ \t]+import[ \t(]+(?:bindings|core|cuda|cudart|nvrtc)\b",
    ),
    _py("cuda-tile", "cuda.tile", _imports(r"cuda\.tile")),
    _py("cupy", "RawKernel", r"\bRaw(?:Kernel|Module)\s*\("),
    _py("numba-cuda", "numba", _imports(r"numba(?:\.cuda|[ \t]+import[ \t]+cuda)")),
)
_TORCH = _py(
    "torch",
    "torch",
    _imports(r"torch(?:_npu)?")
    + r"|\b(?:importorskip|import_module|__import__|find_spec)\(\s*[\"']torch[\"'.]",
)
TORCH = {
    Language.PYTHON: _TORCH,
    Language.CYTHON: _TORCH,
    Language.NOTEBOOK: Marker(
        "torch", Language.NOTEBOOK, b"torch",
        re.compile(rb'(?:"|\\n)[ \t]*(?:from|import)[ \t]+torch(?:_npu)?\b'),
    ),
    Language.CPP: Marker(
        "torch", Language.CPP, b"",
        re.compile(
            rb"#[ \t]*include[ \t]*[<\"](?:torch(?:_npu)?|ATen|c10|THC?)/"
            rb"|\b(?:STABLE_)?TORCH_LIBRARY|\bTORCH_EXTENSION_NAME\b|\bTORCH_CHECK\b|\b(?:torch|c10)::\w|\bat::Tensor\b"
        ),
    ),
    Language.CMAKE: Marker(
        "torch", Language.CMAKE, b"orch",
        re.compile(rb"(?i:find_package)\s*\(\s*Torch\b|\bTORCH_(?:LIBRARIES|INCLUDE_DIRS|CXX_FLAGS)\b"),
    ),
    Language.TOML: Marker("torch", Language.TOML, b"torch", re.compile(rb"(?!)")),
}  # fmt: skip
_CPP_NEEDLES = (b"torch", b"ATen", b"c10", b"TORCH", b"at::Tensor")


def uses_torch(data: bytes, language: Language) -> bool:
    """Whether a file names torch or its C++ API in code."""
    marker = TORCH[language]
    if language is Language.CPP and not any(needle in data for needle in _CPP_NEEDLES):
        return False
    return present(data, marker)


def labels(data: bytes, language: Language, markers: Iterable[Marker]) -> set[str]:
    """The labels of the markers a file has."""
    return {m.label for m in markers if m.language is language and present(data, m)}


def present(data: bytes, marker: Marker) -> bool:
    """Whether the pattern matches outside comments and strings."""
    if marker.needle not in data:
        return False
    if marker.language is Language.NOTEBOOK:  # all of it is text
        return marker.pattern.search(data) is not None
    inside = _is_in_text if marker.language is Language.PYTHON else _is_in_comment
    return any(not inside(data, match.start()) for match in marker.pattern.finditer(data))


def _is_in_text(data: bytes, offset: int) -> bool:
    """Whether an offset of a Python file lies in a comment or string."""
    texts = takewhile(lambda text: text.start() <= offset, TEXT.finditer(data))
    return any(text.end() > offset for text in texts)


def _is_in_comment(data: bytes, offset: int) -> bool:
    """Whether an offset of a C++ or CMake file lies in a comment, judged by its line."""
    start = data.rfind(b"\n", 0, offset) + 1
    line = data[start:offset]
    if b"//" in line or line.lstrip().startswith((b"*", b"/*")):
        return True
    opened = data.rfind(b"/*", 0, start)
    return opened != -1 and data.find(b"*/", opened, offset) == -1
