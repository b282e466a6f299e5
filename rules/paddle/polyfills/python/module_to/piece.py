import paddle

from .methods_of_tensors import _members

_layer_to = paddle.nn.Layer.to


def _module_to(self, *args, **kwargs):
    """Paddle's, with a dtype or a tensor in the place of the device."""
    if args and isinstance(args[0], paddle.Tensor):
        args = (args[0].place, args[0].dtype, *args[1:])
    elif args and isinstance(args[0], type(paddle.float32)):
        args = (None, *args)
    return _layer_to(self, *args, **kwargs)


_members(paddle.nn.Layer, to=_module_to)
