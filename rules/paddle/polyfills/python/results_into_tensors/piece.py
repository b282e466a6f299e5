import functools

import paddle

from .computing import _refuse_cast
from .methods_of_tensors import _method
from .overrides import _function, _register

_WITHOUT_OUT = """
_native_batch_norm_legit addbmm addr angle arctan2 argmax argmin argsort asin asinh atan atan2
atanh baddbmm bitwise_and bitwise_or bitwise_xor cholesky cholesky_inverse cholesky_solve clamp
clamp_max clamp_min clip column_stack conj_physical copysign cross cummax cummin deg2rad diag diff
digamma dstack erf erfinv expm1 fmax fmin frexp gcd geqrf heaviside histogram hstack hypot i0
index_copy inner inverse isin isneginf isposinf kron lcm ldexp lerp lgamma log_softmax logaddexp
logcumsumexp logit logsumexp lu_solve lu_unpack maximum minimum mv nan_to_num nanmean nanquantile
nansum native_batch_norm neg negative nextafter nn.functional.hardshrink nonzero nonzero_static
orgqr ormqr polygamma prod qr quantile rad2deg reciprocal renorm row_stack scatter_reduce sgn
signbit sinc slice_scatter slogdet square std take take_along_dim tan tensordot trunc var vstack
where
""".split()


def _put(made, out):
    """Results in the tensors that are given for them."""
    if isinstance(made, (list, tuple)):
        written = [_put(*pair) for pair in zip(made, out, strict=True)]
        return getattr(made, "_make", type(made))(written)
    _refuse_cast(made.dtype, out)
    if made.shape != out.shape:
        _method("resize_")(out, made.shape)
    return paddle.assign(made.detach().astype(out.dtype), out)


def _with_out(name):
    theirs = _function(name)

    @functools.wraps(theirs)
    def function(*args, out=None, **kwargs):
        if out is None:
            return theirs(*args, **kwargs)
        given = [v for v in (*args, *kwargs.values(), out) if isinstance(v, paddle.Tensor)]
        if paddle.is_grad_enabled() and not all(tensor.stop_gradient for tensor in given):
            raise RuntimeError(
                f"{name}(): functions with out=... arguments don't support automatic differentiation"
            )
        return _put(theirs(*args, **kwargs), out)

    return function


_register({}, {f"torch.{name}": _with_out(name) for name in _WITHOUT_OUT})
