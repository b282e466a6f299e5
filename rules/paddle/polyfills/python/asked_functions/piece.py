import dis
import functools
import sys
import types

import paddle
from paddle.base.framework import EagerParamBase

from .methods_of_tensors import _method, _method_or_later, _methods
from .overrides import _function, _function_or_later, _register
from .put_off import _is_later
from .scope import _NOTHING, _OWN, _for_code
from .torch_function import _ORDINARY, _asked, _whom_to_ask, _overloading, _torch_function_of, _with_modes

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


class _PlainTensor(paddle.Tensor):
    """What a tensor of a class is while an operator has it: its own methods are none of the operator's."""


class _PlainParameter(EagerParamBase):
    pass


_OPERATORS_BY_NAME = {
    "__add__": "add", "__radd__": "add", "__sub__": "sub", "__mul__": "mul", "__rmul__": "mul", "__truediv__": "div",
    "__div__": "div", "__mod__": "remainder", "__matmul__": "matmul", "__ne__": "ne", "__lt__": "lt", "__gt__": "gt",
    "__le__": "le", "__ge__": "ge", "__rand__": "bitwise_and", "__ror__": "bitwise_or", "__rxor__": "bitwise_xor",
    "__neg__": "neg", "__pos__": "positive", "__abs__": "abs", "__pow__": "pow", "__iadd__": "add_", "__isub__": "sub_",
    "__imul__": "mul_", "__itruediv__": "div_", "__idiv__": "div_", "__ifloordiv__": "floor_divide_",
    "__imod__": "remainder_", "__ipow__": "pow_",
}  # fmt: skip
_DECLINING = {
    f"__{way}{name}__"
    for name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift lt le gt ge eq ne".split()
    for way in ("", "r", "i")
}  # which give NotImplemented for what they do not take
_covered = {_OWN: True}


def _template(*args, **kwargs):
    """What a function does once there are classes: the texts stand for the objects of _make_asking."""
    plain = "plain"
    modes = "modes"
    ask = "ask"
    theirs = "theirs"
    for each in args:
        if each.__class__ not in plain:
            return ask(args, kwargs)
    for each in kwargs.values():
        if each.__class__ not in plain:
            return ask(args, kwargs)
    return ask(args, kwargs) if modes else theirs(*args, **kwargs)


def _ask(function, args, kwargs=None):
    """What classes, and modes, make of a function."""
    return _asked(function, [*args, *(kwargs or {}).values()], args, kwargs or None)


def _answered(function, args, kwargs):
    """What a function gives of tensors of classes, as of plain ones."""
    found = {}
    for each in (*args, *kwargs.values()):
        for one in each if isinstance(each, (list, tuple)) else (each,):
            kind = type(one)
            if kind not in _ORDINARY and isinstance(one, paddle.Tensor):
                found[id(one)] = one, kind
    if any(hasattr(kind, "__torch_dispatch__") or "_has_no_memory" in vars(one) for one, kind in found.values()):
        raise NotImplementedError("Under Paddle, operators ask no __torch_dispatch__, and need memory of a tensor")
    try:
        for one, kind in found.values():
            one.__class__ = _PlainParameter if issubclass(kind, EagerParamBase) else _PlainTensor
        return function(*args, **kwargs)
    finally:
        for one, kind in found.values():
            one.__class__ = kind


