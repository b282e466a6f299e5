import threading

import paddle
from paddle.base.framework import EagerParamBase

from .methods_of_tensors import _static
from .put_off import _resolved
from .scope import _OWN


class _Kinds(set):
    """Classes about which nothing is to be asked: what else is found to be one is added."""

    __hash__ = object.__hash__  # type: ignore[assignment]


_ORDINARY = _Kinds([paddle.Tensor, EagerParamBase, paddle.dtype, int, float, bool, complex, str, type(None), slice])
_with_modes: list[object] = []  # not empty: there are modes, in any thread
_KIND_OF_RESULTS = "_kind_of_results"  # of the class of a parameter that is made of a tensor of a class: that class


class _Asking(threading.local):
    """Whom the functions of torch ask in this thread: classes, unless that is off, and modes."""

    classes, modes = True, ()


_whom_to_ask = _Asking()


def _disabled_torch_function_impl(func, types, args=(), kwargs=None):
    """The __torch_function__ of classes whose results are plain tensors."""
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


def _torch_function_of(kind):
    """What the __torch_function__ of a class is, if it has one that is to be asked."""
    found = None if kind in _ORDINARY else _static(kind, "__torch_function__")
    found = _resolved(getattr(found, "homes", {}).get(_OWN, found))
    return None if found is _disabled_torch_function_impl else found


def _kind_of_results_of(value):
    return vars(type(value)).get(_KIND_OF_RESULTS, type(value))


def _overloading(args):
    """Of arguments, and in lists among them, one of each class that is to be asked: derived classes first."""
    found, kinds = [], set()
    for each in args:
        for one in each if isinstance(each, (list, tuple)) else (each,):
            kind = type(one)
            if kind not in _ORDINARY and kind not in kinds:
                kinds.add(kind)
                if _torch_function_of(kind) is not None:
                    bases = [n for n, other in enumerate(found) if issubclass(kind, type(other))]
                    found.insert(bases[0] if bases else len(found), one)
    return found


def is_tensor_like(inp):
    """Whether it is a tensor, or of a class that says what torch's functions do with it."""
    return isinstance(inp, paddle.Tensor) or hasattr(type(inp), "__torch_function__")


def has_torch_function(relevant_args):
    return bool(_whom_to_ask.modes) or _whom_to_ask.classes and bool(_overloading(relevant_args))


def has_torch_function_unary(inp):
    return has_torch_function((inp,))


def has_torch_function_variadic(*args):
    return has_torch_function(args)


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    return _asked(public_api, relevant_args, args, kwargs)


def _asked(public_api, relevant_args, args, kwargs):
    """What the modes, or the classes of the arguments, make of a function; no keywords are not passed."""
    asked = _overloading(relevant_args) if _whom_to_ask.classes else []
    types, given = tuple(map(_kind_of_results_of, asked)), (args,) if kwargs is None else (args, kwargs)
    modes = _whom_to_ask.modes
    if modes:
        _whom_to_ask.modes = modes[:-1]
        try:
            found = modes[-1].__torch_function__(public_api, types, args, kwargs or {})
        finally:
            _whom_to_ask.modes = modes
        if found is not NotImplemented:
            return found
    for each in asked:
        found = _torch_function_of(type(each)).__get__(each, _kind_of_results_of(each))(public_api, types, *given)
        if found is not NotImplemented:
            return found
    name = getattr(public_api, "__name__", public_api)
    raise TypeError(f"no implementation found for {name} on types that implement __torch_function__: {list(types)}")


class DisableTorchFunctionSubclass:
    """Functions ask no classes what they do with their objects."""

    _modes = True

    def __enter__(self):
        self._before = _whom_to_ask.classes, _whom_to_ask.modes
        _whom_to_ask.classes, _whom_to_ask.modes = False, _whom_to_ask.modes if self._modes else ()

    def __exit__(self, *raised):
        _whom_to_ask.classes, _whom_to_ask.modes = self._before


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """Nor modes."""

    _modes = False


def _is_torch_function_enabled():
    return _whom_to_ask.classes


