import functools

import paddle

from .computing import _refuse_cast
from .methods_of_tensors import _method, _wrap_functions

_WITHOUT_OUT = """
_native_batch_norm_legit absolute addbmm addcdiv addcmul addmv addr aminmax angle arccos arccosh arcsin arcsinh arctan
arctan2 arctanh argmax argmin argsort as_strided_scatter asin asinh atan atan2 atanh baddbmm bartlett_window
bitwise_and bitwise_or bitwise_xor blackman_window chain_matmul cholesky cholesky_inverse cholesky_solve clamp
clamp_max clamp_min clip column_stack conj_physical constant_pad_nd convolution copysign count_nonzero cross cummax
cummin deg2rad diag diff digamma dstack empty_permuted empty_strided erf erfc erfinv exp2 expm1 fft.fft fft.fft2
fft.fftn fft.hfft fft.hfft2 fft.hfftn fft.ifft fft.ifft2 fft.ifftn fft.ihfft fft.ihfft2 fft.ihfftn fft.irfft
fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftn fill fix flip float_power fmax fmin fmod frexp gcd geqrf
grid_sampler_2d grid_sampler_3d hamming_window hann_window hardshrink heaviside histc histogram hstack hypot i0 igamma
igammac index_copy index_fill index_reduce inner inverse isin isneginf isposinf kaiser_window kron kthvalue lcm ldexp
lerp lgamma linalg.cholesky linalg.cholesky_ex linalg.cond linalg.cross linalg.det linalg.eig linalg.eigh
linalg.eigvals linalg.eigvalsh linalg.householder_product linalg.inv linalg.inv_ex linalg.lstsq linalg.lu
linalg.lu_factor linalg.lu_factor_ex linalg.lu_solve linalg.matrix_power linalg.matrix_rank linalg.multi_dot
linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.solve_ex linalg.solve_triangular linalg.svdvals
linalg.tensorinv linalg.tensorsolve linalg.vecdot log_softmax logaddexp logaddexp2 logcumsumexp logit logsumexp
lu_solve lu_unpack masked_fill matrix_power maximum minimum mode mv mvlgamma nan_to_num nanmean nanquantile nansum
native_batch_norm native_group_norm native_layer_norm neg negative nextafter nn.functional.hardshrink nonzero
nonzero_static orgqr ormqr polygamma prod qr quantile rad2deg rand_like randn_like reciprocal renorm repeat_interleave
row_stack rsub scatter_add scatter_reduce select_scatter sgn signbit sinc slice_scatter slogdet sparse_coo_tensor
special.digamma special.entr special.erf special.erfc special.erfcx special.erfinv special.exp2 special.expit
special.expm1 special.gammainc special.gammaincc special.gammaln special.i0 special.i0e special.i1 special.i1e
special.log1p special.log_ndtr special.logit special.logsumexp special.multigammaln special.ndtr special.ndtri
special.polygamma special.psi special.round special.sinc special.xlog1py special.xlogy square std std_mean svd take
take_along_dim tan tensordot threshold triangular_solve tril_indices triu_indices trunc unsafe_split_with_sizes var
var_mean vdot vstack where xlogy
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


def _with_out(theirs, name):
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


_wrap_functions(_with_out, _WITHOUT_OUT)
