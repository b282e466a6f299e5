import paddle

from .errors_in_backward import _for_one_gradient, _refuse_graph_of_gradients, grad
from .jacobians import _source


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """What func gives, and the product of v with the derivatives of that by the inputs."""
    if strict:
        raise NotImplementedError("vjp under Paddle does not take strict=True")
    _refuse_graph_of_gradients(create_graph)
    sources = [_source(e, create_graph) for e in (inputs if isinstance(inputs, tuple) else (inputs,))]
    with paddle.enable_grad():
        outputs = func(*sources) if create_graph else _for_one_gradient(lambda: func(*sources))
    given = outputs if isinstance(outputs, tuple) else (outputs,)
    if v is None and (len(given) != 1 or given[0].size != 1):
        raise RuntimeError(
            "The vector v can only be None if the user-provided function returns a single Tensor "
            "with a single element."
        )
    vectors = [paddle.ones_like(given[0])] if v is None else v if isinstance(v, tuple) else (v,)
    if [each.shape for each in vectors] != [each.shape for each in given]:
        raise RuntimeError("v has to be of the form and the sizes of what the function returns")
    used = [(each, by) for each, by in zip(given, vectors, strict=True) if not each.stop_gradient]
    found = [None] * len(sources)
    if used:
        outs, by = map(list, zip(*used, strict=True))
        found = grad(outs, sources, by, create_graph=create_graph, allow_unused=True)
    found = [paddle.zeros_like(s) if g is None else g for g, s in zip(found, sources, strict=True)]
    kept = given if create_graph else tuple(each.detach() for each in given)
    return (
        kept if isinstance(outputs, tuple) else kept[0],
        tuple(found) if isinstance(inputs, tuple) else found[0],
    )
