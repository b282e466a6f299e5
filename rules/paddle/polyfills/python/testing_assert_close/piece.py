import collections.abc

import numpy
import paddle

from .noted import _note

# (rtol, atol); a dtype that is not here is compared for equality
_TOLERANCES = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}
_ROUGH = {  # of assert_allclose
    "float16": (1e-3, 1e-3),
    "bfloat16": (1e-3, 1e-3),
    "float32": (1e-4, 1e-5),
    "float64": (1e-5, 1e-8),
}
_SCALARS = ((int, "int64"), (float, "float64"), (complex, "complex128"))


def assert_close(
    actual,
    expected,
    *,
    allow_subclasses=True,
    rtol=None,
    atol=None,
    equal_nan=False,
    check_device=True,
    check_dtype=True,
    check_layout=True,
    check_stride=False,
    msg=None,
):
    """AssertionError unless `actual` and `expected` are close: tensors, numbers, collections."""
    __tracebackhide__ = True
    _note("torch.testing.assert_close")
    if (rtol is None) != (atol is None):
        lacking = "rtol" if rtol is None else "atol"
        raise ValueError(
            f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {lacking}."
        )
    checks = {
        "subclasses": allow_subclasses,
        "tolerances": None if rtol is None else (rtol, atol),
        "equal_nan": equal_nan,
        "device": check_device,
        "dtype": check_dtype,
        "layout": check_layout,
        "stride": check_stride,
    }
    problems = [
        text + (f"\n\nThe failure occurred for item {''.join(map(_index, path))}" if path else "")
        for path, text in _differences(actual, expected, checks, ())
    ]
    if problems:
        text = "\n\n".join(problems)
        raise AssertionError(msg(text) if callable(msg) else msg or text)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """assert_close of values alone, with rougher tolerances."""
    __tracebackhide__ = True
    if not isinstance(actual, paddle.Tensor):
        actual = paddle.to_tensor(actual)
    if not isinstance(expected, paddle.Tensor):
        expected = paddle.to_tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        dtypes = [str(t.dtype).rpartition(".")[2] for t in (actual, expected)]
        rtol, atol = _roughest(_ROUGH, dtypes)
    options = {"equal_nan": equal_nan, "check_dtype": False, "msg": msg or None}
    assert_close(actual, expected, rtol=rtol, atol=atol, **options)


def _index(key):
    return f"[{key!r}]"


def _differences(actual, expected, checks, path):
    """(path, message) of everything that is not close, collections taken apart."""
    if _both(actual, expected, collections.abc.Sequence) and not (
        isinstance(actual, str) or isinstance(expected, str)
    ):
        if len(actual) != len(expected):
            yield (
                path,
                f"The length of the sequences mismatch: {len(actual)} != {len(expected)}",
            )
            return
        for key, pair in enumerate(zip(actual, expected, strict=True)):
            yield from _differences(*pair, checks, (*path, key))
    elif _both(actual, expected, collections.abc.Mapping):
        missing = sorted(expected.keys() - actual.keys(), key=str)
        added = sorted(actual.keys() - expected.keys(), key=str)
        if missing or added:
            yield (
                path,
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {missing}\n"
                f"Additional keys in the actual mapping: {added}",
            )
            return
        for key in sorted(actual, key=str):
            yield from _differences(actual[key], expected[key], checks, (*path, key))
    else:
        text = _difference(actual, expected, checks)
        if text:
            yield path, text


def _both(actual, expected, kind):
    return isinstance(actual, kind) and isinstance(expected, kind)


def _difference(actual, expected, checks):
    """What differs between two leaves, or None. Raises TypeError for what cannot be compared."""
    if actual is None or expected is None:
        return None if actual is expected else f"None mismatch: {actual} is not {expected}"
    if _both(actual, expected, bool | numpy.bool_):
        same = bool(actual) is bool(expected)
        return None if same else f"Booleans mismatch: {bool(actual)} is not {bool(expected)}"
    if _both(actual, expected, int | float | complex | numpy.number):
        return _compare_numbers(actual, expected, checks)
    related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    same_type = type(actual) is type(expected)
    if (
        not (related and (same_type or checks["subclasses"]))
        or isinstance(actual, str)
        or not isinstance(actual, paddle.Tensor | numpy.ndarray)
    ):
        raise TypeError(
            "No comparison pair was able to handle inputs of type "
            f"{type(actual)} and {type(expected)}."
        )
    return _compare_tensors(_as_tensor(actual), _as_tensor(expected), checks)


def _as_tensor(value):
    return value.detach() if isinstance(value, paddle.Tensor) else paddle.to_tensor(value)


