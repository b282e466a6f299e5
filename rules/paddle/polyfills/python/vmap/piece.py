import functools

import paddle


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """A function that maps func over a dimension of its arguments, one entry after the other."""

    @functools.wraps(func)
    def mapped(*args, **kwargs):
        dims = tuple(in_dims) if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        if len(dims) != len(args):
            raise ValueError(f"vmap: in_dims has {len(dims)} entries for {len(args)} arguments")
        over = [n for n, dim in enumerate(dims) if dim is not None]
        if not all(isinstance(args[n], paddle.Tensor) for n in over):
            raise NotImplementedError("vmap under Paddle maps over tensors only")
        sizes = {args[n].shape[dims[n]] for n in over}
        if len(sizes) != 1:
            raise ValueError(f"vmap: the mapped dimensions have the sizes {sorted(sizes)}")
        entries = {n: paddle.unbind(args[n], dims[n]) for n in over}
        calls = [[entries[n][k] if n in entries else a for n, a in enumerate(args)]
                 for k in range(sizes.pop())]  # fmt: skip
        if not calls:
            raise NotImplementedError("vmap under Paddle needs an entry to map over")
        return _stacked([func(*each, **kwargs) for each in calls], out_dims)

    return mapped


def _vmap(func, in_dims=0, out_dims=0, allow_none_pass_through=False):
    """What vmap was before torch.func."""
    if allow_none_pass_through:
        raise NotImplementedError("_vmap under Paddle has no allow_none_pass_through")
    return vmap(func, in_dims, out_dims)


def _stacked(results, dims):
    first = results[0]
    if isinstance(first, paddle.Tensor):
        return paddle.stack(results, dims if dims >= 0 else dims + first.dim() + 1)
    if isinstance(first, dict):
        return {key: _stacked([each[key] for each in results], dims) for key in first}
    if not isinstance(first, (tuple, list)):
        raise ValueError(f"vmap: the function must only give tensors, not {type(first)}")
    dims = dims if isinstance(dims, (tuple, list)) else (dims,) * len(first)
    columns = zip(*results, strict=True)
    return type(first)(_stacked(list(c), dim) for c, dim in zip(columns, dims, strict=True))
