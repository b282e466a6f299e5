import functools

import paddle
from paddle.autograd import PyLayer

from .methods_of_tensors import _methods


def _raising_as_it_is(run):
    @functools.wraps(run)
    def call(*args, **kwargs):
        PyLayer.raised = None  # by a backward pass, whichever unit it is of
        try:
            return run(*args, **kwargs)
        except OSError:
            if PyLayer.raised is None:
                raise
            error, PyLayer.raised = PyLayer.raised, None
        raise error

    return call


_asked: list[dict] = []  # of the calls of grad that run: node -> whether it leads to an input


def _asked_for(node):
    """Whether the call of grad that runs, if one does, asks for a gradient beyond a node."""
    known = _asked[-1] if _asked else None
    todo = [node] if known is not None else []
    while todo:
        one = todo[-1]
        beyond = [each for each in one.next_functions if each is not None]
        unknown = [each for each in beyond if each.node_ptr() not in known]
        if one.node_ptr() in known or not unknown:
            known.setdefault(one.node_ptr(), any(known.get(each.node_ptr()) for each in beyond))
            todo.pop()
        else:
            todo += unknown
    return known is None or known[node.node_ptr()]


@_raising_as_it_is
def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,  # torch ignores it
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """The gradients of the inputs."""
    if is_grads_batched:
        raise NotImplementedError("grad under Paddle takes no batches of gradients")
    if _asked:
        raise NotImplementedError("Paddle's grad does not run in a backward pass that grad runs")
    every = [outputs] if isinstance(outputs, paddle.Tensor) else outputs
    for at, each in enumerate(every):
        if each.stop_gradient:
            raise RuntimeError(f"element {at} of tensors does not require grad")
    wanted = [inputs] if isinstance(inputs, paddle.Tensor) else [*inputs]
    _asked.append({each.grad_fn.node_ptr(): True for each in wanted if each.grad_fn is not None})
    try:
        unused = bool(allow_unused or materialize_grads)
        options = {"create_graph": create_graph, "allow_unused": unused}
        found = paddle.grad(outputs, wanted, grad_outputs, retain_graph, **options)
    finally:
        _asked.pop()
    if materialize_grads:
        found = [paddle.zeros_like(i) if g is None else g for i, g in zip(wanted, found)]
    return tuple(found)


backward = _raising_as_it_is(paddle.autograd.backward)
_backward_of_tensor = _raising_as_it_is(paddle.Tensor.backward)


def _backward_as_in_torch(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    if create_graph or inputs is not None:
        raise NotImplementedError("Tensor.backward under Paddle takes no create_graph, no inputs")
    if isinstance(gradient, (tuple, list)):
        gradient = gradient[0]
    return _backward_of_tensor(self, gradient, bool(retain_graph))


_methods(backward=_backward_as_in_torch)
