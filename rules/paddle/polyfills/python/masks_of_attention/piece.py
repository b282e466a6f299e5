import warnings

import paddle


def _canonical_mask(mask, mask_name, other_type, other_name, target_type, check_other=True):
    """The mask as numbers to be added: minus infinity where one of truths is true."""
    if mask is None or mask.is_floating_point():
        made = mask
    elif mask.dtype == paddle.bool:
        kept = paddle.zeros(mask.shape, target_type)
        made = paddle.where(mask, paddle.full_like(kept, float("-inf")), kept)
    else:
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    if made is not None and check_other and other_type is not None and mask.dtype != other_type:
        said = f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both instead."
        warnings.warn(said, stacklevel=2)
    return made


def _none_or_dtype(input):
    if input is None or isinstance(input, paddle.Tensor):
        return None if input is None else input.dtype
    raise RuntimeError("input to _none_or_dtype() must be None or torch.Tensor")
