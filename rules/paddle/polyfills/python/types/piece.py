from collections.abc import Sequence

import paddle

_int, _float, _bool = int, float, bool
_dtype = type(paddle.float32)
_device = str
_size = Sequence[int]
Number = int | float | bool
Device = str | int | None
_TensorOrTensors = paddle.Tensor | Sequence[paddle.Tensor]
