import functools

import paddle
import paddle.nn.functional as functional

from .computing import _HALVES, _applied, _as_dtype, _of_itself, _writing
from .cubic_grids import _cubic_samples
from .functions import _moments
from .normed import _normalized
from .promotion import _result_dtype
from .torchs_meaning import _torch


def torch_embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    def looked_up(table):
        rows = paddle.index_select(table, indices.flatten()).reshape([*indices.shape, table.shape[1]])
        if scale_grad_by_freq:
            places = indices.flatten().astype("int64")
            counts = paddle.bincount(places)[places].reshape([*indices.shape, 1])
            rows = rows.detach() + (rows - rows.detach()) / counts.astype(table.dtype)
        padding = (indices == padding_idx).unsqueeze(-1)
        return paddle.where(padding, rows.detach(), rows) if padding_idx >= 0 else rows

    return _of_itself(looked_up, weight)


def torch_batch_norm(
    input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled=True
):
    shape = [1, -1] + [1] * (input.ndim - 2) if input.ndim > 1 else [-1]

    def normed(x, mean, variance, *scales):
        out = (x - mean.reshape(shape)) / (variance.reshape(shape) + eps).sqrt()
        scales = iter(scale.reshape(shape) for scale in scales)
        out = out if weight is None else out * next(scales)
        return out if bias is None else out + next(scales)

    mean, variance = running_mean, running_var
    if training:
        dims = [dim for dim in range(input.ndim) if dim != 1]
        variance, mean = _of_itself(lambda x: _moments(x, dims, False, None, False), input)
        count = input.size // max(variance.size, 1)
        with paddle.no_grad():
            for kept, new in ((running_mean, mean), (running_var, variance.astype("float64") * count / (count - 1))):
                if kept is not None:
                    old, new = (each.astype("float64") for each in (kept, new))
                    made = old * (1 - momentum) + new * momentum
                    paddle.assign(_as_dtype(made, kept.dtype, kept.place), kept)
        if input.dtype in _HALVES and input.place.is_cpu_place():
            scales = [each if each is None else each.reshape(shape) for each in (weight, bias)]
            return _normalized(input, dims, eps, *scales, of_batch=True)
    given = [each for each in (weight, bias) if each is not None]
    return _applied(normed, input.dtype, input, mean, variance, *given)


def torch_instance_norm(
    input,
    weight,
    bias,
    running_mean,
    running_var,
    use_input_stats,
    momentum,
    eps,
    cudnn_enabled=True,
):
    if running_mean is not None or not use_input_stats:
        raise NotImplementedError("torch.instance_norm under Paddle keeps no running statistics")
    batch, channels, *rest = input.shape
    scales = [each if each is None else each.tile([batch]) for each in (weight, bias)]
    each = input.reshape([1, batch * channels, *rest])
    return torch_batch_norm(each, *scales, None, None, True, 0, eps).reshape(input.shape)


def torch_dropout(input, p, train):
    return _torch("nn.functional.dropout")(input, p, train)


def torch_alpha_dropout(input, p, train):
    return _torch("nn.functional.alpha_dropout")(input, p, train)


def torch_celu(input, alpha=1.0):
    return _of_itself(lambda x: _torch("nn.functional.celu")(x, alpha), input)


def torch_selu(input):
    return _of_itself(_torch("nn.functional.selu"), input)


def _threshold(input, threshold, value):
    def kept(x):
        return paddle.where(x <= threshold, paddle.full_like(x, value), x)

    return _of_itself(kept, input)


torch_threshold = _threshold
threshold_ = _writing(_threshold)


def functional_threshold(input, threshold, value, inplace=False):
    return (threshold_ if inplace else _threshold)(input, threshold, value)


torch_dropout_ = _writing(torch_dropout)


def torch_feature_dropout(input, p, train):
    return _torch("nn.functional.dropout2d")(input, p, train)


def torch_feature_alpha_dropout(input, p, train):
    return _torch("nn.functional.feature_alpha_dropout")(input, p, train)


torch_feature_dropout_ = _writing(torch_feature_dropout)
torch_feature_alpha_dropout_ = _writing(torch_feature_alpha_dropout)


