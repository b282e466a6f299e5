import functools
import re
from types import MappingProxyType

import paddle

from .jit_script import _is_scripted
from .jit_traces import Error as _ErrorOfScripts
from .meta_device import _OnMeta
from .methods_of_tensors import (
    _PLAIN_DTYPES, _PLAIN_KEYWORDS, _PLAIN_NUMBERS, _PLAIN_TENSORS, _for_plain_calls, _members, _static,
    _unchanged_if_plain, _wrap_functions, _wrap_methods,
)  # fmt: skip
from .scope import _OWN
from .sparse_arguments import _called_on_sparse, _first_sparse, _sparse_made
from .torch_function import _ASKING_MODES, _ASKING_OF_BOTH, _ASKING_OF_MODULES, _ASKING_OF_TORCH
from .torchs_meaning import _torch


def _of_both(torchs, paddles):
    """A class of errors for code that catches either, which shows as torch's, and is pickled as that."""
    members = {"__module__": "builtins", "__reduce__": lambda self: (torchs, self.args)}
    return type(torchs.__name__, (torchs, paddles), members)


_RuntimeValueError, _IndexValueError = _of_both(RuntimeError, ValueError), _of_both(IndexError, ValueError)
_RuntimeAssertionError = _of_both(RuntimeError, AssertionError)
_RuntimeMemoryError, _TypeValueError = _of_both(RuntimeError, MemoryError), _of_both(TypeError, ValueError)
_IndexRuntimeError = _of_both(IndexError, RuntimeError)  # where Paddle has the one, and torch either
_OF_PADDLE = (ValueError, IndexError, MemoryError, AssertionError)
_UNNAMED = "EnforceNotMet"  # of errors without a class of their own: no module of Paddle's has it to import
_OF_PIECES_HERE = f"{__name__.rpartition('.')[0] or __name__}."
_OF_ANOTHER_TYPE = re.compile(r"argument '\w+' \(position \d+\) must be")
_OUT_OF_RANGE = re.compile(
    r"\b(axis|axes|start_axis|dim|dim index|variable value|insert dimension value)\b.{0,80}"
    r"\b(range|less than|larger than|expected >=)",
    re.IGNORECASE | re.DOTALL,
)


_OF_A_LIST = "list index out of range"  # of sizes: where a dimension is looked up
_OF_A_PLACE = re.compile(r"starting index (-?\d+) of slice is out of bounds in tensor (\d+)-th axis")
_OF_SHAPES = re.compile(r"shape of X = \[([\d, ]*)\] and the shape of Y = \[([\d, ]*)\]")


def _with_torchs_words(said, args, kwargs):
    """What torch says of operands that are not broadcast together or multiplied, of a dimension or a place that there
    is not, and of a shape for another size, and then what Paddle says."""
    shapes, outside = _OF_SHAPES.search(said), _OF_A_PLACE.search(said)
    first = args[0] if args and isinstance(args[0], paddle.Tensor) else None
    torchs = None
    if shapes:
        torchs = _of_broadcasting(*([int(n) for n in text.split(",") if n.strip()] for text in shapes.groups()))
    elif outside and first is not None and int(outside[2]) < first.ndim:
        at = int(outside[2])
        torchs = f"index {outside[1]} is out of bounds for dimension {at} with size {first.shape[at]}"
    elif first is not None and "In operator matmul" in said:
        torchs = _of_products(first, args[1:])
    elif first is not None and "in ReshapeOp is invalid" in said:
        listed = [each for value in args[1:] for each in _as_numbers(value)]
        torchs = f"shape '{listed}' is invalid for input of size {first.size}"
    elif first is not None and (said == _OF_A_LIST or _OUT_OF_RANGE.search(said)):
        rank = max(first.ndim, 1) + ("insert" in said)
        for each in [each for value in (*args[1:], *kwargs.values()) for each in _as_numbers(value)]:
            if not -rank <= each < rank:
                torchs = f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {each})"
                break
    return f"{torchs}\n{said}" if torchs else said


def _of_broadcasting(a, b):
    last = max(len(a), len(b)) - 1
    for back, (one, other) in enumerate(zip(reversed(a), reversed(b), strict=False)):
        if one != other and 1 not in (one, other):
            where = f"at non-singleton dimension {last - back}"
            return f"The size of tensor a ({one}) must match the size of tensor b ({other}) {where}"
    return None


def _of_products(first, others):
    """Of a product with a matrix, or with the transposed one of a linear layer."""
    if not (others and isinstance(others[0], paddle.Tensor) and others[0].ndim == 2 and first.ndim):
        return None
    count, (rows, columns) = first.shape[-1], others[0].shape
    if count == rows:  # else of the layer
        rows, columns = columns, rows
    before = first.size // max(count, 1)
    return f"mat1 and mat2 shapes cannot be multiplied ({before}x{count} and {rows}x{columns})"


def _as_numbers(value):
    return [each for each in (value if isinstance(value, (list, tuple)) else [value]) if type(each) is int]


