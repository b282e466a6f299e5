import contextlib
import math

import numpy
import paddle

from .methods_of_tensors import _ScopedMethod, _members
from .nodes_of_graphs import _node_of_result
from .overrides import _register

_PARAMETER = paddle.base.framework.EagerParamBase
_USUAL_OPTIONS = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}
_PRINT_PROFILES = {
    "default": {},
    "short": {"precision": 2, "edgeitems": 2},
    "full": {"threshold": math.inf},
}
_print_options = dict(_USUAL_OPTIONS)


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
):
    if profile is not None:
        _print_options.update(_USUAL_OPTIONS | _PRINT_PROFILES[profile])
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _print_options.update((name, value) for name, value in given.items() if value is not None)
    _print_options["sci_mode"] = sci_mode


def get_printoptions():
    return dict(_print_options)


@contextlib.contextmanager
def printoptions(**given):
    before = dict(_print_options)
    set_printoptions(**given)
    try:
        yield
    finally:
        _print_options.update(before)


def _at_edges(values):
    """The values that are shown of an array that is too large for all of them."""
    edge = _print_options["edgeitems"]
    for axis, size in enumerate(values.shape):
        if size > 2 * edge:
            shown = [*range(edge), *range(size - edge, size)]
            values = numpy.take(values, shown, axis)
    return values


def _writer_of_values(values):
    """What writes one of these values, all in the same width; and that width."""
    if values.dtype.kind != "f":
        width = max((len(str(value)) for value in values.ravel().tolist()), default=1)
        return lambda value: f"{value}".rjust(width), width
    digits, sci = _print_options["precision"], False
    shown = values[numpy.isfinite(values) & (values != 0)].astype(numpy.float64)
    whole, width = bool((shown == numpy.ceil(shown)).all()), 1
    if shown.size:
        least, most = numpy.abs(shown).min(), numpy.abs(shown).max()
        sci = _print_options["sci_mode"]
        if sci is None:
            sci = most / least > 1000 or most > 1e8 or (not whole and least < 1e-4)
        form = f".{digits}e" if sci else ".0f" if whole else f".{digits}f"
        width = max(len(format(value, form)) for value in shown.tolist()) + (whole and not sci)

    def write(value):
        if sci:
            return f"{value:{width}.{digits}e}"
        if not whole:
            return f"{value:.{digits}f}".rjust(width)
        return f"{value:.0f}{'.' if math.isfinite(value) else ''}".rjust(width)

    return write, width


def _writer_of_any(values):
    if values.dtype.kind != "c":
        return _writer_of_values(values)
    (real, first), (imaginary, second) = _writer_of_values(values.real), _writer_of_values(values.imag)

    def write(value):
        part = imaginary(value.imag).lstrip() + "j"
        return real(value.real) + (part if part[0] in "+-" else "+" + part)

    return write, first + second + 1