def torch_native_dropout(input, p, train):
    """What dropout makes, and where it keeps elements."""
    if train is False:
        return input.clone(), paddle.ones_like(input, dtype="bool")
    kept = _torch("nn.functional.dropout")(paddle.ones_like(input.detach()), p, True)
    return _of_itself(lambda x: x * kept.astype(x.dtype), input), kept != 0


celu_ = _writing(torch_celu)
selu_ = _writing(torch_selu)


def functional_softmin(input, dim=None, _stacklevel=3, dtype=None):
    dim = int(input.ndim not in (0, 1, 3)) if dim is None else dim
    values = input if dtype is None else input.astype(dtype)
    return _of_itself(lambda x: _torch("nn.functional.softmax")(-x, dim), values)


def torch_pixel_shuffle(input, upscale_factor):
    images = input.reshape([-1, *input.shape[-3:]])
    made = _of_itself(lambda x: functional.pixel_shuffle(x, upscale_factor), images)
    return made.reshape([*input.shape[:-3], *made.shape[1:]])


def torch_pixel_unshuffle(input, downscale_factor):
    images = input.reshape([-1, *input.shape[-3:]])
    made = _of_itself(lambda x: functional.pixel_unshuffle(x, downscale_factor), images)
    return made.reshape([*input.shape[:-3], *made.shape[1:]])