def _compare_numbers(actual, expected, checks):
    actual, expected = (v.item() if isinstance(v, numpy.number) else v for v in (actual, expected))
    if checks["dtype"] and type(actual) is not type(expected):
        return f"The (d)types do not match: {type(actual)} != {type(expected)}."
    dtypes = [next(d for kind, d in _SCALARS if isinstance(v, kind)) for v in (actual, expected)]
    pair = numpy.asarray(actual), numpy.asarray(expected)
    return _compare_values(*pair, _tolerances(dtypes, checks), checks["equal_nan"])


def _compare_tensors(actual, expected, checks):
    asked = {
        "shape": (True, lambda t: tuple(t.shape)),
        "device": (checks["device"], lambda t: str(t.place)),
        "layout": (checks["layout"], lambda t: "sparse" if t.is_sparse() else "strided"),
        "dtype": (checks["dtype"], lambda t: t.dtype),
        "stride()": (checks["stride"], lambda t: tuple(t.strides)),
    }
    for name, (wanted, read) in asked.items():
        ours, theirs = read(actual), read(expected)
        if wanted and ours != theirs:
            ours, theirs = _shown(name, ours), _shown(name, theirs)
            return f"The values for attribute '{name}' do not match: {ours} != {theirs}."
    dtypes = [str(t.dtype).rpartition(".")[2] for t in (actual, expected)]
    values = _numpy(actual), _numpy(expected)
    return _compare_values(*values, _tolerances(dtypes, checks), checks["equal_nan"])


def _shown(attribute, value):
    if attribute == "shape":
        return f"torch.Size({list(value)})"
    return str(value).replace("paddle.", "torch.")


def _numpy(tensor):
    if tensor.is_sparse():
        tensor = tensor.to_dense()
    tensor = tensor.cpu()
    if "bfloat16" in str(tensor.dtype) or "float8" in str(tensor.dtype):
        tensor = tensor.astype("float32")
    return tensor.numpy()


def _tolerances(dtypes, checks):
    if checks["tolerances"] is not None:
        return checks["tolerances"]
    return _roughest(_TOLERANCES, dtypes)


def _roughest(known, dtypes):
    pairs = [known.get(dtype, (0.0, 0.0)) for dtype in dtypes]
    return max(rtol for rtol, _ in pairs), max(atol for _, atol in pairs)


def _compare_values(actual, expected, tolerances, equal_nan):
    """The message of torch about two arrays of one shape, or None where they are close."""
    rtol, atol = tolerances
    if actual.dtype.kind in "bui" and expected.dtype.kind in "bui":
        actual, expected = actual.astype("int64"), expected.astype("int64")
    actual, expected = numpy.asarray(actual), numpy.asarray(expected)
    with numpy.errstate(all="ignore"):
        difference = numpy.abs(actual - expected)
        allowed = atol + numpy.abs(rtol * expected)
        close = (actual == expected) | (numpy.isfinite(difference) & (difference <= allowed))
        if equal_nan:
            close |= numpy.isnan(actual) & numpy.isnan(expected)
        if close.all():
            return None
        relative = difference / numpy.abs(expected)
    exact = rtol == 0 and atol == 0
    if actual.ndim == 0:
        return _scalar_message(actual, expected, difference, relative, exact, (rtol, atol))
    count = int((~close).sum())
    share = 100 * count / actual.size
    lines = [
        f"Tensor-likes are not {'equal' if exact else 'close'}!\n",
        f"Mismatched elements: {count} / {actual.size} ({share:.1f}%)",
        _greatest("absolute", difference, close, None if exact else atol),
        _greatest("relative", relative, close, None if exact else rtol),
    ]
    return "\n".join(lines)


def _scalar_message(actual, expected, difference, relative, exact, tolerances):
    rtol, atol = tolerances
    limits = ["", ""] if exact else [f" (up to {atol} allowed)", f" (up to {rtol} allowed)"]
    return (
        f"Scalars are not {'equal' if exact else 'close'}!\n\n"
        f"Expected {expected.item()} but got {actual.item()}.\n"
        f"Absolute difference: {difference.item()}{limits[0]}\n"
        f"Relative difference: {relative.item()}{limits[1]}"
    )


def _greatest(kind, values, close, allowed):
    masked = numpy.where(close, 0, values)
    at = numpy.unravel_index(numpy.argmax(masked), masked.shape)
    limit = "" if allowed is None else f" (up to {allowed} allowed)"
    place = tuple(int(i) for i in at)
    return f"Greatest {kind} difference: {masked[at].item()} at index {place}{limit}"
