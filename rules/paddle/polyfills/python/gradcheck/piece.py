import numpy
import paddle

from .errors_in_backward import grad
from .forward_mode import dual_level, make_dual, unpack_dual
from .noted import _note


class GradcheckError(RuntimeError):
    """What gradcheck finds wrong."""


def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_forward_ad=False,
    check_backward_ad=True,
    fast_mode=False,
    masked=None,
):
    """Whether the gradients of func agree with central differences; RuntimeError if not."""
    _note("torch.autograd.gradcheck")
    if not check_forward_ad and not check_backward_ad:
        raise AssertionError("Expected at least one of check_forward_ad and check_backward_ad")
    inputs = (inputs,) if isinstance(inputs, paddle.Tensor) else tuple(inputs)
    if not any(map(_differentiable, inputs)):
        raise ValueError("gradcheck expects at least one input that requires a gradient")
    try:
        modes = check_backward_ad, check_forward_ad
        _check_gradients(func, inputs, eps, (rtol, atol), nondet_tol, check_grad_dtypes, modes)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_gradients(func, inputs, eps, tolerances, nondet_tol, dtypes, modes):
    func, inputs = _of_real_numbers(func, inputs)
    outputs = _tensors(func(*inputs))
    numbers = [n for n, each in enumerate(inputs) if _differentiable(each)]
    sources = [inputs[number] for number in numbers]
    places = [n for n, each in enumerate(outputs) if _differentiable(each)]
    told = [{n: _told(outputs[n], sources, nondet_tol, dtypes) for n in places if modes[0]}]
    if modes[1]:
        told.append(_told_forward(func, inputs, numbers, places))
    for at, number in enumerate(numbers):
        for place, measured in enumerate(_measured(func, inputs, number, eps)):
            if not places and measured.any():
                raise GradcheckError("Numerical gradient for function expected to be zero")
            for each in told:
                if place in each and not numpy.allclose(each[place][at], measured, *tolerances):
                    mode = "" if each is told[0] and modes[0] else " computed with forward mode"
                    raise GradcheckError(
                        f"Jacobian{mode} mismatch for output {place} with respect to input {number},\n"
                        f"numerical:{measured}\nanalytical:{each[place][at]}"
                    )


def _differentiable(value):
    if not isinstance(value, paddle.Tensor) or value.stop_gradient:
        return False
    if value.dtype == paddle.bfloat16:
        raise NotImplementedError("gradcheck under Paddle takes no bfloat16")
    return value.is_floating_point() or value.is_complex()


def _of_real_numbers(func, inputs):
    """The same function from and to real and imaginary parts, where there are complex numbers."""
    wide = {n for n, each in enumerate(inputs) if _is_complex(each)}

    def parts(*values):
        whole = (paddle.as_complex(v) if n in wide else v for n, v in enumerate(values))
        found = _tensors(func(*whole))
        return tuple(paddle.as_real(each) if _is_complex(each) else each for each in found)

    values = list(inputs)
    for n in wide:
        values[n] = paddle.as_real(inputs[n].detach()).clone()
        values[n].stop_gradient = inputs[n].stop_gradient
    return parts, values


def _is_complex(value):
    return isinstance(value, paddle.Tensor) and value.is_complex()


def _tensors(value):
    if isinstance(value, paddle.Tensor):
        return [value]
    return [each for each in value or () if isinstance(each, paddle.Tensor)]


def _measured(func, inputs, number, eps):
    """For each output the derivative of its elements (rows) by those of an input (columns), which is moved where it
    is, as func may tell a parameter from another tensor."""
    moved, base = inputs[number].detach(), inputs[number].detach().numpy().copy()
    columns = [[] for _ in _tensors(func(*inputs))]
    try:
        for index in numpy.ndindex(base.shape):
            sides = []
            for step in (eps, -eps):
                values = base.copy()
                values[index] += step
                moved.copy_(paddle.to_tensor(values, place=moved.place), True)
                found = _tensors(func(*inputs))
                sides.append([each.astype("float64").numpy().reshape(-1) for each in found])
            for column, up, down in zip(columns, *sides, strict=True):
                column.append((up - down) / (2 * eps))
    finally:
        moved.copy_(paddle.to_tensor(base, place=moved.place), True)
    return [numpy.stack(each, 1) if each else numpy.zeros((0, 0)) for each in columns]


def _told(output, sources, nondet_tol, dtypes):
    """For each source the derivative of an output (rows) by its elements, as backward tells it."""
    size = int(output.size)
    seeds = numpy.concatenate([numpy.eye(size), numpy.zeros((1, size))])
    both = [_rows(output, sources, seeds, dtypes) for _ in range(2)]
    for first, second in zip(*both, strict=True):
        if numpy.abs(first - second).max(initial=0) > nondet_tol:
            raise GradcheckError("Backward is not reentrant: the same call gives another gradient")
        if first[-1].any():
            raise GradcheckError("backward not multiplied by grad_output")
    return [each[:-1] for each in both[0]]


def _rows(output, sources, seeds, dtypes):
    rows = [numpy.zeros((len(seeds), int(source.size))) for source in sources]
    for number, seed in enumerate(seeds):
        seed = paddle.to_tensor(seed.reshape(output.shape), output.dtype, output.place)
        found = grad([output], sources, [seed], retain_graph=True, allow_unused=True)
        for row, source, gradient in zip(rows, sources, found, strict=True):
            if gradient is None:
                continue
            if gradient.shape != source.shape:
                raise GradcheckError("Analytical gradient has incorrect size")
            if dtypes and gradient.dtype != source.dtype:
                raise GradcheckError("Analytical gradient has incorrect type")
            row[number] = gradient.numpy().reshape(-1)
    return rows


def _told_forward(func, inputs, numbers, places):
    """What _told gives for each of the outputs, as forward mode tells it: a column by a call."""
    told = {place: [] for place in places}
    for number in numbers:
        columns = {place: [] for place in places}
        for index in numpy.ndindex(*inputs[number].shape):
            with dual_level():
                values = [
                    make_dual(each.detach(), _unit(each, index if at == number else None))
                    if at in numbers
                    else each
                    for at, each in enumerate(inputs)
                ]
                found = _tensors(func(*values))
                for place in places:
                    tangent = unpack_dual(found[place]).tangent
                    if tangent is None:
                        tangent = paddle.zeros_like(found[place])
                    columns[place].append(tangent.numpy().reshape(-1))
        for place in places:
            told[place].append(numpy.stack(columns[place], 1) if columns[place] else numpy.zeros((0, 0)))
    return told


def _unit(tensor, index):
    """Zeros like a tensor, but for a one at the index, if there is one."""
    values = numpy.zeros(tensor.shape)
    if index is not None:
        values[index] = 1
    return paddle.to_tensor(values, tensor.dtype, tensor.place)
