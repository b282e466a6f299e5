import functools

from paddle import compat


def _averaged(layer, input, kernel_size, *args, **options):
    return layer(kernel_size, *args, **options)(input)


avg_pool1d, avg_pool2d, avg_pool3d = (
    functools.partial(_averaged, layer)
    for layer in (compat.nn.AvgPool1d, compat.nn.AvgPool2d, compat.nn.AvgPool3d)
)
