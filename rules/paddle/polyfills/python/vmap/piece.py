import functools

import paddle

from .pytree import tree_flatten, tree_unflatten


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """A function that maps func over a dimension of its arguments, one entry after the other."""

    @functools.wraps(func)
    def mapped(*args, **kwargs):
        leaves, spec = tree_flatten(args)
        dims = _dims_of_leaves(tuple(in_dims) if isinstance(in_dims, list) else in_dims, args)
        over = [n for n, dim in enumerate(dims) if dim is not None]
        for n in over:
            if not isinstance(leaves[n], paddle.Tensor):
                raise ValueError(f"vmap: in_dims maps over what is no tensor but {type(leaves[n])}")
        sizes = {leaves[n].shape[dims[n]] for n in over}
        if len(sizes) != 1:
            raise ValueError(f"vmap: the mapped dimensions have the sizes {sorted(sizes)}")
        entries = {n: paddle.unbind(leaves[n], dims[n]) for n in over}
        calls = [[entries[n][k] if n in entries else each for n, each in enumerate(leaves)]
                 for k in range(sizes.pop())]  # fmt: skip
        if not calls:
            raise NotImplementedError("vmap under Paddle needs an entry to map over")
        return _stacked([func(*tree_unflatten(each, spec), **kwargs) for each in calls], out_dims)

    return mapped


def _dims_of_leaves(dims, tree):
    """The mapped dimension, or None, of each leaf of nested arguments."""
    if dims is None or type(dims) is int:
        return [dims] * len(tree_flatten(tree)[0])
    if type(dims) is not type(tree) or len(dims) != len(tree):
        raise ValueError(f"vmap: in_dims is not compatible with the structure of the arguments: {dims}")
    pairs = [(dims[key], tree[key]) for key in tree] if isinstance(tree, dict) else zip(dims, tree, strict=True)
    return [dim for pair in pairs for dim in _dims_of_leaves(*pair)]


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
