import functools

import paddle

from .errors_in_backward import _for_one_gradient, _refuse_graph_of_gradients, grad
from .pytree import tree_flatten, tree_unflatten
from .torchs_meaning import _tensor_method


def jacobian(
    func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"
):
    """The derivatives of what func gives by its inputs: tuples where these, or it, are tuples."""
    if strict:
        raise NotImplementedError("jacobian under Paddle does not take strict=True")
    several = isinstance(inputs, tuple)
    _refuse_graph_of_gradients(create_graph)
    sources = [_source(each, create_graph) for each in (inputs if several else (inputs,))]
    with paddle.enable_grad():
        outputs = func(*sources) if create_graph else _for_one_gradient(lambda: func(*sources))
        given = outputs if isinstance(outputs, tuple) else (outputs,)
        found = [_by_sources(output, sources, create_graph) for output in given]
    rows = [tuple(row) if several else row[0] for row in found]
    return tuple(rows) if isinstance(outputs, tuple) else rows[0]


def hessian(
    func,
    inputs,
    create_graph=False,
    strict=False,
    vectorize=False,
    outer_jacobian_strategy="reverse-mode",
):
    """The second derivatives of a function of one number by its inputs."""

    def gradient(*sources):
        output = func(*sources)
        if not isinstance(output, paddle.Tensor) or output.size != 1:
            raise RuntimeError("hessian: the function should return a Tensor of one element")
        found = _by_sources(output, sources, True)
        found = [each.reshape(source.shape) for each, source in zip(found, sources, strict=True)]
        return tuple(found) if isinstance(inputs, tuple) else found[0]

    return jacobian(gradient, inputs, create_graph, strict)


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    """A function that gives the derivatives of func by the arguments of these positions, which may be trees."""

    @functools.wraps(func)
    def derivatives(*args, **kwargs):
        numbers = [n % len(args) for n in (argnums if isinstance(argnums, tuple) else (argnums,))]
        leaves, structure = tree_flatten([args[number] for number in numbers])
        outer, seen = any(not each.stop_gradient for each in leaves), {}

        def of_leaves(*sources):
            given = dict(zip(numbers, tree_unflatten([*sources], structure), strict=True))
            made = func(*(given.get(n, each) for n, each in enumerate(args)), **kwargs)
            value, seen["aux"] = made if has_aux else (made, None)
            outputs, seen["structure"] = tree_flatten(value)
            return tuple(outputs)

        rows = [tree_unflatten([*row], structure) for row in jacobian(of_leaves, tuple(leaves), outer)]
        rows = [tuple(row) if isinstance(argnums, tuple) else row[0] for row in rows]
        found = tree_unflatten(rows, seen["structure"])
        shown, kind = tree_flatten(seen["aux"])
        shown = [v.detach() if isinstance(v, paddle.Tensor) and not outer else v for v in shown]
        return (found, tree_unflatten(shown, kind)) if has_aux else found

    return derivatives


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """The same as jacrev: Paddle has no forward mode."""
    return jacrev(func, argnums, has_aux=has_aux)


def _source(tensor, create_graph):
    """The tensor as one to derive by: in the graph of the given one, if there is to be one."""
    if create_graph and not tensor.stop_gradient:
        return tensor + paddle.zeros([], tensor.dtype)
    source = _tensor_method("clone")(_tensor_method("detach")(tensor))  # of its class
    source.stop_gradient = False
    return source


def _by_sources(output, sources, create_graph):
    """The derivatives of each element of an output by those of each source."""
    shapes = [[*output.shape, *source.shape] for source in sources]
    found = [None] * len(sources)
    if output.size and not output.stop_gradient:
        each = paddle.eye(output.size, dtype=output.dtype).reshape([output.size, *output.shape])
        found = grad(
            [output], sources, [each], retain_graph=True, create_graph=create_graph, allow_unused=True,
            is_grads_batched=True,
        )  # fmt: skip
    zeros = [paddle.zeros(s, source.dtype) for s, source, g in zip(shapes, sources, found, strict=True) if g is None]
    return [zeros.pop(0) if g is None else g.reshape(s) for g, s in zip(found, shapes, strict=True)]
