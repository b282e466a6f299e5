import paddle

_paddle_tolist = _method("tolist")


def _tolist(self):
    return _paddle_tolist(self.astype("float32") if self.dtype == paddle.bfloat16 else self)


_methods(tolist=_tolist)
