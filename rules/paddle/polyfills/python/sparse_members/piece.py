import paddle

from .methods_of_tensors import _methods
from .parts_of_sparse import _FLAG, _coalesced, _coo, _coo_parts, _csr_of, _dense_of, _flagged
from .sparse_arguments import _is_sparse_tensor, _not_of_sparse

_LAYOUTS = {True: "SparseCsr", False: "Sparse", None: "Strided"}


def _layout_name(tensor):
    return _LAYOUTS[tensor.is_sparse_csr() if _is_sparse_tensor(tensor) else None]


def _to_dense(self, dtype=None, *, masked_grad=None):
    dense = self if self.is_dense() else _dense_of(self)
    return dense if dtype is None else dense.astype(dtype)


def _refuse_other_layout(tensor, name, kind="coordinate"):
    wanted = tensor.is_sparse_csr() if kind == "row compressed" else tensor.is_sparse_coo()
    if not wanted:
        raise RuntimeError(f"{name} expected sparse {kind} tensor layout but got {_layout_name(tensor)}")


def _is_coalesced(self):
    _refuse_other_layout(self, "is_coalesced")
    return _flagged(self)


def _coalesce(self):
    _refuse_other_layout(self, "coalesce")
    return _coalesced(self)


def _coalesced_(self, coalesced):
    self.__dict__[_FLAG] = bool(coalesced)
    return self


def _of_coalesced(name):
    def part(self):
        if self.is_dense() or name == "indices" and self.is_sparse_csr():
            kind = "sparse coordinate" if name == "indices" else "sparse"
            raise RuntimeError(f"{name} expected {kind} tensor layout but got {_layout_name(self)}")
        if self.is_sparse_coo() and not _flagged(self):
            raise RuntimeError(f"Cannot get {name} on an uncoalesced tensor, please call .coalesce() first")
        return getattr(self, name)()

    return part


def _of_layout_coo(name):
    def part(self):
        if not self.is_sparse_coo():
            raise _of_dense(f"_{name}", self)
        return getattr(self, name)()

    return part


def _of_dense(name, tensor):
    if _is_sparse_tensor(tensor):
        return _not_of_sparse(name, tensor)
    return NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the 'CPU' backend. This could be because the operator "
        "doesn't exist for this backend, or was omitted during the selective/custom build process (if using "
        "custom build)."
    )


def _of_rows(name, paddles):
    def part(self):
        _refuse_other_layout(self, name, "row compressed")
        return getattr(self, paddles)()

    return part


def _nnz(self):
    if self.is_dense():
        raise _of_dense("_nnz", self)
    return int(self.nnz())


def _to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    if layout is not None and sparse_dim is not None:
        raise RuntimeError("to_sparse: layout and sparse_dim are not both given")
    wanted = "torch.sparse_coo" if layout is None else repr(layout)
    if wanted == "torch.sparse_csr":
        return _to_sparse_csr(self, dense_dim=dense_dim)
    if wanted != "torch.sparse_coo" or blocksize is not None or dense_dim is not None:
        raise NotImplementedError(
            f"to_sparse(layout={wanted}, blocksize={blocksize}, dense_dim={dense_dim}) under Paddle"
        )
    if self.is_sparse_csr():
        return _coo(*_coo_parts(self), self.shape, True)
    if self.is_sparse_coo():
        if sparse_dim not in (None, len(self.indices())):
            raise RuntimeError(
                "to_sparse: conversion from Sparse to Sparse with sparse_dim argument !=self.sparse_dim() is not "
                "supported"
            )
        return self
    return _dense_to_sparse(self, self.ndim if sparse_dim is None else sparse_dim)


def _dense_to_sparse(dense, count):
    """At the places where a tensor is not zero, with these values."""
    if not count:
        return _coo(paddle.zeros([0, 1], dtype="int64"), dense.unsqueeze(0), dense.shape, True)
    found = dense != 0
    if count < dense.ndim:
        found = found.any([*range(count, dense.ndim)])
    places = paddle.nonzero(found)
    values = dense.gather_nd(places) if places.shape[0] else dense.flatten(0, count - 1)[:0]
    return _coo(places.t(), values, dense.shape, True)


def _to_sparse_csr(self, dense_dim=None):
    if dense_dim:
        raise NotImplementedError("to_sparse_csr(dense_dim=) under Paddle")
    if self.is_sparse_csr():
        return self
    if self.ndim != 2:
        raise NotImplementedError(f"a tensor of {self.ndim} dimensions of layout torch.sparse_csr under Paddle")
    return _csr_of(_dense_to_sparse(self, 2) if self.is_dense() else self)


_methods(
    _indices=_of_layout_coo("indices"),
    _values=_of_layout_coo("values"),
    _nnz=_nnz,
    _coalesced_=_coalesced_,
    coalesce=_coalesce,
    col_indices=_of_rows("col_indices", "cols"),
    crow_indices=_of_rows("crow_indices", "crows"),
    indices=_of_coalesced("indices"),
    is_coalesced=_is_coalesced,
    to_dense=_to_dense,
    to_sparse=_to_sparse,
    to_sparse_coo=_to_sparse,
    to_sparse_csr=_to_sparse_csr,
    values=_of_coalesced("values"),
)
