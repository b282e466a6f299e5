import functools

import paddle

from .methods_of_tensors import _unchanged_if_plain, _wrap_functions
from .overrides import _function
from .torch_function import _asked, has_torch_function

_OVERLOADED = """
abs add addmm all allclose amax amin any argmax argmin bmm cat chunk clamp clone cos cumprod cumsum diag diag_embed
diagonal div divide dot einsum empty_like eq equal erf exp expm1 flatten flip floor full_like gather ge gt index_select
inverse isclose isfinite isnan le linalg.cholesky linalg.det linalg.eigh linalg.eigvalsh linalg.inv linalg.norm
linalg.solve linalg.solve_triangular linalg.svd linalg.vector_norm log log1p logdet logsumexp lt masked_select matmul max
maximum mean median min minimum mm movedim mul multiply mv nan_to_num narrow ne neg norm numel ones_like outer permute pow
prod rand_like randn_like reciprocal relu repeat_interleave reshape roll round rsqrt sigmoid sign sin slogdet softmax
sort split sqrt square squeeze stack std sub subtract sum swapaxes t tanh tensordot tile topk trace transpose tril triu
true_divide unbind unique unsqueeze var where zeros_like nn.functional.cross_entropy nn.functional.dropout
nn.functional.gelu nn.functional.layer_norm nn.functional.linear nn.functional.log_softmax nn.functional.mse_loss
nn.functional.pad nn.functional.relu nn.functional.softmax
""".split()
_IN_PYTHON = frozenset({"einsum", "norm", "split", "tensordot", "unique"})  # others ask with None for no keywords


@_unchanged_if_plain
def _asking_operands(theirs, name):
    """A function that asks objects which are no tensors what it does with them; tensors alone cost it nothing."""

    @functools.wraps(theirs)
    def function(*args, **kwargs):
        if not args or isinstance(args[0], paddle.Tensor) or not has_torch_function(args):
            try:
                return theirs(*args, **kwargs)
            except (AttributeError, RuntimeError, TypeError, ValueError):
                if not has_torch_function([*args, *kwargs.values()]):
                    raise
        none = {} if name in _IN_PYTHON or name.startswith("nn.functional.") else None
        return _asked(_function(name), [*args, *kwargs.values()], args, kwargs or none)

    return function


_wrap_functions(_asking_operands, _OVERLOADED)
