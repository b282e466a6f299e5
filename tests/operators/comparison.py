"""Whether an answer is torch's: by the tolerances of torch.testing.assert_close."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import repeat
from typing import Any

import numpy as np

from tests.operators.calls import Answer, Array, Named

# relative, absolute: those of torch.testing.assert_close; other dtypes are compared exactly
TOLERANCES = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "complex64": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex128": (1e-7, 1e-7),
}
# Vectors up to a factor of absolute value 1: that is what is compared.
UP_TO_SIGN = ("eig", "eigh", "svd", "qr", "svd_lowrank", "pca_lowrank")


class Outcome(StrEnum):
    SAME = "same"
    STRIDES = "strides"  # the same, and laid out otherwise
    DIFFERENT = "different"
    RAISES = "raises"


def compare(name: str, expected: Answer, got: Answer) -> tuple[Outcome, str]:
    """What became of a call of a function, and how it differs."""
    if expected.error or (got.error and not got.error.startswith("gradient: ")):
        if got.error.partition(":")[0] == expected.error:
            return Outcome.SAME, ""
        return (
            (Outcome.DIFFERENT, f"{got.error or 'no error'}, not {expected.error}")
            if expected.error
            else (Outcome.RAISES, got.error)
        )
    part = name.rpartition(".")[2] in UP_TO_SIGN
    for difference in differences(expected.value, got.value, expected.free, part):
        return Outcome.DIFFERENT, difference
    if expected.grads is not None:
        if got.error:
            return Outcome.RAISES, got.error
        for right, given in zip(expected.grads, got.grads or repeat(None), strict=False):
            # What has no gradient has one of zeros.
            if (right, given).count(None) == 1 and not np.any((right or given).values):
                continue
            for difference in differences(right, given, False, False):
                return Outcome.DIFFERENT, f"gradient: {difference}"
    laid_out = _strides(expected.value) == _strides(got.value)
    return (Outcome.SAME if laid_out else Outcome.STRIDES), ""


def differences(expected: Any, got: Any, free: bool, up_to_sign: bool) -> Iterator[str]:
    """How a value differs, in words."""
    if isinstance(expected, Array) and isinstance(got, Array):
        yield from _of_arrays(expected, got, free, up_to_sign)
    elif _kind(expected) != _kind(got):
        yield f"is {_kind(got)}, not {_kind(expected)}"
    elif isinstance(expected, list | tuple):
        if len(expected) != len(got):
            yield f"has {len(got)} parts, not {len(expected)}"
        for one, other in zip(expected, got, strict=False):
            yield from differences(one, other, free, up_to_sign)
    elif not free and not _is_close(expected, got):
        yield f"is {got}, not {expected}"


def _is_close(expected: Any, got: Any) -> bool:
    if isinstance(expected, float | complex):
        return bool(np.isclose(got, expected, 1e-7, 1e-7, equal_nan=True))
    return not isinstance(expected, bool | int | str | Named) or bool(expected == got)


def _kind(value: Any) -> str:
    if isinstance(value, Array):
        return "a tensor"
    if isinstance(value, Named):
        return f"a {value.kind}"
    return type(value).__name__


def _of_arrays(expected: Array, got: Array, free: bool, up_to_sign: bool) -> Iterator[str]:
    if expected.dtype != got.dtype:
        yield f"dtype {got.dtype}, not {expected.dtype}"
        return
    if expected.shape != got.shape:
        yield f"shape {list(got.shape)}, not {list(expected.shape)}"
        return
    if free:
        return
    right, found = expected.values, got.values
    if up_to_sign:
        right, found = np.abs(right), np.abs(found)
    relative, absolute = TOLERANCES.get(expected.dtype, (0.0, 0.0))
    wide = np.complex128 if np.iscomplexobj(right) else np.float64
    if relative:
        right, found = right.astype(wide), found.astype(wide)
        with np.errstate(all="ignore"):
            close = np.isclose(found, right, relative, absolute, equal_nan=True)
    else:
        close = right == found
    if not np.all(close):
        at = tuple(int(n) for n in np.argwhere(~np.asarray(close))[0])
        count = int(np.size(close) - np.count_nonzero(close))
        yield f"value {found[at]:.6g}, not {right[at]:.6g} ({count} of {np.size(close)})"


def _strides(value: Any) -> Any:
    """The strides of the tensors in a value, where they say where an element lies."""
    if isinstance(value, Array):
        pairs = zip(value.shape, value.strides, strict=True)
        return [] if 0 in value.shape else [step for length, step in pairs if length > 1]
    if isinstance(value, list | tuple):
        return [_strides(item) for item in value]
    return None
