import functools

import paddle

from .computing import _refuse_cast
from .methods_of_tensors import _method, _unchanged_if_plain, _wrap_functions

_OF_ANY_DTYPE = """
_native_batch_norm_legit acos acosh add addcdiv addcmul addr aminmax angle arccos arccosh arcsin arcsinh arctan
arctan2 arctanh as_strided_scatter asin asinh atan atan2 atanh bartlett_window bitwise_and bitwise_left_shift
bitwise_or bitwise_right_shift bitwise_xor blackman_window cat chain_matmul cholesky cholesky_inverse cholesky_solve
clamp clamp_max clamp_min clip column_stack concat concatenate constant_pad_nd convolution copysign cos cosh
count_nonzero cummax cummin deg2rad digamma div divide dstack empty_permuted empty_strided eq erf erfc erfinv exp exp2
expm1 fft.fft fft.fft2 fft.fftn fft.hfft fft.hfft2 fft.hfftn fft.ifft fft.ifft2 fft.ifftn fft.ihfft fft.ihfft2
fft.ihfftn fft.irfft fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftn fill flip floor_divide fmax fmin fmod frexp
gcd ge geqrf ger greater greater_equal grid_sampler_2d grid_sampler_3d gt hamming_window hann_window histogram hstack
hypot i0 igamma igammac index_fill kaiser_window kron kthvalue lcm ldexp le lerp less less_equal lgamma
linalg.cholesky_ex linalg.cond linalg.eig linalg.eigh linalg.eigvals linalg.householder_product linalg.inv_ex
linalg.lstsq linalg.lu linalg.lu_factor linalg.lu_factor_ex linalg.matrix_power linalg.matrix_rank linalg.pinv
linalg.qr linalg.slogdet linalg.solve_ex linalg.svd linalg.tensorinv linalg.tensorsolve log log10 log1p log2 logaddexp logaddexp2
logical_and logical_not logical_or logical_xor logit logsumexp lt lu_unpack masked_fill matrix_power max maximum mean
min minimum mode mul multiply mvlgamma nanmean nansum native_batch_norm native_group_norm native_layer_norm ne
nextafter nonzero_static normal not_equal orgqr outer polygamma pow qr rad2deg rand_like randn_like reciprocal
remainder repeat_interleave row_stack rsqrt rsub select_scatter sigmoid sin sinc sinh slogdet sort sparse_coo_tensor
special.airy_ai special.bessel_j0 special.bessel_j1 special.bessel_y0 special.bessel_y1 special.chebyshev_polynomial_t
special.chebyshev_polynomial_u special.chebyshev_polynomial_v special.chebyshev_polynomial_w special.digamma
special.entr special.erf special.erfc special.erfcx special.erfinv special.exp2 special.expit special.expm1
special.gammainc special.gammaincc special.gammaln special.hermite_polynomial_h special.hermite_polynomial_he
special.i0 special.i0e special.i1 special.i1e special.laguerre_polynomial_l special.legendre_polynomial_p
special.log1p special.log_ndtr special.logit special.logsumexp special.modified_bessel_i0 special.modified_bessel_i1
special.modified_bessel_k0 special.modified_bessel_k1 special.multigammaln special.ndtr special.ndtri
special.polygamma special.psi special.scaled_modified_bessel_k0 special.scaled_modified_bessel_k1
special.shifted_chebyshev_polynomial_t special.shifted_chebyshev_polynomial_u special.shifted_chebyshev_polynomial_v
special.shifted_chebyshev_polynomial_w special.sinc special.spherical_bessel_j0 special.xlog1py special.xlogy
special.zeta sqrt square stack std std_mean sub subtract svd tan tanh threshold triangular_solve tril_indices
triu_indices true_divide unsafe_split_with_sizes var var_mean vstack xlogy
nn.functional.normalize
""".split()
_OF_THEIR_DTYPE = """
abs absolute addbmm addmm addmv alias_copy all amax amin any argmax argmin argsort as_strided_copy baddbmm bitwise_not
bmm bucketize ceil complex conj_physical cross detach_copy diag diagonal_copy diff dot expand_copy fix float_power
floor frac gather hardshrink heaviside histc index_add index_copy index_reduce index_select inner inverse isin
isneginf isposinf linalg.cholesky linalg.cross linalg.det linalg.eigvalsh linalg.inv linalg.lu_solve linalg.matmul
linalg.matrix_norm linalg.multi_dot linalg.norm linalg.solve linalg.solve_triangular linalg.svdvals linalg.vecdot
linalg.vector_norm linspace log_softmax logcumsumexp logspace lu_solve masked_select matmul median mm msort
multinomial mv nan_to_num nanmedian nanquantile narrow_copy neg negative nn.functional.avg_pool2d
nn.functional.avg_pool3d nn.functional.gelu nn.functional.hardshrink nn.functional.linear nn.functional.softplus
nn.functional.softshrink nonzero norm ormqr permute_copy polar quantile renorm round scatter scatter_add
scatter_reduce searchsorted sgn sign signbit slice_copy slice_scatter softmax special.round squeeze_copy t_copy take
take_along_dim tensordot transpose_copy tril triu trunc unfold_copy unsqueeze_copy vdot view_copy where
""".split()
_IN_DTYPE_OF_OUT = """
arange cumprod cumsum empty eye full linspace logspace ones prod rand randint randn randperm range sum zeros
""".split()


def _put(made, out, refuse):
    """Results in the tensors that are given for them."""
    if isinstance(made, (list, tuple)):
        written = [_put(*pair, refuse) for pair in zip(made, out, strict=True)]
        return getattr(made, "_make", type(made))(written)
    refuse(made.dtype, out)
    if made.shape != out.shape:
        _method("resize_")(out, made.shape)
    return paddle.assign(made.detach().astype(out.dtype), out)


def _refuse_other(dtype, out):
    if dtype != out.dtype:
        raise RuntimeError(f"Expected out tensor to have dtype {dtype}, but got {out.dtype} instead")


def _refuse_none(dtype, out):
    pass


@_unchanged_if_plain
def _with_out(theirs, name, refuse, typed=False):
    @functools.wraps(theirs)
    def function(*args, out=None, **kwargs):
        if out is None:
            return theirs(*args, **kwargs)
        given = [v for v in (*args, *kwargs.values(), out) if isinstance(v, paddle.Tensor)]
        if paddle.is_grad_enabled() and not all(tensor.stop_gradient for tensor in given):
            raise RuntimeError(
                f"{name}(): functions with out=... arguments don't support automatic differentiation"
            )
        if typed and kwargs.get("dtype") is None:
            kwargs["dtype"] = out.dtype
        return _put(theirs(*args, **kwargs), out, refuse)

    return function


_wrap_functions(functools.partial(_with_out, refuse=_refuse_cast), _OF_ANY_DTYPE)
_wrap_functions(functools.partial(_with_out, refuse=_refuse_other), _OF_THEIR_DTYPE)
_wrap_functions(functools.partial(_with_out, refuse=_refuse_other, typed=True), _IN_DTYPE_OF_OUT)
_wrap_functions(functools.partial(_with_out, refuse=_refuse_none), ["bernoulli"])
