import paddle


def _sums_of_channels(x):
    return x.sum([0, *range(2, x.ndim)])


def _along_channels(values, x):
    return values.reshape([1, -1] + [1] * (x.ndim - 2))


def _wide(x):
    return x if x.dtype == paddle.float64 else x.astype("float32")


def batch_norm_stats(input, eps):
    """The mean of each channel, and the inverse of its standard deviation."""
    x = _wide(input)
    count = x.size // x.shape[1]
    mean = _sums_of_channels(x) / count
    apart = x - _along_channels(mean, x)
    return mean, (_sums_of_channels(apart * apart) / count + eps).rsqrt()


def batch_norm_elemt(input, weight, bias, mean, invstd, eps):
    x = _wide(input)
    found = (x - _along_channels(mean, x)) * _along_channels(invstd, x)
    found = found if weight is None else found * _along_channels(weight, x)
    found = found if bias is None else found + _along_channels(bias, x)
    return found.astype(input.dtype)


def batch_norm_gather_stats_with_counts(input, mean, invstd, running_mean, running_var, momentum, eps, counts):
    """The same of the values of all processes, from those of each; the running ones follow."""
    counts = counts.reshape([-1, 1]).astype(mean.dtype)
    total = counts.sum()
    center = (mean * counts).sum(0) / total
    squares = (1 / (invstd * invstd) - eps + (mean - center) ** 2) * counts
    variance = squares.sum(0) / total
    with paddle.no_grad():
        for running, now in ((running_mean, center), (running_var, variance * total / (total - 1))):
            if running is not None:
                paddle.assign(running * (1 - momentum) + momentum * now.astype(running.dtype), running)
    return center, (variance + eps).rsqrt()


def batch_norm_gather_stats(input, mean, invstd, running_mean, running_var, momentum, eps, count):
    counts = paddle.full([mean.shape[0]], float(count), mean.dtype)
    return batch_norm_gather_stats_with_counts(input, mean, invstd, running_mean, running_var, momentum, eps, counts)


def batch_norm_backward_reduce(grad_out, input, mean, invstd, weight, input_g, weight_g, bias_g):
    """The sums over a channel that its gradients need, and the gradients of weight and bias."""
    gradient, x = _wide(grad_out), _wide(input)
    total = _sums_of_channels(gradient)
    with_apart = _sums_of_channels(gradient * (x - _along_channels(mean, x)))
    kept = mean.dtype if weight is None else weight.dtype
    of_weight = (with_apart * invstd).astype(kept) if weight_g else None
    sums = (total, with_apart) if input_g else (None, None)
    return *sums, of_weight, total.astype(kept) if bias_g else None


def batch_norm_backward_elemt(grad_out, input, mean, invstd, weight, sum_dy, sum_dy_xmu, count):
    """The gradient of the input, from the sums of all processes."""
    gradient, x, total = _wide(grad_out), _wide(input), count.sum().astype(mean.dtype)
    slope = invstd if weight is None else invstd * weight.astype(invstd.dtype)
    share = _along_channels(invstd * invstd * sum_dy_xmu / total, x)
    found = gradient - _along_channels(sum_dy / total, x) - (x - _along_channels(mean, x)) * share
    return (found * _along_channels(slope, x)).astype(input.dtype)
