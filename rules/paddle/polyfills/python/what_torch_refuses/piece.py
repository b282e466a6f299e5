import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods


def _refuse_unless(holds, said, kind=RuntimeError):
    if not holds:
        raise kind(said)


def _numbers_of(given):
    """The numbers of a call that takes them one by one, or as a list."""
    return given[0] if len(given) == 1 and isinstance(given[0], (list, tuple)) else given


def _check_permute(input, *dims):
    said = "permute: number of dimensions in the tensor input does not match the length of the desired ordering"
    _refuse_unless(len(_numbers_of(dims)) == input.ndim, said)


def _check_repeat(input, *sizes):
    said = "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
    _refuse_unless(len(_numbers_of(sizes)) >= input.ndim, said)


def _check_of_vectors(input, other):
    said = f"1D tensors expected, but got {input.ndim}D and {other.ndim}D tensors"
    _refuse_unless(input.ndim == other.ndim == 1, said)


def _check_mean(input, *rest, dtype=None, **named):
    said = "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: "
    counted = not (input.is_floating_point() or input.is_complex())
    _refuse_unless(dtype is not None or len(rest) > 2 or not counted, said + str(input.dtype).rpartition(".")[2])


def _check_deviation(input, *rest, **named):
    counted = not (input.is_floating_point() or input.is_complex())
    _refuse_unless(not counted, "std and var only support floating point and complex dtypes")


def _check_clamp(input, min=None, max=None, **named):
    _refuse_unless(min is not None or max is not None, "torch.clamp: At least one of 'min' or 'max' must not be None")


def _check_negated(input):
    said = "Negation, the `-` operator, on a bool tensor is not supported; `~` and `logical_not()` are."
    _refuse_unless(input.dtype != paddle.bool, said)


def _check_highest(input, dim=None, *rest, **named):
    said = "Expected reduction dim to be specified for input.numel() == 0."
    _refuse_unless(dim is not None or 0 not in input.shape, said, IndexError)


def _check_padded(input, pad, *rest, **named):
    if not isinstance(pad, (list, tuple)):
        return
    _refuse_unless(len(pad) % 2 == 0, "Padding length must be divisible by 2")
    said = "Padding length should be less than or equal to two times the input dimension"
    _refuse_unless(len(pad) <= 2 * input.ndim, said)


def _check_interpolated(input, size=None, scale_factor=None, mode="nearest", *rest, **named):
    known = ("nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear", "area")
    said = f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.ndim}D) for the modes: {mode}"
    _refuse_unless(mode in known and 3 <= input.ndim <= 5, said, NotImplementedError)


def _check_normalized(input, mean=None, variance=None, weight=None, bias=None, training=False, *rest, **named):
    values = input.size // max(input.shape[1], 1) if input.ndim > 1 else 2
    said = f"Expected more than 1 value per channel when training, got input size torch.Size({list(input.shape)})"
    _refuse_unless(not training or values != 1, said, ValueError)


def _check_ctc(log_probs, targets, input_lengths, target_lengths, *rest, **named):
    """Paddle would end the process."""
    _refuse_unless(log_probs.ndim in (2, 3), "log_probs must have 2 or 3 dimensions")
    count = log_probs.shape[1] if log_probs.ndim == 3 else 1
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        many = lengths.size if isinstance(lengths, paddle.Tensor) else len(lengths)
        _refuse_unless(many == count, f"{name} must be of size batch_size")


def _check_joined_tensors(tensors, *rest, **named):
    _refuse_unless(len(tensors) > 0, "torch.cat(): expected a non-empty list of Tensors", ValueError)


def _check_stacked_tensors(tensors, *rest, **named):
    _refuse_unless(len(tensors) > 0, "stack expects a non-empty TensorList")


def _check_wants_gradient(input, requires_grad=True):
    takes = not requires_grad or input.is_floating_point() or input.is_complex()
    _refuse_unless(takes, "only Tensors of floating point dtype can require gradients")


_CHECKS_OF_BOTH = {
    "permute": _check_permute, "dot": _check_of_vectors, "outer": _check_of_vectors, "mean": _check_mean,
    "std": _check_deviation, "var": _check_deviation,
    "clamp": _check_clamp, "neg": _check_negated, "argmax": _check_highest, "argmin": _check_highest,
}  # fmt: skip
_CHECKS_OF_TENSORS = {"repeat": _check_repeat, "__neg__": _check_negated, "requires_grad_": _check_wants_gradient}
_CHECKS_OF_TORCH = {
    "nn.functional.pad": _check_padded, "nn.functional.interpolate": _check_interpolated,
    "nn.functional.batch_norm": _check_normalized,
    "nn.functional.ctc_loss": _check_ctc, "cat": _check_joined_tensors, "stack": _check_stacked_tensors,
}  # fmt: skip
_EVERY_CHECK = {**_CHECKS_OF_BOTH, **_CHECKS_OF_TENSORS, **_CHECKS_OF_TORCH}


def _checked(theirs, name):
    check = _EVERY_CHECK[name]

    @functools.wraps(theirs)
    def called(*args, **kwargs):
        try:
            check(*args, **kwargs)
        except (TypeError, AttributeError):  # other names, or no tensors: a matter of the function
            pass
        return theirs(*args, **kwargs)

    return called


_wrap_methods(_checked, [*_CHECKS_OF_BOTH, *_CHECKS_OF_TENSORS])
_wrap_functions(_checked, [*_CHECKS_OF_BOTH, *_CHECKS_OF_TORCH])
