from paddle import compat

from .average_pools import avg_pool1d, avg_pool2d, avg_pool3d


def _settings(layer):
    return layer.kernel_size, layer.stride, layer.padding, layer.ceil_mode, layer.count_include_pad


class AvgPool1d(compat.nn.AvgPool1d):
    def forward(self, input):
        return avg_pool1d(input, *_settings(self))


class AvgPool2d(compat.nn.AvgPool2d):
    def forward(self, input):
        return avg_pool2d(input, *_settings(self), self.divisor_override)


class AvgPool3d(compat.nn.AvgPool3d):
    def forward(self, input):
        return avg_pool3d(input, *_settings(self), self.divisor_override)
