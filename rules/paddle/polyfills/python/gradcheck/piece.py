import numpy
import paddle


def gradcheck(
    func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0, **options
):
    """Whether the gradients of func agree with central differences; RuntimeError if not."""
    _note("torch.autograd.gradcheck")
    if options.get("check_forward_ad") or options.get("check_batched_grad"):
        raise NotImplementedError("gradcheck under Paddle checks gradients of backward only")
    inputs = (inputs,) if isinstance(inputs, paddle.Tensor) else tuple(inputs)
    checked = [n for n, each in enumerate(inputs) if _differentiable(each)]
    if not checked:
        raise ValueError("gradcheck expects at least one input that requires a gradient")
    outputs = [each for each in _tensors(func(*inputs)) if _differentiable(each)]
    if not outputs:
        raise ValueError("gradcheck expects an output that requires a gradient")
    for number in checked:
        measured = _measured(func, inputs, number, eps)
        for place, output in enumerate(outputs):
            told = _told(output, inputs[number])
            if not numpy.allclose(told, measured[place], rtol, atol, equal_nan=True):
                if not raise_exception:
                    return False
                raise RuntimeError(
                    f"Jacobian mismatch for output {place} with respect to input {number},\n"
                    f"numerical:{measured[place]}\nanalytical:{told}"
                )
    return True


def _differentiable(value):
    tensor = isinstance(value, paddle.Tensor) and not value.stop_gradient
    return tensor and value.dtype in (paddle.float64, paddle.float32, paddle.float16)


def _tensors(value):
    if isinstance(value, paddle.Tensor):
        return [value]
    return [each for each in value or () if isinstance(each, paddle.Tensor)]


def _measured(func, inputs, number, eps):
    """For each output the derivative of its elements (rows) by those of an input (columns)."""
    base = inputs[number].detach().numpy()
    columns = []
    for index in numpy.ndindex(base.shape):
        sides = []
        for step in (eps, -eps):
            moved = base.copy()
            moved[index] += step
            new = paddle.to_tensor(moved, place=inputs[number].place, stop_gradient=False)
            own = [new if n == number else _alone(each) for n, each in enumerate(inputs)]
            found = [o for o in _tensors(func(*own)) if _differentiable(o)]
            sides.append([o.detach().numpy().reshape(-1).copy() for o in found])
        columns.append([(up - down) / (2 * eps) for up, down in zip(*sides, strict=True)])
    return [numpy.stack(rows, 1) for rows in zip(*columns, strict=True)]


def _alone(value):
    """The same input with no graph behind it, for func may write to it."""
    if not isinstance(value, paddle.Tensor):
        return value
    new = value.detach().clone()
    new.stop_gradient = value.stop_gradient
    return new


def _told(output, source):
    """The derivative of each element of an output (rows) by those of an input, by backward."""
    rows = []
    for index in numpy.ndindex(tuple(output.shape)):
        wanted = numpy.zeros(output.shape, output.numpy().dtype)
        wanted[index] = 1
        seed = paddle.to_tensor(wanted, place=output.place)
        (row,) = paddle.grad([output], [source], [seed], retain_graph=True, allow_unused=True)
        rows.append(numpy.zeros(source.shape) if row is None else row.numpy())
    return numpy.stack(rows).reshape(len(rows), -1)
