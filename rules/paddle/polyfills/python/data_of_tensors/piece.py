import paddle

from .methods_of_tensors import _methods


def _data(self):
    made = paddle.empty([0], dtype=self.dtype)
    made.get_tensor()._share_data_with(self.get_tensor())
    return made


_methods(data=property(_data))
