import functools

import paddle

from .errors_in_backward import _behind, _end_of, _running, grad
from .jacobians import _source, jacrev
from .pytree import tree_flatten, tree_unflatten


def _tracked(trees, outer):
    """Trees of tensors as ones to derive by, and these tensors."""
    leaves, structure = tree_flatten(trees)
    sources = [_source(leaf, outer) if isinstance(leaf, paddle.Tensor) else leaf for leaf in leaves]
    return tree_unflatten(sources, structure), sources, structure


def _is_recorded_in(trees):
    tensors = (leaf for leaf in tree_flatten(trees)[0] if isinstance(leaf, paddle.Tensor))
    return paddle.is_grad_enabled() and any(not each.stop_gradient for each in tensors)


def _called_with(func, args, kwargs, sources):
    """What a function gives, and whether that depends on other leaves, as the weights of a module."""
    before, recording = _running.recorded, paddle.is_grad_enabled()
    with paddle.enable_grad():
        made = func(*args, **kwargs)
    if not recording or _running.recorded != before:  # Paddle's graphs of gradients have leaves of their own
        return made, False
    recorded = [v for v in tree_flatten(made)[0] if isinstance(v, paddle.Tensor) and not v.stop_gradient]
    own = {_end_of(each) for each in sources if isinstance(each, paddle.Tensor)}
    return made, not own.issuperset(_behind(recorded)[0])


def _pulled_back(outputs, sources, gradients, outer):
    """The gradients of the sources, zeros where outputs do not depend on them."""
    pairs = [(out, g) for out, g in zip(outputs, gradients, strict=True) if not out.stop_gradient]
    found = [None] * len(sources)
    if pairs:
        outs, given = map(list, zip(*pairs))
        found = grad(outs, sources, given, retain_graph=True, create_graph=outer, allow_unused=True)
    return [paddle.zeros_like(s) if each is None else each for s, each in zip(sources, found, strict=True)]


def _detached(tree):
    leaves, structure = tree_flatten(tree)
    return tree_unflatten([v.detach() if isinstance(v, paddle.Tensor) else v for v in leaves], structure)


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that gives the gradient of func by arguments of these positions, and what func gives."""

    @functools.wraps(func)
    def derived(*args, **kwargs):
        numbers = [n % len(args) for n in (argnums if isinstance(argnums, tuple) else (argnums,))]
        chosen = [args[n] for n in numbers]
        outer = _is_recorded_in((args, kwargs))
        trees, sources, structure = _tracked(chosen, outer)
        given = dict(zip(numbers, trees, strict=True))
        arguments = [given.get(n, each) for n, each in enumerate(args)]
        made, others = _called_with(func, arguments, kwargs, sources)
        outer = outer or others
        with paddle.enable_grad():
            value, aux = made if has_aux else (made, None)
            if not isinstance(value, paddle.Tensor) or value.ndim:
                raise RuntimeError("grad_and_value(f)(*args): Expected f(*args) to return a scalar tensor")
            found = _pulled_back([value], sources, [paddle.ones_like(value)], outer)
        found = tree_unflatten(found, structure)
        found = tuple(found) if isinstance(argnums, tuple) else found[0]
        value, aux = (value, aux) if outer else _detached((value, aux))
        return found, (value, aux) if has_aux else value

    return derived


def func_grad(func, argnums=0, has_aux=False):
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def derived(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return derived


def func_vjp(func, *primals, has_aux=False):
    """What func gives, and the function that takes gradients of that to those of the arguments."""
    outer = _is_recorded_in(primals)
    trees, sources, structure = _tracked([*primals], outer)
    made, others = _called_with(func, trees, {}, sources)
    outer = outer or others
    value, aux = made if has_aux else (made, None)
    outputs, shape = tree_flatten(value)

    def pull(cotangents, retain_graph=True, create_graph=None):
        with paddle.enable_grad():
            recording = outer or _is_recorded_in(cotangents)
            given, known = tree_flatten(cotangents)
            if known != shape:
                raise RuntimeError("Expected pytree structure of cotangents to be the same as pytree structure of outputs")
            found = _pulled_back(outputs, sources, given, recording)
        return tuple(tree_unflatten(found, structure))

    shown, aux = (value, aux) if outer else _detached((value, aux))
    return (shown, pull, aux) if has_aux else (shown, pull)


def func_jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """What func gives, and its derivative in a direction: by two backward passes."""
    outer = _is_recorded_in((primals, tangents))
    trees, sources, _ = _tracked([*primals], outer)
    made, others = _called_with(func, trees, {}, sources)
    outer = outer or others
    with paddle.enable_grad():
        value, aux = made if has_aux else (made, None)
        outputs, structure = tree_flatten(value)
        dummies = [paddle.zeros_like(each) for each in outputs]
        for each in dummies:
            each.stop_gradient = False
        pulled = _pulled_back(outputs, sources, dummies, True)
        # those of the sources too: some kernels of Paddle's fail where they are not asked for
        found = _pulled_back(pulled, [*dummies, *sources], tree_flatten([*tangents])[0], outer)[: len(dummies)]
    made = value, tree_unflatten(found, structure), aux
    made = made if outer else _detached(made)
    return made if has_aux else made[:2]


def func_hessian(func, argnums=0):
    """A function that gives the second derivatives of func."""
    return jacrev(jacrev(func, argnums), argnums)


def _direction(v, like):
    """The tensors of a direction; ones for a single number, which needs none."""
    if v is None and (len(like) != 1 or like[0].size != 1):
        raise RuntimeError("The vector v can only be None where there is a single Tensor with a single element")
    given = [paddle.ones_like(each) for each in like] if v is None else [*_several(v)]
    if [tuple(each.shape) for each in given] != [tuple(each.shape) for each in like]:
        raise RuntimeError("v has tensors of other sizes than it should")
    return given


def _several(given):
    return tuple(given) if isinstance(given, (tuple, list)) else (given,)


def _as_given(found, given):
    return tuple(found) if isinstance(given, (tuple, list)) else found[0]


def functional_vjp(func, inputs, v=None, create_graph=False, strict=False):
    """What func gives, and the gradients of the inputs for those of that."""
    sources = [_source(each, create_graph) for each in _several(inputs)]
    with paddle.enable_grad():
        made = func(*sources)
        outputs = _several(made)
        found = _pulled_back(outputs, sources, _direction(v, outputs), create_graph)
    return _value_shown(made, create_graph), _value_shown(_as_given(found, inputs), create_graph)


def functional_jvp(func, inputs, v=None, create_graph=False, strict=False):
    """What func gives, and its derivative in the direction of v."""
    made, found = func_jvp(func, _several(inputs), _direction(v, _several(inputs)))
    return _value_shown(made, create_graph), _value_shown(found, create_graph)


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """What a function of one number gives, and a vector times its second derivatives."""

    def gradient(*sources):
        value = func(*sources)
        if value.size != 1:
            raise RuntimeError("The Tensor returned by the function given to vhp should contain a single element")
        return tuple(_pulled_back([value], sources, [paddle.ones_like(value)], True))

    given = _direction(v, _several(inputs))
    value = func(*_several(inputs))
    _, found = functional_vjp(gradient, _several(inputs), tuple(given), create_graph)
    return _value_shown(value, create_graph), _as_given(found, inputs)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The same as vhp: second derivatives are symmetric."""
    return vhp(func, inputs, v, create_graph, strict)


def _value_shown(value, recorded):
    if isinstance(value, (tuple, list)):
        return tuple(_value_shown(each, recorded) for each in value)
    return value if recorded else value.detach()
