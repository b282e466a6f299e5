import paddle

from .torchs_meaning import _tensor_method, _torch


def lobpcg(
    A, k=None, B=None, X=None, n=None, iK=None, niter=None, tol=None, largest=None, method=None, tracker=None,
    ortho_iparams=None, ortho_fparams=None, ortho_bparams=None,
):  # fmt: skip
    """The largest or smallest eigenvalues of a symmetric matrix, of a pair with B, and their eigenvectors.

    All are computed, directly: what steers the iteration of torch's, or begins it, changes nothing.
    """
    if tracker is not None:
        raise NotImplementedError("lobpcg(): there are no iterations to track")
    if method not in (None, "basic", "ortho"):
        raise ValueError(f"unknown method {method!r}")
    A, B = (each if each is None or each.is_dense() else _tensor_method("to_dense")(each) for each in (A, B))
    count = (1 if X is None else X.shape[-1]) if k is None else k
    rows = A.shape[-2]
    if rows < 3 * count:
        raise ValueError(
            f"LOBPCG algorithm is not applicable when the number of A rows (={rows}) is smaller than 3 x the number of "
            f"requested eigenpairs (={count})"
        )
    eigh = _torch("linalg.eigh")
    if B is None:
        values, vectors = eigh(A)
    else:
        lower = _torch("linalg.cholesky")(B)
        solve = _torch("linalg.solve_triangular")
        inner = solve(lower, solve(lower, A, upper=False).mT, upper=False)
        values, vectors = eigh((inner + inner.mT) / 2)
        vectors = solve(lower.mT, vectors, upper=True)
    if largest is None or largest:
        return paddle.flip(values[..., -count:], [-1]), paddle.flip(vectors[..., -count:], [-1])
    return values[..., :count], vectors[..., :count]