# The functions of torch, and methods of tensors, that ask classes; beside a method of both its form in place.
_ASKING_OF_BOTH = """
abs absolute acos acosh add addbmm addcdiv addcmul addmm addmv addr adjoint all allclose amax amin aminmax angle any
arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argsort argwhere as_strided as_strided_scatter asin
asinh atan atan2 atanh baddbmm bernoulli bincount bitwise_and bitwise_left_shift bitwise_not bitwise_or
bitwise_right_shift bitwise_xor bmm broadcast_to ceil cholesky cholesky_inverse cholesky_solve chunk clamp clamp_max
clamp_min clip clone conj conj_physical copysign corrcoef cos cosh count_nonzero cov cross cummax cummin cumprod
cumsum deg2rad dequantize det detach diag diag_embed diagflat diagonal diagonal_scatter diff digamma dist div divide
dot dsplit eq equal erf erfc erfinv exp exp2 expm1 fix flatten flip fliplr flipud float_power floor floor_divide fmax
fmin fmod frac frexp gather gcd ge geqrf ger get_device greater greater_equal gt hardshrink hash_tensor heaviside
histc histogram hsplit hypot i0 igamma igammac index_add index_copy index_fill index_put index_reduce index_select
inner inverse is_complex is_conj is_distributed is_floating_point is_inference is_neg is_nonzero is_same_size
is_signed isclose isfinite isinf isnan isneginf isposinf isreal istft kron kthvalue lcm ldexp le lerp less less_equal
lgamma log log10 log1p log2 log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not logical_or
logical_xor logit logsumexp lt lu lu_solve masked_fill masked_scatter masked_select matmul matrix_exp matrix_power max
maximum mean median min minimum mm mode moveaxis movedim msort mul multinomial multiply mv mvlgamma nan_to_num nanmean
nanmedian nanquantile nansum narrow ne neg negative nextafter nonzero nonzero_static norm not_equal numel orgqr ormqr
outer permute pinverse polygamma positive pow prelu prod put qr quantile rad2deg ravel reciprocal relu remainder
renorm repeat_interleave reshape resolve_conj resolve_neg roll rot90 round rsqrt scatter scatter_add scatter_reduce
select select_scatter sgn sigmoid sign signbit sin sinc sinh slice_inverse slice_scatter slogdet smm softmax sort
split split_with_sizes sqrt square squeeze sspaddmm std stft sub subtract sum svd swapaxes swapdims t take
take_along_dim tan tanh tensor_split tile topk trace transpose triangular_solve tril triu true_divide trunc unbind
unflatten unique unique_consecutive unsafe_chunk unsafe_split unsafe_split_with_sizes unsqueeze var vdot vsplit where
xlogy
""".split()
_ASKING_OF_TORCH = """
adaptive_avg_pool1d adaptive_max_pool1d affine_grid_generator alpha_dropout atleast_1d atleast_2d atleast_3d autocast
avg_pool1d batch_norm batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt batch_norm_gather_stats
batch_norm_gather_stats_with_counts batch_norm_stats batch_norm_update_stats bilinear binary_cross_entropy_with_logits
binomial block_diag broadcast_tensors bucketize cartesian_prod cat cdist celu chain_matmul channel_shuffle
column_stack combinations complex concat concatenate constant_pad_nd conv1d conv2d conv3d conv_tbc conv_transpose1d
conv_transpose2d conv_transpose3d convolution cosine_embedding_loss cosine_similarity ctc_loss cumulative_trapezoid
dropout dsmm dstack einsum embedding embedding_bag empty_like feature_alpha_dropout feature_dropout frobenius_norm
full_like gradient grid_sampler grid_sampler_2d grid_sampler_3d group_norm gru gru_cell hinge_embedding_loss
histogramdd hsmm hspmm hstack imag instance_norm isin kl_div layer_norm lobpcg lstm lstm_cell lu_unpack
margin_ranking_loss max_pool1d max_pool1d_with_indices max_pool2d max_pool3d meshgrid native_batch_norm
native_channel_shuffle native_dropout native_group_norm native_layer_norm native_norm norm_except_dim nuclear_norm
ones_like pairwise_distance pca_lowrank pdist pixel_shuffle pixel_unshuffle poisson poisson_nll_loss polar
quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic rand_like randint_like randn_like real rms_norm
rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell row_stack rrelu rsub saddmm searchsorted selu spmm stack std_mean
svd_lowrank tensordot threshold trapezoid trapz triplet_margin_loss unravel_index var_mean view_as_complex
view_as_real vstack zeros_like
""".split()
# These ask modes only.
_ASKING_MODES = """
arange as_tensor asarray empty empty_permuted empty_strided eye from_numpy full linspace logspace ones rand randint
randn randperm range scalar_tensor tensor tril_indices triu_indices zeros
""".split()
_ASKING_OF_TENSORS = """
__abs__ __add__ __and__ __array__ __array_wrap__ __bool__ __complex__ __contains__ __div__ __dlpack__
__dlpack_device__ __eq__ __float__ __floordiv__ __format__ __ge__ __getitem__ __gt__ __iadd__ __iand__ __idiv__
__ifloordiv__ __ilshift__ __imod__ __imul__ __index__ __int__ __invert__ __ior__ __ipow__ __irshift__ __isub__
__itruediv__ __ixor__ __le__ __len__ __long__ __lshift__ __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __nonzero__
__or__ __pos__ __pow__ __radd__ __rand__ __rdiv__ __reversed__ __rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__
__ror__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __setitem__ __sub__ __truediv__ __xor__ apply_
backward bfloat16 bool byte cauchy_ ccol_indices cdouble cfloat chalf char coalesce col_indices const_data_ptr
contiguous copy_ cpu crow_indices cuda data_ptr dense_dim dim dim_order double element_size expand expand_as
exponential_ fill_ fill_diagonal_ float geometric_ half index indices int is_coalesced is_contiguous is_pinned
is_set_to is_shared item log_normal_ long map_ module_load ndimension nelement new_empty new_empty_strided new_full
new_ones new_tensor new_zeros normal_ numpy pin_memory random_ record_stream register_hook
register_post_accumulate_grad_hook repeat requires_grad_ reshape_as resize resize_ resize_as resize_as_
resize_as_sparse_ retain_grad row_indices set_ share_memory_ short size sparse_dim sparse_mask storage storage_offset
storage_type stride sum_to_size to to_dense to_sparse to_sparse_coo to_sparse_csr tolist type type_as unfold uniform_
untyped_storage values view view_as zero_
""".split()
_ASKING_OF_MODULES = {
    "nn.functional": """
adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool1d_with_indices
adaptive_max_pool2d adaptive_max_pool2d_with_indices adaptive_max_pool3d adaptive_max_pool3d_with_indices affine_grid
alpha_dropout avg_pool1d avg_pool2d avg_pool3d batch_norm bilinear binary_cross_entropy
binary_cross_entropy_with_logits celu channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d
conv_transpose3d cosine_embedding_loss cosine_similarity cross_entropy ctc_loss dropout dropout1d dropout2d dropout3d
elu embedding embedding_bag feature_alpha_dropout fold fractional_max_pool2d fractional_max_pool2d_with_indices
fractional_max_pool3d fractional_max_pool3d_with_indices gaussian_nll_loss gelu glu grid_sample group_norm
gumbel_softmax hardshrink hardtanh hinge_embedding_loss huber_loss instance_norm interpolate kl_div l1_loss layer_norm
leaky_relu linear linear_cross_entropy local_response_norm log_softmax logsigmoid lp_pool1d lp_pool2d lp_pool3d
margin_ranking_loss max_pool1d max_pool1d_with_indices max_pool2d max_pool2d_with_indices max_pool3d
max_pool3d_with_indices max_unpool1d max_unpool2d max_unpool3d mish mse_loss multi_head_attention_forward
multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss native_channel_shuffle nll_loss normalize one_hot
pad pairwise_distance pdist pixel_shuffle pixel_unshuffle poisson_nll_loss prelu relu relu6 rms_norm rrelu
scaled_dot_product_attention selu silu smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign
tanhshrink threshold triplet_margin_loss triplet_margin_with_distance_loss unfold
""".split(),
    "linalg": """
cholesky cholesky_ex cond cross det diagonal eig eigh eigvals eigvalsh householder_product inv inv_ex ldl_factor
ldl_factor_ex ldl_solve lstsq lu lu_factor lu_factor_ex lu_solve matmul matrix_exp matrix_norm matrix_power
matrix_rank multi_dot norm pinv qr slogdet solve solve_ex solve_triangular svd svdvals tensorinv tensorsolve vander
vecdot vector_norm
""".split(),
    "fft": """
fft fft2 fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2 irfftn rfft rfft2
rfftn
""".split(),
    "special": """
airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v
chebyshev_polynomial_w digamma entr erf erfc erfcx erfinv exp2 expit expm1 gammainc gammaincc gammaln
hermite_polynomial_h hermite_polynomial_he i0 i0e i1 i1e laguerre_polynomial_l legendre_polynomial_p log1p log_ndtr
log_softmax logit logsumexp modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 multigammaln
ndtr ndtri polygamma psi round scaled_modified_bessel_k0 scaled_modified_bessel_k1 shifted_chebyshev_polynomial_t
shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w sinc softmax
spherical_bessel_j0 xlog1py xlogy zeta
""".split(),
}
