import paddle


def is_tensor_like(inp):
    """Whether it is a tensor, or of a class that says what torch's functions do with it."""
    return isinstance(inp, paddle.Tensor) or hasattr(type(inp), "__torch_function__")


def _overloading(args):
    """Of arguments, and in lists among them, one of each class with __torch_function__, but for classes of tensors:
    Paddle asks these for nothing."""
    found = {}
    for each in args:
        for one in each if isinstance(each, (list, tuple)) else (each,):
            if not isinstance(one, paddle.Tensor) and hasattr(type(one), "__torch_function__"):
                found.setdefault(type(one), one)
    return sorted(found.values(), key=lambda one: -len(type(one).__mro__))  # derived classes first


def has_torch_function(relevant_args):
    return bool(_overloading(relevant_args))


def has_torch_function_unary(inp):
    return has_torch_function((inp,))


def has_torch_function_variadic(*args):
    return has_torch_function(args)


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    return _asked(public_api, relevant_args, args, kwargs)


def _asked(public_api, relevant_args, args, kwargs):
    """What the classes of the arguments make of a function."""
    asked = _overloading(relevant_args)
    types = tuple(map(type, asked))
    for each in asked:
        found = each.__torch_function__(public_api, types, args, kwargs)
        if found is not NotImplemented:
            return found
    name = getattr(public_api, "__name__", public_api)
    raise TypeError(f"no implementation found for {name} on types that implement __torch_function__: {list(types)}")
