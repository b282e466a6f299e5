"""What functions tell that are called from C++ and computed in Python under Paddle."""

import torch


def numbers(*shape):
    count = 1
    for size in shape:
        count *= size
    return ((torch.arange(count, dtype=torch.float64) * 7 % 11) / 4 - 1).reshape(shape)


def rounded(tensor):
    return [round(value, 6) for value in tensor.reshape([-1]).tolist()]


def gradients(ext):
    def of(function, *inputs):
        for each in inputs:
            each.requires_grad_(True)
        y = function(*inputs)
        (y * numbers(*y.shape)).sum().backward()
        return [rounded(each.grad) for each in inputs]

    return [
        of(ext.conv2d, numbers(1, 2, 3, 4), numbers(3, 2, 3, 3)),
        of(ext.layer_norm, numbers(3, 4)),
        of(ext.mse_loss, numbers(3, 4), numbers(4, 3).t().contiguous().detach() + 1),
        of(ext.bilinear, numbers(1, 2, 3, 4)),
    ]


def none_recorded(ext):
    x = numbers(1, 2, 3, 4).requires_grad_(True)
    with torch.no_grad():
        y = ext.conv2d(x, numbers(3, 2, 3, 3))
    return y.requires_grad, ext.conv2d(x.detach(), numbers(3, 2, 3, 3)).requires_grad


def threads(ext):
    return rounded(ext.elsewhere(numbers(2, 3))), rounded(ext.avg_pool2d(numbers(1, 1, 4, 4)))


def errors(ext):
    try:
        ext.conv2d(numbers(1, 2, 3, 4), numbers(3, 5, 3, 3))
    except RuntimeError:
        return "RuntimeError", rounded(ext.layer_norm(numbers(2, 2)))
