import functools
import math
from typing import NamedTuple

import paddle

from .related_views import _note_view
from .steps_of_gradients import _OperatorCall, _stepped, _Way


def _back_through_linear(of=(0,), affine=False):
    def back(call, given):
        places = [i for i in of if i in call.at], [i for i, g in enumerate(given) if g is not None]
        step = _Transposed(call, of, affine, *places)
        gradients = _stepped(step, *(g for g in given if g is not None))
        found = dict(zip(step.wanted, gradients, strict=True))
        return [found.get(i) for i in range(len(call.tensors))]

    return _Way(back, unread=of)


class _Transposed(NamedTuple):
    """The gradient of a linear operator, which is linear itself: the gradient of that is the operator."""

    call: _OperatorCall
    of: tuple
    affine: bool
    wanted: list
    outputs: list

    def run(self, given):
        call = self.call
        with paddle.enable_grad():
            inputs = {i: t.detach() for i, t in enumerate(call.tensors)}
            inputs |= {i: paddle.zeros_like(call.tensors[i]) for i in self.of}
            for i in self.wanted:
                inputs[i].stop_gradient = False
            outputs = call.again(call.theirs, inputs)
        paddle.autograd.backward([outputs[i] for i in self.outputs], [*given])
        return tuple(inputs[i].grad for i in self.wanted)

    def back(self, given):
        """The gradients of the gradients of the outputs."""
        call = self.call
        zeros = {i: paddle.zeros_like(call.tensors[i]) for i in self.of}
        given = {i: g for i, g in zip(self.wanted, given, strict=True) if g is not None}
        found = call.again(call.ours, zeros | given)
        if self.affine:
            constants = call.again(call.theirs, zeros)
            found = [each - constant for each, constant in zip(found, constants, strict=True)]
        return tuple(found[i] for i in self.outputs)


# Operators that are linear in their tensors at these places together, or but for a constant.
_LINEAR = {
    "tril triu diagonal trace real imag conj as_real as_complex roll flip cumsum mean_all": (
        (0,),
        False,
    ),
    "unfold fold frame overlap_add as_strided tensor_unfold view_shape nll_loss": ((0,), False),
    "fft_c2c fft_r2c fft_c2r pixel_shuffle pixel_unshuffle channel_shuffle": ((0,), False),
    "nearest_interp linear_interp bilinear_interp bicubic_interp trilinear_interp": ((0,), False),
    "complex": ((0, 1), False),
    "diag pad pad3d": ((0,), True),
}


def _back_through_bilinear(call, given):
    """Of real numbers: each gradient is a part of that of the sum of `g * f(x, y)`, which is linear in
    each of the three."""
    values = {0: call.tensors[0], 1: call.tensors[1], 2: given[0]}
    if not paddle.is_grad_enabled():
        found = _gradients(call, call.at, values)
    else:
        found = [_partial_of(call, i, values) if i in call.at else None for i in (0, 1)]
    return found + [None] * (len(call.tensors) - 2)


def _gradients(call, of, values):
    """Those for x and y, which are recorded no further."""
    with paddle.enable_grad():
        inputs = {
            i: values[i].detach() if i in values else paddle.zeros_like(call.tensors[i])
            for i in (0, 1)
        }
        for i in of:
            inputs[i].stop_gradient = False
        output = call.again(call.theirs, inputs)[0]
    paddle.autograd.backward([output], [values[2]])
    return [inputs[i].grad for i in (0, 1)]


def _partial_of(call, of, values):
    values = {slot: value for slot, value in values.items() if slot != of}
    return _stepped(_Part(call, of, values), *values.values())[0]


class _Part(NamedTuple):
    """The gradient for one of x, y and g, of the two others."""

    call: _OperatorCall
    of: int
    values: dict

    def run(self, given):
        known = dict(zip(self.values, given, strict=True))
        if self.of == 2:
            return tuple(self.call.again(self.call.theirs, known))
        return (_gradients(self.call, [self.of], known)[self.of],)

    def back(self, given):
        values = {**self.values, self.of: given[0]}
        slots = [None if t.stop_gradient else slot for slot, t in self.values.items()]
        return [None if slot is None else _partial_of(self.call, slot, values) for slot in slots]


# Operators that are linear in each of their first two tensors.
_BILINEAR = (
    "conv2d conv3d depthwise_conv2d conv2d_transpose conv3d_transpose depthwise_conv2d_transpose "
    "bilinear"
)


class _PartInSteps(NamedTuple):
    """What an index with steps gives of a tensor: a view. Paddle's own has no second gradient."""

    places: tuple
    shape: list

    def run(self, given):
        return (given[0][self.places],)

    def back(self, given):
        return _stepped(_PutInSteps(self.places, self.shape), *given)


class _PutInSteps(NamedTuple):
    """The gradient of such a part: zeros, but for these places."""

    places: tuple
    shape: list

    def run(self, given):
        made = paddle.zeros(self.shape, dtype=given[0].dtype)
        made[self.places] = given[0]
        return (made,)

    def back(self, given):
        return _stepped(_PartInSteps(self.places, self.shape), *given)


def _in_steps_of_slices(theirs, name):
    @functools.wraps(theirs)
    def item(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        stepping = [each for each in parts if isinstance(each, slice) and each.step not in (None, 1)]
        plain = all(each is None or each is ... or isinstance(each, (slice, int)) for each in parts)
        if not stepping or not plain or self.stop_gradient or not paddle.is_grad_enabled():
            return theirs(self, index)
        made = _stepped(_PartInSteps(parts, self.shape), self)[0]
        _note_view(made, self, item, (index,))
        return made

    return item


def _flatten(x, start_axis=1, stop_axis=1):
    first, last = (axis % max(x.ndim, 1) for axis in (start_axis, stop_axis))
    return x.reshape([*x.shape[:first], math.prod(x.shape[first : last + 1]), *x.shape[last + 1 :]])


_STEPS_OF_LINEAR = {
    "flatten": (_flatten, None),
}
