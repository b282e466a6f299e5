import paddle

from .methods_of_tensors import _methods
from .related_views import _note_view


def _view_of_part(name, at):
    def take(tensor):
        return paddle.as_real(tensor)[..., at]

    def part(self):
        if self.is_complex():
            made = take(self)
            if paddle.is_grad_enabled():
                _note_view(made, self, take)
            return made
        if at:
            raise RuntimeError(f"{name} is not implemented for tensors with non-complex dtypes.")
        return self

    def set_part(self, value):
        with paddle.no_grad():
            part(self)[...] = value

    return property(part, set_part)


_methods(real=_view_of_part("real", 0), imag=_view_of_part("imag", 1))
