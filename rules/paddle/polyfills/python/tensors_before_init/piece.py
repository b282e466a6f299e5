import paddle

from .methods_of_tensors import _members

_set_on_layer = paddle.nn.Layer.__setattr__
_KindOfParameter = paddle.base.framework.EagerParamBase


def _set_before_init(self, name, value):
    known = self.__dict__
    if isinstance(value, paddle.Tensor) and not isinstance(value, _KindOfParameter):
        registered = any(name in known.get(kind, ()) for kind in ("_buffers", "_parameters", "_modules"))
        if getattr(value, "_is_buffer", False):  # of torch.nn.Buffer
            for kind in (known, self._buffers):
                kind.pop(name, None)
            paddle.nn.Layer.register_buffer(self, name, value, persistable=value.persistent)
        elif registered:
            _set_on_layer(self, name, value)
        else:  # Paddle makes a buffer of it
            object.__setattr__(self, name, value)
    elif isinstance(value, (_KindOfParameter, paddle.nn.Layer)) and isinstance(getattr(type(self), name, None), property):
        # registered, unless the property has a value
        kept = self.__dict__["_parameters" if isinstance(value, _KindOfParameter) else "_modules"]
        if name not in kept and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")
        kept[name] = value
    else:
        _set_on_layer(self, name, value)


_members(paddle.nn.Layer, __setattr__=_set_before_init)
