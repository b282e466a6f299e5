import paddle

TensorBase = _TensorBase = paddle.Tensor
_TensorMeta = type(paddle.Tensor)
