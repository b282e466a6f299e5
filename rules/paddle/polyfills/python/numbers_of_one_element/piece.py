import paddle

from .methods_of_tensors import _methods


def _number_of_one(convert):
    def number(self):
        if any(length != 1 for length in self.shape):
            raise ValueError("only one element tensors can be converted to Python scalars")
        return convert(self.item())

    return number


def _index_of_one(self):
    whole = self.dtype == paddle.bool or not (self.is_floating_point() or self.is_complex())
    if not whole or any(length != 1 for length in self.shape):
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self.item())


_methods(
    __float__=_number_of_one(float),
    __int__=_number_of_one(int),
    __complex__=_number_of_one(complex),
)
_methods(__index__=_index_of_one)