def torch_channel_shuffle(input, groups):
    batch, channels, *rest = input.shape
    split = input.reshape([batch, groups, channels // groups, -1])
    return split.transpose([0, 2, 1, 3]).reshape([batch, channels, *rest])


def torch_bilinear(input1, input2, weight, bias=None):
    def joined(x, y, w, b=0):
        return paddle.einsum("...i,oij,...j->...o", x, w, y) + b

    given = [weight] if bias is None else [weight, bias]
    return _applied(joined, input1.dtype, input1, input2, *given)


def torch_grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    mode = ("bilinear", "nearest", "bicubic")[interpolation_mode]
    outside = ("zeros", "border", "reflection")[padding_mode]

    def sampled(x, places):
        if mode == "bicubic":
            return _cubic_samples(x, places, outside, align_corners)
        return functional.grid_sample(x, places, mode, outside, align_corners)

    return _applied(sampled, input.dtype, input, grid)


# of one image without a batch, too
def _check_windows(x, size, stride, padding, dilation=1, ceil_mode=False):
    """Refuse windows that no part of a batch has room for, of which Paddle gives values, or ends the process."""
    lengths = x.shape[2:]
    sizes, pads, holes = (_along_each(each, len(lengths)) for each in (size, padding, dilation))
    strides = sizes if stride in (None, [], ()) else _along_each(stride, len(lengths))
    for pad, kernel, hole in zip(pads, sizes, holes):
        if not 0 <= 2 * pad <= (kernel - 1) * hole + 1:
            said = f"but got pad={pad}, kernel_size={kernel} and dilation={hole}"
            raise RuntimeError(f"pad should be at most half of effective kernel size, {said}")
    counts = [_count_of_windows(*each, ceil_mode) for each in zip(lengths, sizes, strides, pads, holes)]
    if 0 not in x.shape and min(counts, default=1) < 1:
        given, made = ("x".join(map(str, [x.shape[1], *each])) for each in (lengths, counts))
        raise RuntimeError(f"Given input size: ({given}). Calculated output size: ({made}). Output size is too small")


def _batched(function, dims, input, *others):
    def called(x, *rest):
        return function(x if x.ndim == dims else x.unsqueeze(0), *rest)

    made = _applied(called, input.dtype, input, *others)
    if input.ndim == dims:
        return made
    return tuple(each.squeeze(0) for each in made) if isinstance(made, tuple) else made.squeeze(0)


def _convolved(function, x, weight, bias=None):
    """What a function that is linear in its tensors gives: Paddle's is of float32 and float64."""
    if x.is_complex():
        apart = functools.partial(_convolved, function)
        real = apart(x.real(), weight.real()) - apart(x.imag(), weight.imag())
        imaginary = apart(x.real(), weight.imag()) + apart(x.imag(), weight.real())
        out = paddle.complex(real, imaginary)
        return out if bias is None else out + bias.reshape([1, -1] + [1] * (x.ndim - 2))
    if not x.is_floating_point():
        values = (each if each is None else each.astype("float64") for each in (x, weight, bias))
        return function(*values).round().astype(x.dtype)
    return function(x, weight, bias)


def _along_each(value, rank):
    """A setting of each dimension, which torch takes as one number too."""
    each = [*value] if isinstance(value, (list, tuple)) else [value]
    return each * rank if len(each) == 1 else each


def _cropped(theirs, margins, more, x, weight, bias):
    """The whole of a transposed convolution, less a margin at both ends, more at the end."""
    made = theirs(x, weight)
    for dim, (margin, added) in enumerate(zip(margins, more, strict=True), 2):
        size = made.shape[dim] - 2 * margin + added
        if added > margin:
            shape = [*made.shape[:dim], added - margin, *made.shape[dim + 1 :]]
            made = paddle.concat([made, paddle.zeros(shape, dtype=made.dtype)], dim)
        made = paddle.slice(made, [dim], [margin], [margin + size])
    return made if bias is None else made + bias.reshape([1, -1] + [1] * (made.ndim - 2))


def _transposed(name, dims):
    theirs = getattr(functional, name)

    def convolution(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
        rest = {"stride": stride, "groups": groups, "dilation": dilation}
        settings = stride, padding, output_padding, dilation
        steps, margins, more, holes = (_along_each(each, dims - 2) for each in settings)
        if any(n >= max(both) for n, *both in zip(more, steps, holes, strict=True)):
            raise RuntimeError("output padding must be smaller than either stride or dilation")
        if any(n >= step for n, step in zip(more, steps, strict=True)):  # which Paddle refuses
            function = functools.partial(_cropped, functools.partial(theirs, **rest), margins, more)
        else:
            function = functools.partial(theirs, padding=padding, output_padding=output_padding, **rest)
        convolved = functools.partial(_convolved, function)
        return _batched(convolved, dims, input, weight, *([] if bias is None else [bias]))

    return convolution


conv_transpose1d = _transposed("conv1d_transpose", 3)
conv_transpose2d = _transposed("conv2d_transpose", 4)
conv_transpose3d = _transposed("conv3d_transpose", 5)


def _count_of_windows(length, size, stride, padding, dilation, ceil_mode):
    """How many windows torch takes along a dimension: none that begins in the padding behind."""
    span = length + 2 * padding - dilation * (size - 1) - 1
    count = (-(-span // stride) if ceil_mode else span // stride) + 1
    return count - 1 if ceil_mode and (count - 1) * stride >= length + padding else count


def _windows(length, size, stride, padding, dilation, ceil_mode):
    """The places along a dimension that each window takes, a row a window."""
    count = _count_of_windows(length, size, stride, padding, dilation, ceil_mode)
    begins = paddle.arange(count).unsqueeze(1) * stride - padding
    return begins + paddle.arange(size) * dilation


def _of_windows(made, lengths, size, stride, padding):
    """What Paddle gives of the windows that torch takes with ceil_mode."""
    each = [_along_each(value, len(lengths)) for value in (size, stride or size, padding)]
    counts = [_count_of_windows(*settings, 1, True) for settings in zip(lengths, *each, strict=True)]
    return made if made.shape[-len(counts) :] == counts else made[(..., *map(slice, counts))]


def _largest(x, *settings):
    """The largest of each window, which may have holes, and where it is."""
    rank = x.ndim - 2
    each = [_along_each(value, rank) for value in settings[:-1]]
    inside, place, lengths = paddle.ones([1], dtype="bool"), paddle.zeros([1], dtype="int64"), x.shape[2:]
    for dim, length in enumerate(lengths):
        places = _windows(length, *(value[dim] for value in each), settings[-1])
        x = paddle.index_select(x, places.clip(0, length - 1).flatten(), 2 + 2 * dim)
        x = x.reshape([*x.shape[: 2 + 2 * dim], *places.shape, *x.shape[3 + 2 * dim :]])
        shape = [n for other in range(rank) for n in (places.shape if other == dim else [1, 1])]
        inside = inside & ((places >= 0) & (places < length)).reshape(shape)
        place = place * length + places.reshape(shape)
    lowest = float("-inf") if x.is_floating_point() else paddle.iinfo(x.dtype).min
    x = paddle.where(inside, x, paddle.full_like(x, lowest))
    firsts, seconds = range(0, 2 * rank, 2), range(1, 2 * rank, 2)
    x = x.transpose([0, 1, *(2 + n for n in (*firsts, *seconds))])
    shape = x.shape[2 : 2 + rank]
    x = x.reshape([*x.shape[: 2 + rank], -1])
    place = place.transpose([*firsts, *seconds]).reshape([1, 1, *shape, -1]).expand(x.shape)
    largest = x.argmax(-1, keepdim=True)
    return tuple(paddle.take_along_axis(of, largest, -1).squeeze(-1) for of in (x, place))


def _pooled(function, dims, input, size, stride, padding, dilation, ceil_mode, indices):
    holes = dilation if isinstance(dilation, (list, tuple)) else [dilation]
    stride = stride if stride not in ([], ()) else None
    margins = padding if isinstance(padding, (list, tuple)) else [padding]
    outside = indices and ceil_mode and any(margins)  # Paddle gives places there, or ends the process
    ours = outside or any(each != 1 for each in holes) or not input.is_floating_point()

    def pooled(x):
        _check_windows(x, size, stride, padding, dilation, ceil_mode)
        if ours:
            return _largest(x, size, size if stride is None else stride, padding, dilation, ceil_mode)
        made = function(x, size, stride, padding, return_mask=indices, ceil_mode=ceil_mode)
        return made if indices or not ceil_mode else _of_windows(made, x.shape[2:], size, stride, padding)

    made = _batched(pooled, dims, input)
    if indices:
        return made[0], made[1].astype(paddle.int64)
    return made[0] if ours else made


def torch_max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    rest = kernel_size, stride, padding, dilation, ceil_mode
    return _pooled(functional.max_pool1d, 3, input, *rest, False)


def functional_max_pool1d_with_indices(
    input,
    kernel_size,
    stride=None,
    padding=0,
    dilation=1,
    ceil_mode=False,
    return_indices=False,
):
    rest = kernel_size, stride, padding, dilation, ceil_mode
    return _pooled(functional.max_pool1d, 3, input, *rest, True)


def functional_adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    def pooled(x):
        return functional.adaptive_max_pool1d(x, output_size, return_mask=True)

    made, indices = _batched(pooled, 3, input)
    return made, indices.astype(paddle.int64)


def torch_max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    rest = kernel_size, stride, padding, dilation, ceil_mode
    return _pooled(functional.max_pool2d, 4, input, *rest, False)


def functional_max_pool2d_with_indices(
    input,
    kernel_size,
    stride=None,
    padding=0,
    dilation=1,
    ceil_mode=False,
    return_indices=False,
):
    rest = kernel_size, stride, padding, dilation, ceil_mode
    return _pooled(functional.max_pool2d, 4, input, *rest, True)


def functional_adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    def pooled(x):
        return functional.adaptive_max_pool2d(x, output_size, return_mask=True)

    made, indices = _batched(pooled, 4, input)
    return made, indices.astype(paddle.int64)


def torch_max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    rest = kernel_size, stride, padding, dilation, ceil_mode
    return _pooled(functional.max_pool3d, 5, input, *rest, False)


def functional_max_pool3d_with_indices(
    input,
    kernel_size,
    stride=None,
    padding=0,
    dilation=1,
    ceil_mode=False,
    return_indices=False,
):
    rest = kernel_size, stride, padding, dilation, ceil_mode
    return _pooled(functional.max_pool3d, 5, input, *rest, True)


def functional_adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    def pooled(x):
        return functional.adaptive_max_pool3d(x, output_size, return_mask=True)

    made, indices = _batched(pooled, 5, input)
    return made, indices.astype(paddle.int64)


def torch_max_pool1d_with_indices(input, *arguments, **options):
    return functional_max_pool1d_with_indices(input, *arguments, **options)


def torch_adaptive_max_pool1d(input, output_size):
    return functional_adaptive_max_pool1d_with_indices(input, output_size)


def torch_avg_pool1d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True
):
    def pooled(x):
        exclusive = not count_include_pad
        return functional.avg_pool1d(x, kernel_size, stride, padding, exclusive, ceil_mode)

    return _batched(pooled, 3, input)


def functional_upsample_nearest(input, size=None, scale_factor=None):
    return _torch("nn.functional.interpolate")(input, size, scale_factor, "nearest")


def functional_upsample_bilinear(input, size=None, scale_factor=None):
    return _torch("nn.functional.interpolate")(input, size, scale_factor, "bilinear", align_corners=True)


def functional_multilabel_soft_margin_loss(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    if size_average is not None or reduce is not None:
        reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
    dtype = _result_dtype(*(each for each in (input, target, weight) if each is not None))
    input, target = input.astype(dtype), target.astype(dtype)
    return functional.multi_label_soft_margin_loss(input, target, weight, reduction)


def _shorten(weight, places, max_norm, norm_type):
    """Scale rows of a table, in place, that are longer than a norm."""
    with paddle.no_grad():
        rows = paddle.index_select(weight, places)
        norms = paddle.linalg.norm(rows, norm_type, -1, keepdim=True)
        scales = paddle.where(norms > max_norm, max_norm / (norms + 1e-7), paddle.ones_like(norms))
        made = paddle.scatter(weight.detach(), places, rows * scales)
        paddle.assign(made, weight)


def _bags(input, offsets, include_last_offset):
    """How many bags there are, and the one of each index."""
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None")
        bags, length = input.shape
        return bags, paddle.arange(bags).unsqueeze(1).expand([bags, length]).flatten()
    if input.ndim != 1 or offsets is None or offsets.ndim != 1:
        raise ValueError("input has to be a 2D Tensor, or a 1D one with offsets, which are a 1D Tensor")
    if offsets.place.is_cpu_place() and offsets.shape[0] and int(offsets[0]) != 0:  # where torch looks, too
        raise RuntimeError("offsets[0] has to be 0")
    bags = offsets.shape[0] - int(include_last_offset)
    places = paddle.arange(input.shape[0], dtype=offsets.dtype)
    return bags, paddle.searchsorted(offsets[:bags], places, right=True) - 1


def _check_bags(mode, per_sample_weights, scale_grad_by_freq, input):
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError("per_sample_weights are only supported for mode='sum'")
    if per_sample_weights is not None and per_sample_weights.shape != input.shape:
        raise ValueError("per_sample_weights must have the shape of input")


def functional_embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    _check_bags(mode, per_sample_weights, scale_grad_by_freq, input)
    bags, bag = _bags(input, offsets, include_last_offset)
    index, given = input.flatten(), [] if per_sample_weights is None else [per_sample_weights.flatten()]
    if padding_idx is not None:
        kept = paddle.nonzero(index != padding_idx % weight.shape[0]).flatten()
        index, bag, *given = (paddle.index_select(each, kept) for each in (index, bag, *given))
    if max_norm is not None and index.shape[0]:
        _shorten(weight, paddle.unique(index), max_norm, norm_type)

    def gathered(table, *scales):
        zero = paddle.zeros([bags, table.shape[1]], dtype=table.dtype)
        if not index.shape[0]:
            return zero + 0 * table.sum()
        rows = paddle.index_select(table, index)
        if scale_grad_by_freq:  # the same values, with a part of the gradient
            times = paddle.index_select(paddle.bincount(index), index).astype(table.dtype).unsqueeze(1)
            rows = rows / times + (rows - rows / times).detach()
        if scales:
            rows = rows * scales[0].reshape([-1, 1])
        if mode == "max":
            places = bag.unsqueeze(1).expand(rows.shape)
            return paddle._C_ops.put_along_axis(zero, places, rows, 0, "amax", False)
        total = paddle.index_add(zero, bag, 0, rows)
        count = paddle.bincount(bag, minlength=bags).clip(1).astype(table.dtype)
        return total / count.unsqueeze(1) if mode == "mean" else total

    return _applied(gathered, weight.dtype, weight, *given)