def _answer_of(theirs, name, function):
    """What a function does if it has arguments of other kinds than most, or if there are modes."""
    unchanged = name in ("backward", "grad")  # whose hooks may use the tensor
    passed = _OPERATORS_BY_NAME.get(name)
    numbers = () if "matmul" in name else (int, float, complex)

    def call(args, kwargs):
        given = [*args, *kwargs.values()]
        found = _overloading(given) if _whom_to_ask.classes and name not in _ASKING_MODES else ()
        if not found:
            kinds = {type(each) for each in given if not isinstance(each, (list, tuple, paddle.Tensor))}
            _ORDINARY.update(kind for kind in kinds if not hasattr(kind, "__torch_function__"))
        if name in _DECLINING and name not in ("__eq__", "__ne__"):
            if not all(isinstance(each, (paddle.Tensor, *numbers)) or _torch_function_of(type(each)) for each in args):
                return NotImplemented
        if not found and not (_whom_to_ask.modes and _for_code(_covered, sys._getframe(2)) is not _NOTHING):
            return theirs(*args, **kwargs) if unchanged else _answered(theirs, args, kwargs)
        try:
            return _ask(_method(passed) if passed else function, args, kwargs)
        except TypeError:
            if name in _DECLINING:
                return NotImplemented
            raise

    return call


class _AskingObject:
    """A function of C's, or an object that is called, which asks classes: the same for code that compares it."""

    def __init__(self, theirs, name):
        self.__wrapped__, self.__name__, self._asks_as = theirs, name, self
        self._answer = _answer_of(theirs, name, self)

    def __call__(self, *args, **kwargs):
        if kwargs or _with_modes or any(each.__class__ not in _ORDINARY for each in args):
            return self._answer(args, kwargs)
        return self.__wrapped__(*args)

    def __get__(self, tensor, owner=None):
        return self if tensor is None else types.MethodType(self, tensor)

    def __getattr__(self, name):
        return getattr(self.__wrapped__, name)

    def __eq__(self, other):
        return self is other or self.__wrapped__ == other

    def __hash__(self):
        return hash(self.__wrapped__)


def _make_asking(function, name, answering=None):
    """Let a function ask classes also where it is known already: it remains the same object."""
    if _asks(function) and name != function.__name__ and isinstance(function, types.FunctionType):
        function = _copy_of_function(function.__wrapped__)  # for a second name, as torch has one for each
        function.__name__ = name
    if isinstance(function, type) or _asks(function):
        return function
    if isinstance(function, functools.partial):  # so that it is no method
        theirs = functools.partial(function.func, *function.args, **function.keywords)
        asking = types.FunctionType(_template.__code__, globals(), name)
        function.__setstate__((asking, (), {}, {**vars(function), "__name__": name}))
    elif isinstance(function, types.FunctionType):
        theirs = _copy_of_function(function)
        if function.__name__ not in _known_names or name.startswith("__"):
            function.__name__ = name
        asking = function
    else:
        return _AskingObject(function, name)
    call = answering(theirs) if answering else _answer_of(theirs, name, function)
    given = {"plain": _ORDINARY, "modes": _with_modes, "theirs": theirs, "ask": call}
    own, code = _with_outer_variables(_template.__code__, asking.__code__.co_freevars), asking.__code__
    constants = tuple(given.get(each, each) if isinstance(each, str) else each for each in own.co_consts)
    asking.__code__ = own.replace(co_consts=constants, co_name=code.co_name, co_filename=code.co_filename)
    function.__wrapped__, function._asks_as = theirs, function
    return function


def _with_outer_variables(code, names):
    """Code that has these variables of an outer function, and takes them as its first step: what shows the variables
    of a frame, as a debugger or pytest, ends the process where a frame has not taken them."""
    taking = dis.opmap.get("COPY_FREE_VARS")  # Python 3.10 does it before the first step
    if not names or taking is None:
        return code.replace(co_freevars=names)
    without_place = b"\xf8"  # of one step, in the table of lines
    return code.replace(
        co_freevars=names,
        co_code=bytes([taking, len(names)]) + code.co_code,
        co_linetable=without_place + code.co_linetable,
    )


def _asks(function):
    return getattr(function, "_asks_as", _OWN) is function  # another one's is copied to functions around it


def _copy_of_function(function):
    made = types.FunctionType(*(getattr(function, f"__{part}__") for part in _PARTS))
    made.__kwdefaults__ = function.__kwdefaults__
    vars(made).update(vars(function))
    return made


