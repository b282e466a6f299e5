import paddle


def _is_half_on_cpu(tensor):
    """Whether Paddle has next to no kernels for a tensor."""
    return tensor.dtype in (paddle.float16, paddle.bfloat16) and tensor.place.is_cpu_place()


def _is_recorded(*values):
    """Whether autograd records what is done with these."""
    tensors = [value for value in values if isinstance(value, paddle.Tensor)]
    return paddle.is_grad_enabled() and not all(tensor.stop_gradient for tensor in tensors)


def _through_float32(name):
    """A method for half on a CPU too; in place, Paddle's own acts on a copy that autograd keeps."""
    theirs, in_place = getattr(paddle.Tensor, name), name.endswith("_")

    def method(self, *args, **kwargs):
        half = _is_half_on_cpu(self)
        if not half and not (in_place and _is_recorded(self, *args, *kwargs.values())):
            return theirs(self, *args, **kwargs)

        def larger(value):
            same = half and isinstance(value, paddle.Tensor) and value.dtype == self.dtype
            return value.astype("float32") if same else value

        kwargs = {key: larger(value) for key, value in kwargs.items()}
        copy = self.astype("float32") if half else self.clone()
        out = theirs(copy, *map(larger, args), **kwargs).astype(self.dtype)
        return paddle.assign(out, self) if in_place else out

    return method


def _as_in_float32(functions, methods):
    """Give torch these functions, and tensors them and these methods."""
    found = {name: _through_float32(name) for name in (*functions, *methods)}
    _methods(**found)
    _register({}, {f"torch.{name}": found[name] for name in functions})
