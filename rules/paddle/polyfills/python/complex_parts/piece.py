import paddle

from .methods_of_tensors import _methods


def _imag_part(self):
    if not self.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return paddle.imag(self)


_methods(
    real=property(lambda self: paddle.real(self) if self.is_complex() else self),
    imag=property(_imag_part),
)
