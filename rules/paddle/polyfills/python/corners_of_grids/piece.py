import paddle.nn.functional as functional

from .computing import _applied, _with_gradients_of_all
from .cubic_grids import _cubic_samples


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if mode == "bicubic":
        if input.ndim != 4:
            raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
        return _applied(lambda x, y: _cubic_samples(x, y, padding_mode, bool(align_corners)), input.dtype, input, grid)
    if not grid.stop_gradient:  # Paddle's backward pass of the grid alone ends the process
        input, grid = _with_gradients_of_all(input, grid)
    return functional.grid_sample(input, grid, mode, padding_mode, bool(align_corners))


def affine_grid(theta, size, align_corners=None):
    return functional.affine_grid(theta, list(size), bool(align_corners))
