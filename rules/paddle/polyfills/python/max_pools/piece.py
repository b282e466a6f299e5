from .layer_functions import (
    functional_max_pool1d_with_indices,
    functional_max_pool2d_with_indices,
    functional_max_pool3d_with_indices,
    torch_max_pool1d,
    torch_max_pool2d,
    torch_max_pool3d,
)


def _pool(alone, with_indices):
    def max_pool(
        input,
        kernel_size,
        stride=None,
        padding=0,
        dilation=1,
        ceil_mode=False,
        return_indices=False,
    ):
        pooled = with_indices if return_indices else alone
        return pooled(input, kernel_size, stride, padding, dilation, ceil_mode)

    return max_pool


max_pool1d = _pool(torch_max_pool1d, functional_max_pool1d_with_indices)
max_pool2d = _pool(torch_max_pool2d, functional_max_pool2d_with_indices)
max_pool3d = _pool(torch_max_pool3d, functional_max_pool3d_with_indices)
