import paddle.nn.functional as functional


def relu(input, inplace=False):
    return functional.relu_(input) if inplace else functional.relu(input)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    chosen = functional.leaky_relu_ if inplace else functional.leaky_relu
    return chosen(input, negative_slope)


def elu(input, alpha=1.0, inplace=False):
    return (functional.elu_ if inplace else functional.elu)(input, alpha)
