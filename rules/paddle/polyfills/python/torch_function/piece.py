import paddle


def is_tensor_like(inp):
    """Whether it is a tensor: Paddle asks no class for __torch_function__."""
    return isinstance(inp, paddle.Tensor)


def has_torch_function(relevant_args):
    """Never: there is no __torch_function__."""
    return False


has_torch_function_unary = has_torch_function


def has_torch_function_variadic(*args):
    return False


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    raise TypeError("there is no __torch_function__ under Paddle")
