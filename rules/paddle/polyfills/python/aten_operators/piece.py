import functools

from .methods_of_tensors import _method, _method_or_later
from .operators import _namespace
from .torchs_meaning import _torch

_ATEN_REDUCTIONS = ("none", "mean", "sum")  # by the numbers that operators take
_ATEN_HOMES = {"linalg_": "linalg.", "special_": "special.", "fft_": "fft."}
_ATEN_OF_FUNCTIONAL = frozenset(  # which have the parameters of the operator, in its order
    "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d avg_pool2d avg_pool3d elu gelu glu hardsigmoid "
    "hardswish hardtanh leaky_relu linear mish one_hot pad relu6 scaled_dot_product_attention silu softplus".split()
)


def _sliced(x, dim=0, start=None, end=None, step=1):
    index = [slice(None)] * (dim % x.ndim) + [slice(start, end, step)]
    return x[tuple(index)]


def _indexed(x, indices):
    return x[tuple(slice(None) if each is None else each for each in indices)]


def _to_copy(x, *, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, memory_format=None):
    return _method("to")(x, device or x.device, dtype or x.dtype, non_blocking, True)


def _with_reduction(name):
    def loss(input, target, weight=None, reduction=1, **named):
        named |= {} if weight is None else {"weight": weight}
        return _torch(f"nn.functional.{name}")(input, target, reduction=_ATEN_REDUCTIONS[reduction], **named)

    return loss


_ATEN_FUNCTIONS = {
    "_local_scalar_dense": lambda x: x.item(),
    "_log_softmax": lambda x, dim, half_to_float=False: _torch("log_softmax")(x, dim),
    "_softmax": lambda x, dim, half_to_float=False: _torch("softmax")(x, dim),
    "_to_copy": _to_copy,
    "_unsafe_view": lambda x, size: _method("reshape")(x, size),
    "_pin_memory": lambda x, device=None: _method("pin_memory")(x),
    "alias": lambda x: x.view(x.shape),
    "binary_cross_entropy": _with_reduction("binary_cross_entropy"),
    "copy": lambda x, src, non_blocking=False: src.to(x.dtype).expand(x.shape).clone(),
    "index": _indexed,
    "lift_fresh": lambda x: x,
    "log_sigmoid": lambda x: _torch("nn.functional.logsigmoid")(x),
    "max_pool2d_with_indices": lambda x, *sizes: _torch("nn.functional.max_pool2d")(x, *sizes, return_indices=True),
    "mse_loss": lambda x, y, reduction=1: _torch("nn.functional.mse_loss")(x, y, reduction=_ATEN_REDUCTIONS[reduction]),
    "slice": _sliced,
}


def _function_of(name):
    """What an operator calls; None if nothing of torch has its name here."""
    if name in _ATEN_FUNCTIONS:
        return _ATEN_FUNCTIONS[name]
    if name in _ATEN_OF_FUNCTIONAL:
        return _torch(f"nn.functional.{name}")
    home = next((each for each in _ATEN_HOMES if name.startswith(each)), "")
    found = _torch(_ATEN_HOMES.get(home, "") + name[len(home) :])
    if found is None and _method_or_later(name) is not None:
        found = functools.partial(_of_method, name)
    return found if callable(found) and not isinstance(found, type) else None


def _of_method(name, self, *args, **kwargs):
    return _method(name)(self, *args, **kwargs)


class _AtenOverload:
    """torch.ops.aten.name.overload."""

    def __init__(self, packet, name):
        self.overloadpacket, self._overloadname, self.namespace = packet, name, "aten"
        self.__name__ = f"{packet.__name__}.{name}"

    def __str__(self):
        return f"aten.{self.__name__}"

    def __repr__(self):
        return f"<OpOverload(op='aten.{self.overloadpacket.__name__}', overload='{self._overloadname}')>"

    def name(self):
        return self.overloadpacket._qualified_op_name + (
            "" if self._overloadname == "default" else f".{self._overloadname}"
        )

    def __call__(self, /, *args, **kwargs):
        return self.overloadpacket(*args, **kwargs)


class _AtenPacket:
    """torch.ops.aten.name."""

    def __init__(self, name, function):
        self.__name__, self._function, self._qualified_op_name = name, function, f"aten::{name}"

    def __str__(self):
        return f"aten.{self.__name__}"

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self}')>"

    def __getattr__(self, name):
        if name.startswith("_") or name in ("op", "overloads", "schemas"):
            raise AttributeError(f"The underlying op of '{self}' has no overload name {name!r}")
        return vars(self).setdefault(name, _AtenOverload(self, name))

    def __call__(self, /, *args, **kwargs):
        first = (kwargs.pop("self"),) if "self" in kwargs else ()
        return self._function(*first, *args, **kwargs)


