from paddle import compat


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    return compat.nn.AvgPool1d(kernel_size, stride, padding, ceil_mode, count_include_pad)(input)


def _averaged(layer):
    def pooled(
        input,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    ):
        counted = count_include_pad or divisor_override is not None
        return layer(kernel_size, stride, padding, ceil_mode, counted, divisor_override)(input)

    return pooled


avg_pool2d, avg_pool3d = map(_averaged, (compat.nn.AvgPool2d, compat.nn.AvgPool3d))
