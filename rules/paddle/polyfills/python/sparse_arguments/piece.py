import re

import paddle

# What is called of a sparse tensor: by the name of torch's function, without the underscores of operators and of
# forms in place; filled by the pieces that have these.
_on_sparse: dict = {}
_sparse_made: list[bool] = []  # not empty: this process has made sparse tensors, before none is looked for
# Names of ATen's where they are others than torch's.
_ATEN_NAMES = {
    "all": "all", "argwhere": "nonzero", "bitwise_and": "bitwise_and.Tensor", "bitwise_or": "bitwise_or.Tensor",
    "chunk": "as_strided", "count_nonzero": "count_nonzero.dim_IntList", "diag": "diagonal_copy",
    "diff": "as_strided", "eq": "eq.Tensor", "fill": "fill_.Scalar", "fmod": "fmod.Tensor", "full_like": "fill_.Scalar",
    "ge": "ge.Tensor", "gt": "gt.Tensor", "le": "le.Tensor", "lerp": "lerp.Scalar", "lt": "lt.Tensor",
    "mean": "mean.dim", "new_full": "fill_.Scalar", "new_ones": "fill_.Scalar", "mod": "remainder.Tensor", "narrow": "as_strided", "ne": "ne.Tensor",
    "ones_like": "fill_.Scalar", "rand_like": "uniform_", "randn_like": "normal_", "remainder": "remainder.Tensor",
    "isfinite": "ne.Scalar", "pow_": "pow_.Scalar", "rpow": "pow.Scalar", "sort": "sort.stable", "split": "as_strided", "squeeze": "as_strided",
    "std": "std.correction", "var": "var.correction", "where": "where.self", "allclose": "eq.Tensor",
    "isclose": "eq.Tensor", "rtruediv": "reciprocal", "logical_not": "logical_not.out", "linalg.norm": "linalg_vector_norm",
    "linalg.vector_norm": "linalg_vector_norm",
}  # fmt: skip
_OF_NUMBERS = re.compile(r"^(eq|ne|lt|le|gt|ge)\.Tensor$")


class _NotOfSparse(NotImplementedError):
    """That there is no such operator for sparse tensors, as torch says it."""

    __module__ = "builtins"
    __qualname__ = "NotImplementedError"


_NotOfSparse.__name__ = "NotImplementedError"


def _is_sparse_tensor(value):
    return isinstance(value, paddle.Tensor) and not value.is_dense()


def _first_sparse(args, kwargs):
    """The first sparse tensor among arguments, and in lists among them."""
    for each in (*args, *kwargs.values()):
        for one in each if isinstance(each, (list, tuple)) else (each,):
            if _is_sparse_tensor(one):
                return one
    return None


def _not_of_sparse(name, tensor, other=None):
    name = _ATEN_NAMES.get(name, name)
    if _OF_NUMBERS.match(name) and isinstance(other, (int, float, complex)):
        name = name.replace(".Tensor", ".Scalar")
    backend = "SparseCsr" if tensor.is_sparse_csr() else "" if tensor.is_dense() else "Sparse"
    return _NotOfSparse(
        f"Could not run 'aten::{name}' with arguments from the '{backend}{'CPU' if tensor.place.is_cpu_place() else 'CUDA'}"
        "' backend. This could be because the operator doesn't exist for this backend, or was omitted during the "
        "selective/custom build process (if using custom build)."
    )


def _called_on_sparse(name, args, kwargs):
    """What a function of torch's gives of sparse tensors, none of whose implementations for dense ones has taken
    them: its name is that of a method, or of a function in torch, nn.functional or others of its modules."""
    if kwargs.get("out") is not None:
        out = kwargs["out"]
        made = _called_on_sparse(name, args, {key: value for key, value in kwargs.items() if key != "out"})
        return _on_sparse["out"](made, out)
    plain = name.removeprefix("nn.functional.")
    special = plain.startswith("__")
    plain = plain.strip("_") if special else plain
    implementation = _on_sparse.get(plain)
    if implementation is not None:
        return implementation(*args, **kwargs)
    in_place = plain.endswith("_") and not special
    implementation = _on_sparse.get(plain[:-1]) if in_place else None
    if implementation is None:
        other = args[1] if len(args) > 1 else None
        raise _not_of_sparse(plain if plain in _ATEN_NAMES else plain.rpartition(".")[2].rstrip("_"), _first_sparse(args, kwargs), other)
    return _on_sparse["in place"](plain, implementation, *args, **kwargs)