def _given_aten(space):
    class Namespace(type(space)):
        def __getattr__(self, name):
            function = None if name.startswith("__") else _function_of(name)
            if function is None and name not in _WITHOUT_A_FUNCTION.split():
                return super().__getattr__(name)
            return vars(self).setdefault(name, _AtenPacket(name, function or functools.partial(_refuse, name)))

    space.__class__ = Namespace


def _refuse(name, *args, **kwargs):
    raise NotImplementedError(f"aten.{name}: nothing that Paddle has is called as this operator")


# Operators of torch that can be named, as the key of a dictionary is, and not called.
_WITHOUT_A_FUNCTION = """
_adaptive_avg_pool2d _adaptive_avg_pool2d_backward _adaptive_avg_pool3d _adaptive_avg_pool3d_backward _add_batch_dim
_add_relu _add_relu_ _addmm_activation _aminmax _amp_foreach_non_finite_check_and_unscale
_amp_foreach_non_finite_check_and_unscale_ _amp_update_scale _amp_update_scale_ _assert_scalar
_assert_tensor_metadata _autocast_to_full_precision _autocast_to_reduced_precision _backward _batch_norm_impl_index
_batch_norm_impl_index_backward _batch_norm_no_update _batch_norm_with_update _batch_norm_with_update_functional
_cast_Byte _cast_Char _cast_Double _cast_Float _cast_Half _cast_Int _cast_Long _cast_Short _cdist_backward
_cdist_forward _cholesky_solve_helper _coalesce _coalesced _coalesced_ _compute_linear_combination _conj _conj_copy
_conj_physical _conv_depthwise2d _convert_indices_from_coo_to_csr _convert_indices_from_csr_to_coo
_convert_weight_to_int4pack _convert_weight_to_int4pack_for_cpu _convolution _convolution_double_backward
_convolution_mode _copy_from _copy_from_and_resize _ctc_loss _ctc_loss_backward _cummax_helper _cummin_helper
_debug_has_internal_overlap _dimI _dimV _dim_arange _efficient_attention_backward _efficient_attention_forward
_efficientzerotensor _embedding_bag _embedding_bag_backward _embedding_bag_dense_backward
_embedding_bag_forward_only _embedding_bag_per_sample_weights_backward _embedding_bag_sparse_backward
_euclidean_dist _fft_c2c _fft_c2r _fft_r2c _fill_mem_eff_dropout_mask_ _flash_attention_backward
_flash_attention_forward _flash_attention_forward_no_dropout_inplace _foobar _foreach_copy _foreach_mm
_foreach_powsum _foreach_zero _functional_assert_async _functional_assert_scalar _functional_sym_constrain_range
_functional_sym_constrain_range_for_size _fused_adagrad _fused_adagrad_ _fused_adam _fused_adam_ _fused_adamw
_fused_adamw_ _fused_dropout _fused_moving_avg_obs_fq_helper _fused_moving_avg_obs_fq_helper_functional
_fused_rms_norm _fused_rms_norm_backward _fused_sdp_choice _fused_sgd _fused_sgd_ _fw_primal _fw_primal_copy
_gather_sparse_backward _grid_sampler_2d_cpu_fallback _grid_sampler_2d_cpu_fallback_backward _grouped_mm
_has_compatible_shallow_copy_type _has_same_storage_numel _histogramdd_bin_edges _histogramdd_from_bin_cts
_histogramdd_from_bin_tensors _index_put_impl _index_put_impl_ _indices_copy _int_mm _is_all_true _is_any_true
_is_zerotensor _lazy_clone _linalg_check_errors _linalg_det _linalg_eigh _linalg_eigvals _linalg_slogdet
_linalg_solve_ex _linalg_svd _log_softmax_backward_data _logcumsumexp _lu_with_info _make_dep_token _make_dual
_make_dual_copy _masked_scale _masked_softmax _masked_softmax_backward _mixed_dtypes_linear
_native_batch_norm_legit_functional _native_batch_norm_legit_no_training _native_multi_head_attention _neg_view
_neg_view_copy _new_zeros_with_same_feature_meta _pack_padded_sequence _pack_padded_sequence_backward _pad_circular
_pad_enum _pad_packed_sequence _pdist_backward _pdist_forward _philox_key_fold_in _philox_key_split _philox_normal
_philox_normal_ _philox_uniform _philox_uniform_ _prelu_kernel _prelu_kernel_backward _print _propagate_xla_data
_remove_batch_dim _reshape_alias _reshape_alias_copy _reshape_copy _reshape_from_tensor _resize_output
_resize_output_ _rowwise_prune _safe_softmax _saturate_weight_to_fp16 _scaled_dot_product_attention_math
_scaled_dot_product_efficient_attention _scaled_dot_product_efficient_attention_backward
_scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_backward
_scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_flash_attention_for_cpu_backward
_scaled_dot_product_fused_attention_overrideable _scaled_dot_product_fused_attention_overrideable_backward
_scaled_grouped_mm _scaled_grouped_mm_v2 _scaled_mm _scaled_mm_v2 _segment_reduce_backward _shape_as_tensor
_slow_conv2d_backward _slow_conv2d_forward _sobol_engine_draw _sobol_engine_ff_ _sobol_engine_initialize_state_
_sobol_engine_scramble_ _softmax_backward_data _sparse_addmm _sparse_broadcast_to _sparse_broadcast_to_copy
_sparse_bsc_tensor_unsafe _sparse_bsr_tensor_unsafe _sparse_compressed_tensor_unsafe
_sparse_compressed_tensor_with_dims _sparse_coo_tensor_unsafe _sparse_coo_tensor_with_dims
_sparse_coo_tensor_with_dims_and_tensors _sparse_csc_tensor_unsafe _sparse_csr_prod _sparse_csr_sum
_sparse_csr_tensor_unsafe _sparse_log_softmax _sparse_log_softmax_backward_data _sparse_mask_projection _sparse_mm
_sparse_mm_reduce_impl _sparse_mm_reduce_impl_backward _sparse_semi_structured_addmm _sparse_semi_structured_apply
_sparse_semi_structured_apply_dense _sparse_semi_structured_linear _sparse_semi_structured_mm
_sparse_semi_structured_tile _sparse_softmax _sparse_softmax_backward_data _sparse_sparse_matmul _sparse_sum
_sparse_sum_backward _spdiags _spsolve _stack _thnn_differentiable_gru_cell_backward
_thnn_differentiable_lstm_cell_backward _thnn_fused_gru_cell _thnn_fused_gru_cell_backward _thnn_fused_lstm_cell
_thnn_fused_lstm_cell_backward _thnn_fused_lstm_cell_backward_impl _to_cpu _to_dense _to_sparse _to_sparse_bsc
_to_sparse_bsr _to_sparse_csc _to_sparse_csr _to_sparse_semi_structured _transform_bias_rescale_qkv
_transformer_encoder_layer_fwd _trilinear _triton_multi_head_attention _triton_scaled_dot_attention _unique _unique2
_unpack_dual _unsafe_index _unsafe_index_put _unsafe_masked_index _unsafe_masked_index_put_accumulate
_upsample_bicubic2d_aa _upsample_bicubic2d_aa_backward _upsample_bilinear2d_aa _upsample_bilinear2d_aa_backward
_upsample_lanczos2d_aa _upsample_lanczos2d_aa_backward _upsample_nearest_exact1d _upsample_nearest_exact1d_backward
_upsample_nearest_exact2d _upsample_nearest_exact2d_backward _upsample_nearest_exact3d
_upsample_nearest_exact3d_backward _validate_compressed_sparse_indices _validate_sparse_bsc_tensor_args
_validate_sparse_bsr_tensor_args _validate_sparse_compressed_tensor_args _validate_sparse_coo_tensor_args
_validate_sparse_csc_tensor_args _validate_sparse_csr_tensor_args _values_copy _weight_norm
_weight_norm_differentiable_backward _weight_norm_interface _weight_norm_interface_backward
adaptive_avg_pool3d_backward adaptive_max_pool2d adaptive_max_pool2d_backward adaptive_max_pool3d
adaptive_max_pool3d_backward affine_grid_generator affine_grid_generator_backward alpha_dropout_ avg_pool2d_backward
avg_pool3d_backward batch_norm_backward batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt
batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats batch_norm_update_stats
binary_cross_entropy_backward cauchy ccol_indices ccol_indices_copy chalf col2im col_indices_copy conv_depthwise3d
conv_tbc conv_tbc_backward convolution_backward convolution_backward_overrideable convolution_overrideable
copy_sparse_to_sparse copy_sparse_to_sparse_ cross_entropy_loss crow_indices_copy ctc_loss cummaxmin_backward
cumprod_backward diagonal_backward elu_ elu_backward embedding_backward embedding_bag embedding_dense_backward
embedding_renorm embedding_renorm_ embedding_sparse_backward exponential flatten_dense_tensors float_power_
fractional_max_pool2d fractional_max_pool2d_backward fractional_max_pool3d fractional_max_pool3d_backward
frobenius_norm from_file gather_backward gelu_ gelu_backward geometric get_gradients glu_backward glu_backward_jvp
glu_jvp grid_sampler_2d_backward grid_sampler_3d_backward gru gru_cell hardshrink_backward hardsigmoid_
hardsigmoid_backward hardswish_ hardswish_backward hardtanh_ hardtanh_backward hash_tensor hspmm huber_loss
huber_loss_backward im2col index_select_backward indices_copy infinitely_differentiable_gelu_backward is_pinned
l1_loss leaky_relu_ leaky_relu_backward lift lift_fresh_copy linalg__powsum linalg_ldl_factor linalg_ldl_factor_ex
linalg_ldl_solve linear_backward log_sigmoid_backward log_sigmoid_forward logit_backward lstm lstm_cell
masked_scatter_backward masked_select_backward matmul_backward matrix_H matrix_exp_backward max_pool2d_backward
max_pool2d_with_indices_backward max_pool3d_with_indices max_pool3d_with_indices_backward max_unpool2d max_unpool3d
mish_ mish_backward mse_loss_backward multi_margin_loss multi_margin_loss_backward multilabel_margin_loss
multilabel_margin_loss_backward multilabel_margin_loss_forward native_batch_norm_backward native_channel_shuffle
native_dropout_backward native_group_norm_backward native_layer_norm_backward native_norm nll_loss nll_loss2d
nll_loss2d_backward nll_loss2d_forward nll_loss_backward nll_loss_forward nll_loss_nd nonzero_numpy
normal_functional nuclear_norm numpy_T output_nr pad_sequence random record_stream reflection_pad1d
reflection_pad1d_backward reflection_pad2d reflection_pad2d_backward reflection_pad3d reflection_pad3d_backward
relu6_ replication_pad1d replication_pad1d_backward replication_pad2d replication_pad2d_backward replication_pad3d
replication_pad3d_backward resize resize_as resize_as_sparse resize_as_sparse_ retains_grad rnn_relu rnn_relu_cell
rnn_tanh rnn_tanh_cell row_indices row_indices_copy rrelu_with_noise rrelu_with_noise_ rrelu_with_noise_backward
rrelu_with_noise_functional segment_reduce select_backward set set_data sigmoid_backward silu_ silu_backward
slice_backward slice_inverse slow_conv3d slow_conv3d_forward slow_conv_dilated2d slow_conv_dilated3d
slow_conv_transpose2d slow_conv_transpose3d smm smooth_l1_loss smooth_l1_loss_backward soft_margin_loss
soft_margin_loss_backward softplus_backward softshrink softshrink_backward sparse_bsc_tensor sparse_bsr_tensor
sparse_compressed_tensor sparse_csc_tensor sparse_mask sparse_resize sparse_resize_ sparse_resize_and_clear
sparse_resize_and_clear_ sparse_sampled_addmm special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0
special_bessel_y1 special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0
special_modified_bessel_k1 special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1
special_spherical_bessel_j0 special_zeta sspaddmm sym_constrain_range sym_constrain_range_for_size sym_is_contiguous
sym_numel sym_size sym_storage_offset sym_stride tanh_backward thnn_conv2d threshold_backward to_dense_backward
to_padded_tensor to_sparse_bsc to_sparse_bsr to_sparse_csc trace_backward unflatten_dense_tensors unfold_backward
unique_dim unique_dim_consecutive upsample_bicubic2d upsample_bicubic2d_backward upsample_bilinear2d
upsample_bilinear2d_backward upsample_linear1d upsample_linear1d_backward upsample_nearest1d
upsample_nearest1d_backward upsample_nearest2d upsample_nearest2d_backward upsample_nearest3d
upsample_nearest3d_backward upsample_trilinear3d upsample_trilinear3d_backward value_selecting_reduction_backward
values_copy view_as_complex_copy view_as_real_copy zero
"""
_given_aten(_namespace("aten"))
