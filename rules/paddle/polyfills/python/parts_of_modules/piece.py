import functools

import paddle

_make_layer = paddle.nn.Layer.__init__


def _init_with_modules(self, *args, **kwargs):
    _make_layer(self, *args, **kwargs)
    self.__dict__["_modules"] = self.__dict__["_sub_layers"]


def _set_modules(self, value):
    self.__dict__["_modules"] = self.__dict__["_sub_layers"] = value


# For all code: Paddle's layers call the one, and its __setattr__ asks for the other.
paddle.nn.Layer.__init__ = functools.update_wrapper(_init_with_modules, _make_layer)
paddle.nn.Layer._modules = property(lambda self: self._sub_layers, _set_modules)
