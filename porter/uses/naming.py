"""Whether the bytes of a file name torch at all, in code or not."""

from __future__ import annotations

import re

from porter.model import Language

_CPP = re.compile(rb"\b(?:at\s*::|c10|ATen|AT_|C10_|CUDA_KERNEL_)")
_CPP_WORDS = (b"c10", b"ATen", b"AT_", b"C10_", b"CUDA_KERNEL_")  # found faster than the pattern
_CPP_SPACE = re.compile(rb"at\s*::")
_CMAKE = re.compile(rb"(?i:torch)|ATEN|C10")


def names_torch_in(data: bytes, language: Language) -> bool:
    if language is Language.CMAKE:
        return _CMAKE.search(data) is not None
    if language is not Language.CPP:
        return b"torch" in data
    if b"torch" in data.lower():
        return True
    some = any(word in data for word in _CPP_WORDS)
    return (some or _CPP_SPACE.search(data) is not None) and _CPP.search(data) is not None
