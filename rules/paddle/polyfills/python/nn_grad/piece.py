import paddle


def _of_input(name):
    convolve = getattr(paddle.nn.functional, name)

    def gradient(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
        with paddle.enable_grad():
            input = paddle.zeros(input_size, dtype=weight.dtype)
            input.stop_gradient = False
            made = convolve(input, weight.detach(), None, stride, padding, dilation, groups)
            return paddle.grad(made, input, grad_output)[0]

    return gradient


def _of_weight(name):
    convolve = getattr(paddle.nn.functional, name)

    def gradient(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
        with paddle.enable_grad():
            weight = paddle.zeros(weight_size, dtype=input.dtype)
            weight.stop_gradient = False
            made = convolve(input.detach(), weight, None, stride, padding, dilation, groups)
            return paddle.grad(made, weight, grad_output)[0]

    return gradient


conv1d_input, conv1d_weight = _of_input("conv1d"), _of_weight("conv1d")
conv2d_input, conv2d_weight = _of_input("conv2d"), _of_weight("conv2d")
conv3d_input, conv3d_weight = _of_input("conv3d"), _of_weight("conv3d")
