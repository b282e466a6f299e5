import functools
import re

from .methods_of_tensors import _wrap_functions, _wrap_methods


class _RuntimeValueError(RuntimeError, ValueError):
    """What torch raises for arguments that do not fit one another, and what Paddle does."""


class _IndexValueError(IndexError, ValueError):
    """The same, for dimensions and indices."""


class _IndexRuntimeError(IndexError, RuntimeError):
    """Where Paddle raises IndexError, and torch the one or the other."""


class _RuntimeMemoryError(RuntimeError, MemoryError):
    """What torch raises on a CPU without memory, and what Paddle does."""


_OUT_OF_RANGE = re.compile(
    r"\b(axis|axes|dim|dim index|variable value|insert dimension value)\b.{0,80}"
    r"\b(range|less than|larger than|expected >=)",
    re.IGNORECASE | re.DOTALL,
)


def _as_torchs(error):
    """An error of Paddle's as one that is torch's as well."""
    said = str(error)
    if isinstance(error, MemoryError):
        return _RuntimeMemoryError(f"DefaultCPUAllocator: can't allocate memory: {said}")
    if isinstance(error, IndexError):
        return _IndexRuntimeError(said) if "(OutOfRange)" in said else error
    return (_IndexValueError if _OUT_OF_RANGE.search(said) else _RuntimeValueError)(said)


def _with_torchs_errors(theirs, _):
    @functools.wraps(theirs)
    def called(*args, **kwargs):
        try:
            return theirs(*args, **kwargs)
        except (ValueError, IndexError, MemoryError) as error:
            if type(error) not in (ValueError, IndexError, MemoryError):  # of the caller's own, or from here
                raise
            raise _as_torchs(error).with_traceback(error.__traceback__) from None

    return called


_OF_BOTH = """\
reshape permute transpose flatten unflatten split chunk unsqueeze squeeze tile flip roll sum mean prod
max min amax amin argmax argmin cumsum cumprod softmax log_softmax topk sort argsort gather scatter
scatter_add index_select index_add index_fill index_copy masked_fill masked_select select narrow add sub
mul div matmul mm bmm addmm mv dot where unbind\
""".split()
_OF_TENSORS = """\
view to expand repeat new_zeros new_ones new_empty new_full copy_ add_ sub_ mul_ div_ __add__ __radd__
__sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __matmul__ __getitem__ __setitem__\
""".split()
_OF_TORCH_ALONE = """\
cat stack einsum tensor as_tensor zeros ones empty full zeros_like ones_like empty_like full_like rand
randn arange linspace randint broadcast_to bernoulli multinomial nn.functional.linear nn.functional.embedding nn.functional.conv1d nn.functional.conv2d
nn.functional.conv3d nn.functional.layer_norm nn.functional.mse_loss nn.functional.l1_loss
nn.functional.softmax nn.functional.max_pool2d\
""".split()
_wrap_methods(_with_torchs_errors, (*_OF_BOTH, *_OF_TENSORS))
_wrap_functions(_with_torchs_errors, (*_OF_BOTH, *_OF_TORCH_ALONE))