_PARTS = ("code", "globals", "name", "defaults", "closure")
_known_names = {
    *(*_ASKING_OF_BOTH, *_ASKING_OF_TORCH, *_ASKING_MODES, *_ASKING_OF_TENSORS),
    *(name for module in _ASKING_OF_MODULES for name in _ASKING_OF_MODULES[module]),
}


def _let_ask(found, name, replace):
    """Let what there is by a name ask classes: now, or once it is made."""
    name = name.removeprefix("nn.functional.").removeprefix("autograd.")
    short = name.replace(".", "_")  # as those of other modules are called
    if not _is_later(found):
        made = _make_asking(found, short) if callable(found) else found
        if made is not found:
            replace(**{name: made})
    elif found._make is None:
        found._value = _make_asking(found._value, short)
    else:
        make = found._make
        found._make = lambda: _make_asking(make(), short)


def _names_of_tensors():
    in_place = [f"{name}_" for name in _ASKING_OF_BOTH]
    return [name for name in (*_ASKING_OF_TENSORS, *_ASKING_OF_BOTH, *in_place) if _method_or_later(name) is not None]


_asking_begun: list[bool] = []


def _ask_classes():
    """From now on functions ask classes: until the first tensor of one is made, they are as they were."""
    if _asking_begun:
        return
    _asking_begun.append(True)
    _ORDINARY.update([_PlainTensor, _PlainParameter])
    for name in (*_names_of_functions(), *_ASKING_MODES):
        found = _function_or_later(name)
        _let_ask(found, name, lambda **named: _register({}, {f"torch.{n}": value for n, value in named.items()}))
    for name in _names_of_tensors():
        _let_ask(_method_or_later(name), name, _methods)
    for name in _ASKING_OF_MODULES["nn.functional"]:  # those that Paddle's layers call
        function = vars(paddle.nn.functional).get(name)
        if isinstance(function, types.FunctionType):
            _make_asking(function, name)
    _make_asking(paddle.nn.Layer.__call__, "__call__", _CallOfLayers)


class _CallOfLayers:
    """Before a layer is first called, its forward asks classes as a whole, if it calls no function that asks them."""

    def __init__(self, theirs):
        self._theirs = theirs

    def __call__(self, args, kwargs):
        kind = type(args[0])
        if kind not in _ORDINARY:
            _ORDINARY.add(kind)
            owner = next(each for each in kind.__mro__ if "forward" in vars(each))
            module = owner.__module__
            ours = module.rpartition(".")[0] == __name__.rpartition(".")[0] or module.startswith(_LAYERS)
            if ours and not module.endswith(("container", "layers.layers")):
                _let_forward_ask(vars(owner)["forward"], owner.__name__)
        return self._theirs(*args, **kwargs)


def _let_forward_ask(forward, layer):
    used, known = forward.__code__.co_names, forward.__globals__
    functions = [home(name) for name in used for home in (known.get, functools.partial(_inner, known.get("F")))]
    if "_torch" not in used and not any(map(_asks, functions)):
        _make_asking(forward, "forward")
        named = {name.replace("_", ""): name for name in _ASKING_OF_MODULES["nn.functional"]}
        forward.__name__ = named.get(layer.lower(), forward.__name__)  # as torch's forward calls it


def _inner(module, name):
    return getattr(module, name, None)


_LAYERS = ("paddle.nn.layer.", "paddle.compat.nn")


def _names_of_functions():
    names = [*_ASKING_OF_BOTH, *_ASKING_OF_TORCH]
    inner = [f"{module}.{name}" for module in _ASKING_OF_MODULES for name in _ASKING_OF_MODULES[module]]
    return [*names, "autograd.grad", *inner]


def get_overridable_functions():
    """The functions that ask, by what has them."""
    found = {}
    for name in _names_of_functions():
        function = _function(name)
        if function is not None:
            home = _function(name.rpartition(".")[0]) if "." in name else sys.modules["torch"]
            found.setdefault(home, []).append(function)
    found[paddle.Tensor] = [_method(name) for name in _names_of_tensors()]
    return found
