import paddle.nn.functional as functional


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    return functional.grid_sample(input, grid, mode, padding_mode, bool(align_corners))


def affine_grid(theta, size, align_corners=None):
    return functional.affine_grid(theta, list(size), bool(align_corners))