def _text_of_values(values, write, width, indent, summarized):
    if not values.ndim:
        return write(values.item()).lstrip() if values.dtype.kind == "c" else write(values.item())
    edge = _print_options["edgeitems"]
    cut = summarized and len(values) > 2 * edge
    shown = [*values[:edge], None, *values[len(values) - edge :]] if cut else values
    if values.ndim > 1:
        rest = write, width, indent + 1, summarized
        parts = ["..." if one is None else _text_of_values(one, *rest) for one in shown]
        return "[" + ("," + "\n" * (values.ndim - 1) + " " * (indent + 1)).join(parts) + "]"
    parts = [" ..." if one is None else write(one.item()) for one in shown]
    count = max(1, (_print_options["linewidth"] - indent) // (width + 2))
    lines = [", ".join(parts[at : at + count]) for at in range(0, len(parts), count)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _notes_of_text(tensor):
    """What follows the values, as torch orders it."""
    kind, default = tensor.dtype, paddle.get_default_dtype()
    name = str(kind).rpartition(".")[2]
    empty = not tensor.size
    if not tensor.place.is_cpu_place():
        yield f"device='cuda:{tensor.place.gpu_device_id()}'"
    if empty and tensor.ndim != 1:
        yield f"size={tuple(tensor.shape)}"
    usual = {default} if empty else {default, "int64", "bool", f"complex{64 if default == 'float32' else 128}"}
    if name not in usual:
        yield f"dtype=torch.{name}"
    node = None if tensor.stop_gradient else _node_of_result(tensor)
    if node is not None:
        yield f"grad_fn=<{type(node).__name__}>"
    elif not tensor.stop_gradient:
        yield "requires_grad=True"


def _text_of_tensor(tensor):
    plain = type(tensor) in (paddle.Tensor, _PARAMETER)
    start = "tensor(" if plain else type(tensor).__name__ + "("
    values = tensor.detach()
    if values.dtype in (paddle.float16, paddle.bfloat16, paddle.float8_e4m3fn, paddle.float8_e5m2):
        values = values.astype("float32")
    values = values.numpy()
    summarized = values.size > _print_options["threshold"]
    write, width = _writer_of_any(_at_edges(values) if summarized else values)
    text = start + ("[]" if not values.size else _text_of_values(values, write, width, len(start), summarized))
    length = len(text) - text.rfind("\n") + 1
    for note in _notes_of_text(tensor):
        fits = length + len(note) + 2 <= _print_options["linewidth"]
        text += ", " + note if fits else ",\n" + " " * len(start) + note
        length = length + len(note) + 2 if fits else len(start) + len(note)
    return text + ")"


def _text_of_sparse_part(values, indent):
    """The text of a part of a sparse tensor, without what follows its values."""
    values = values.detach()
    values = (values.astype("float32") if values.dtype == paddle.float16 else values).numpy()
    if not values.size:
        return f"[], size={tuple(values.shape)}"
    summarized = values.size > _print_options["threshold"]
    write, width = _writer_of_any(_at_edges(values) if summarized else values)
    return _text_of_values(values, write, width, indent, summarized)


def _text_of_sparse(tensor):
    csr, indent = tensor.is_sparse_csr(), len("tensor(")
    parts = {"indices": None if csr else tensor.indices(), "values": tensor.values()}
    if csr:
        parts = {"crow_indices": tensor.crows(), "col_indices": tensor.cols(), **parts}
    texts = [
        f"{name}=tensor({_text_of_sparse_part(part, indent + len(name) + len('=tensor('))})"
        for name, part in parts.items()
        if part is not None
    ]
    text = "tensor(" + (",\n" + " " * indent).join(texts)
    notes = [f"size={tuple(tensor.shape)}", f"nnz={int(tensor.nnz())}"]
    kind = str(tensor.dtype).rpartition(".")[2]
    if not tensor.place.is_cpu_place():
        notes.insert(0, f"device='cuda:{tensor.place.gpu_device_id()}'")
    if kind not in {paddle.get_default_dtype(), "int64", "bool", "complex64"}:
        notes.append(f"dtype=torch.{kind}")
    notes.append(f"layout=torch.sparse_{'csr' if csr else 'coo'}")
    node = None if tensor.stop_gradient else _node_of_result(tensor)
    if node is not None:
        notes.append(f"grad_fn=<{type(node).__name__}>")
    elif not tensor.stop_gradient:
        notes.append("requires_grad=True")
    length = len(text) - text.rfind("\n") + 1
    for at, note in enumerate(notes):
        fits = (csr or at) and length + len(note) + 2 <= _print_options["linewidth"]
        text += ", " + note if fits else ",\n" + " " * indent + note
        length = length + len(note) + 2 if fits else indent + len(note)
    return text + ")"


def _text_of_dense(tensor):
    """Torch's text of a dense tensor, or a sparse one; Paddle's of any other, and of one without values."""
    if tensor.is_sparse_coo() or tensor.is_sparse_csr():
        return _text_of_sparse(tensor)
    if tensor.is_dense() and (tensor._is_initialized() or not tensor.size):
        return _text_of_tensor(tensor)
    return _text_by_paddle(tensor)


def _text_of_parameter(parameter):
    return "Parameter containing:\n" + _text_of_dense(parameter)


def _formatted(tensor, given):
    if tensor.ndim == 0:
        return format(tensor.item(), given)
    if given:
        raise TypeError(f"unsupported format string passed to {type(tensor).__name__}.__format__")
    return (_text_of_parameter if isinstance(tensor, _PARAMETER) else _text_of_dense)(tensor)


def _text_of_device(device):
    number = "" if device.index is None else f", index={device.index}"
    return f"device(type={device.type!r}{number})"


for _kind_of_text in (paddle.Tensor, _PARAMETER, paddle.device.Device):
    for _text_name in ("__repr__", "__str__"):
        if not hasattr(_kind_of_text.__dict__.get(_text_name), "homes"):
            setattr(_kind_of_text, _text_name, _ScopedMethod(_kind_of_text, _text_name))

_text_by_paddle = paddle.tensor.to_string.tensor_to_string
_members(paddle.device.Device, __repr__=_text_of_device)
_members(paddle.Tensor, __repr__=_text_of_dense, __str__=_text_of_dense, __format__=_formatted)
_members(_PARAMETER, __repr__=_text_of_parameter, __str__=_text_of_parameter)
_register(
    {
        "torch._tensor_str.set_printoptions": set_printoptions,
        "torch._tensor_str.get_printoptions": get_printoptions,
        "torch._tensor_str.printoptions": printoptions,
    },
    {"torch.set_printoptions": set_printoptions},
)
