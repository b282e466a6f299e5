import paddle
import paddle.nn.functional as functional


def relu(input, inplace=False):
    if not input.is_floating_point():  # Paddle has no kernels of integers
        made = input.clip(min=0)
        return paddle.assign(made, input) if inplace else made
    return functional.relu_(input) if inplace else functional.relu(input)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    chosen = functional.leaky_relu_ if inplace else functional.leaky_relu
    return chosen(input, negative_slope)


def elu(input, alpha=1.0, inplace=False):
    return (functional.elu_ if inplace else functional.elu)(input, alpha)