def _as_torchs(error, args=(), kwargs=MappingProxyType({})):
    """An error of Paddle's as one that is torch's as well, of a call with these arguments."""
    said = _with_torchs_words(str(error), args, kwargs)
    if isinstance(error, AssertionError):
        return _RuntimeAssertionError(said)
    if type(error).__name__ == _UNNAMED:
        return RuntimeError(said)
    if isinstance(error, MemoryError):
        return _RuntimeMemoryError(f"DefaultCPUAllocator: can't allocate memory: {said}")
    if isinstance(error, IndexError):
        return (_IndexRuntimeError if "(OutOfRange)" in said else IndexError)(said)
    if _OF_ANOTHER_TYPE.search(said):
        return _TypeValueError(said)
    return (_IndexValueError if _OUT_OF_RANGE.search(said) else _RuntimeValueError)(said)


def _is_from_here(error):
    """Whether a piece raises an error by itself, of torch's type."""
    if str(error).startswith("("):  # an operator's, as (InvalidArgument)
        return False
    last = error.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    return f"{last.tb_frame.f_globals.get('__name__')}.".startswith(_OF_PIECES_HERE)


@_unchanged_if_plain
def _with_torchs_errors(theirs, name):
    if isinstance(theirs, type):
        return theirs
    shortly = _for_plain_calls(theirs)

    @functools.wraps(theirs)
    def called(*args, **kwargs):
        if _sparse_made and _first_sparse(args, kwargs) is not None:  # Paddle reads them as if they were dense
            return _called_on_sparse(name, args, kwargs)
        if args and shortly is not theirs and type(args[0]) in _PLAIN_TENSORS and _PLAIN_KEYWORDS.issuperset(kwargs):
            own = args[0].dtype
            for each in args:
                kind = type(each)
                if not (kind in _PLAIN_NUMBERS or kind in _PLAIN_TENSORS and each.dtype is own):
                    break
            else:
                if id(own) in _PLAIN_DTYPES:
                    try:
                        return shortly(*args, **kwargs)
                    except Exception:  # noqa: BLE001, S110 - it is raised again below, as torch's
                        pass
        try:
            return theirs(*args, **kwargs)
        except _OnMeta:
            return _torch("utils._device.DeviceContext").made(theirs, name, args, kwargs)
        except Exception as error:
            of_paddle = type(error) in _OF_PADDLE or type(error).__name__ == _UNNAMED
            if not of_paddle or _is_from_here(error) and str(error) != _OF_A_LIST:
                raise
            raise _as_torchs(error, args, kwargs).with_traceback(error.__traceback__) from None

    return called


_OF_TENSORS = """\
view to expand repeat new_zeros new_ones new_empty new_full copy_ add_ sub_ mul_ div_ view_as expand_as unfold resize_
index_add_ index_copy_ index_fill_ index_put_ masked_fill_ masked_scatter_ scatter_ scatter_add_ fill_ item __add__
__radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __mod__ __matmul__ __and__ __or__
__xor__ __lshift__ __rshift__ __invert__ __pow__ __getitem__ __setitem__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__
__rpow__ __rmatmul__ __rfloordiv__ __abs__ abs_ asin_ asinh_ atan_ atanh_ ceil_ erf_ erfinv_ expm1_ floor_ floor_divide_
frac_ log1p_ multiply_ nan_to_num_ narrow_copy negative_ new_tensor pow_ relu_ resize_as_ round_ sgn_ sign_ sin_ sinh_
sqrt_ square_ subtract_ tan_ tanh_ trunc_ zero_\
""".split()
_OF_INNER = [f"{module}.{name}" for module, names in _ASKING_OF_MODULES.items() for name in names]
_wrap_methods(_with_torchs_errors, (*_ASKING_OF_BOTH, *_OF_TENSORS))
_IN_PLACE_OF_BOTH = [f"{name}_" for name in _ASKING_OF_BOTH]
_wrap_functions(
    _with_torchs_errors, (*_ASKING_OF_BOTH, *_IN_PLACE_OF_BOTH, *_ASKING_OF_TORCH, *_ASKING_MODES, *_OF_INNER)
)


def _as_of_a_script(error):
    """What TorchScript raises: its own class for what the script's author raises, else RuntimeError."""
    last = error.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    of_operators = f"{last.tb_frame.f_globals.get('__name__')}.".startswith(("paddle.", _OF_PIECES_HERE))
    kind = type(error)
    named = f"RuntimeError: {kind.__name__}" if kind is AssertionError else f"{kind.__module__}.{kind.__qualname__}"
    return RuntimeError(str(error)) if of_operators else _ErrorOfScripts(f"{named}: {error}")


def _with_torchs_errors_of_layers(theirs):
    """Calls of layers: an error of an operator that one of Paddle's own, or of ours, calls, and those of scripts."""

    def call(self, *args, **kwargs):
        try:
            return theirs(self, *args, **kwargs)
        except Exception as error:
            if _is_scripted(self) and not isinstance(error, (RuntimeError, _ErrorOfScripts)):
                raise _as_of_a_script(error).with_traceback(error.__traceback__) from None
            if not isinstance(error, (ValueError, AssertionError)):
                raise
            own = f"{type(self).__module__}.".startswith(("paddle.", _OF_PIECES_HERE))
            if not own or type(error) not in _OF_PADDLE or "(InvalidArgument)" not in str(error):
                raise
            raise _as_torchs(error).with_traceback(error.__traceback__) from None

    return call


_call_with_theirs = getattr(_static(paddle.nn.Layer, "__call__"), "homes", {}).get(_OWN, paddle.nn.Layer.__call__)
_members(paddle.nn.Layer, __call__=_with_torchs_errors_of_layers(_call_with_theirs))
