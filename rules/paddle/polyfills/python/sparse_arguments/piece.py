import re

import paddle

# What is called of a sparse tensor: by the name of torch's function, without the underscores of operators and of
# forms in place; filled by the pieces that have these.
_on_sparse: dict = {}
_sparse_made: list[bool] = []  # not empty: this process has made sparse tensors, before none is looked for
# Names of ATen's where they are others than torch's.
_OTHER_NAMES = {
    "as_strided": "chunk diff narrow split squeeze",
    "bitwise_and.Tensor": "bitwise_and",
    "bitwise_or.Tensor": "bitwise_or",
    "count_nonzero.dim_IntList": "count_nonzero",
    "diagonal_copy": "diag",
    "eq.Tensor": "allclose eq isclose",
    "fill_.Scalar": "fill full_like new_full new_ones ones_like",
    "fmod.Tensor": "fmod",
    "ge.Tensor": "ge",
    "gt.Tensor": "gt",
    "le.Tensor": "le",
    "lerp.Scalar": "lerp",
    "linalg_vector_norm": "linalg.norm linalg.vector_norm",
    "logical_not.out": "logical_not",
    "lt.Tensor": "lt",
    "mean.dim": "mean",
    "ne.Scalar": "isfinite",
    "ne.Tensor": "ne",
    "nonzero": "argwhere",
    "normal_": "randn_like",
    "pow.Scalar": "rpow",
    "pow_.Scalar": "pow_",
    "reciprocal": "rtruediv",
    "remainder.Tensor": "mod remainder",
    "sort.stable": "sort",
    "std.correction": "std",
    "uniform_": "rand_like",
    "var.correction": "var",
    "where.self": "where",
}
_ATEN_NAMES = {each: name for name, of in _OTHER_NAMES.items() for each in of.split()}
_OF_NUMBERS = re.compile(r"^(eq|ne|lt|le|gt|ge)\.Tensor$")


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
    backend += "CPU" if tensor.place.is_cpu_place() else "CUDA"
    return NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the '{backend}' backend. This could be because the operator "
        "doesn't exist for this backend, or was omitted during the "
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
        raise _not_of_sparse(
            plain if plain in _ATEN_NAMES else plain.rpartition(".")[2].rstrip("_"), _first_sparse(args, kwargs), other
        )
    return _on_sparse["in place"](plain, implementation, *args, **kwargs)
