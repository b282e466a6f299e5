import weakref

import paddle

from .related_views import _VIEWS


def swap_tensors(t1, t2):
    """Let two objects be each other's tensors: values, place in the graph, gradients, class and attributes."""
    for name, each in (("t1", t1), ("t2", t2)):
        if weakref.getweakrefcount(each) - (_VIEWS in vars(each)):
            raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
    kinds = type(t1), type(t2)
    if kinds[0] is not kinds[1]:
        try:
            t1.__class__ = kinds[1]
        except TypeError:
            said = f"Under Paddle a {kinds[0].__name__} cannot become a {kinds[1].__name__}: swap two of the same class"
            raise NotImplementedError(said) from None
        t2.__class__ = kinds[0]
    kept = paddle.Tensor.__new__(paddle.Tensor)
    recorded, names = (t1.stop_gradient, t2.stop_gradient), (t1.name, t2.name)
    gradients = t1.grad if t1.is_leaf else None, t2.grad if t2.is_leaf else None
    kept.reconstruct_from_(t1)
    t1.reconstruct_from_(t2)
    t2.reconstruct_from_(kept)
    attributes = dict(vars(t1)), dict(vars(t2))
    for tensor, values, other in ((t1, attributes[1], 1), (t2, attributes[0], 0)):
        vars(tensor).clear()
        vars(tensor).update(values)
        tensor.stop_gradient, tensor.name = recorded[other], names[other]
        if gradients[other] is not None:
            tensor.grad = gradients[other]
