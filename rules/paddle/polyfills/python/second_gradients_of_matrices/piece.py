import string

import paddle

from .steps_of_gradients import _OPS, _conj, _has_complex, _times


def _turned(x):
    return x.transpose([*range(x.ndim - 2), x.ndim - 1, x.ndim - 2])


def _adjoint_of(x):
    return _conj(_turned(x))


def _matrix_product(*factors):
    product = factors[0]
    for each in factors[1:]:
        product = _OPS.matmul(product, each, False, False)
    return product


def _matmul(g, x, y, transpose_x=False, transpose_y=False):
    a = x.unsqueeze(0) if x.ndim == 1 else _turned(x) if transpose_x else x
    b = y.unsqueeze(-1) if y.ndim == 1 else _turned(y) if transpose_y else y
    g = g.unsqueeze(-1) if y.ndim == 1 else g
    g = g.unsqueeze(-2) if x.ndim == 1 else g
    of_a, of_b = _matrix_product(g, _adjoint_of(b)), _matrix_product(_adjoint_of(a), g)
    return _of(x, of_a, transpose_x, -2), _of(y, of_b, transpose_y, -1)


def _of(x, gradient, transposed, axis):
    if x.ndim == 1:
        gradient = gradient.squeeze(axis)
        return gradient.reshape([-1, x.shape[0]]).sum(0)
    return _turned(gradient) if transposed else gradient


def _bmm(x, y):
    return _matrix_product(x, y)


def _mv(x, vec):
    return _OPS.matmul(x, vec, False, False)


def _dot(x, y):
    return _times(x, y).sum(-1)


def _cross(g, x, y, axis=9):
    return _conj(_OPS.cross(y, _conj(g), axis)), _conj(_OPS.cross(_conj(g), x, axis))


def _expanded_alike(tensors):
    shape = paddle.broadcast_shape([*tensors[0].shape], [1])
    for each in tensors[1:]:
        shape = paddle.broadcast_shape(shape, [*each.shape])
    return [each.expand(shape) for each in tensors]


def _addmm(input, x, y, beta=1.0, alpha=1.0):
    return beta * input + alpha * _matrix_product(x, y)


def _baddbmm(input, x, y, beta=1.0, alpha=1.0, out_dtype=None):
    return beta * input + alpha * _matrix_product(x, y)


def _slopes_of_inverse(g, x):
    y = _adjoint_of(_OPS.inverse(x))
    return -_matrix_product(y, g, y)


def _determinant(g, x):
    return _times(_as_matrices(_times(g, _conj(_OPS.det(x)))), _adjoint_of(_OPS.inverse(x)))


def _as_matrices(x):
    return x.reshape([*x.shape, 1, 1])


def _log_determinant(g, x):
    g = g[1]  # that of the sign is none
    return None if g is None else _as_matrices(g) * _adjoint_of(_OPS.inverse(x))


def _slopes_of_svd(given, x, full_matrices=False):
    if full_matrices and x.shape[-1] != x.shape[-2]:
        raise NotImplementedError("no second gradient of an svd with full_matrices")
    of_left, of_values, of_right = given
    left, values, right = _OPS.svd(x, False)
    eye = paddle.eye(values.shape[-1], dtype=x.dtype)
    inner = 0 if of_values is None else _on_diagonal(of_values)
    squares = values * values
    gaps = (1 - eye) / (squares.unsqueeze(-2) - squares.unsqueeze(-1) + eye)
    outer = 0
    if of_left is not None:
        turns = _matrix_product(_turned(left), of_left)
        inner = inner + (turns - _turned(turns)) * gaps * values.unsqueeze(-2)
        outer = outer + _matrix_product(
            (of_left - _matrix_product(left, turns)) / values.unsqueeze(-2), right
        )
    if of_right is not None:
        turns = _matrix_product(right, _turned(of_right))
        inner = inner + values.unsqueeze(-1) * ((turns - _turned(turns)) * gaps)
        rest = of_right - _matrix_product(_turned(turns), right)
        outer = outer + _matrix_product(left, rest / values.unsqueeze(-1))
    return (
        _matrix_product(left, inner, right) + outer if isinstance(inner, paddle.Tensor) else outer
    )


def _svdvals(x):
    return _OPS.svd(x, False)[1]


def _multi_dot(x):
    return _matrix_product(*x)


def _einsum(g, operands, equation):
    g = g[0] if isinstance(g, list) else g
    terms, output = _terms_of_einsum(equation, operands)
    found = []
    for at, term in enumerate(terms):
        others = [each for i, each in enumerate(terms) if i != at]
        known = "".join(each for each in term if any(each in one for one in (output, *others)))
        inputs = [g, *(_conj(each) for i, each in enumerate(operands) if i != at)]
        part = _OPS.einsum(inputs, f"{','.join([output, *others])}->{known}")[0]
        sizes = dict(zip(known, part.shape, strict=True))
        part, shape = part.reshape([sizes.get(each, 1) for each in term]), operands[at].shape
        spread = [at for at, n in enumerate(shape) if n < part.shape[at]]  # over the other operands
        part = part.sum(spread, keepdim=True) if spread else part
        found.append(part.expand(shape))
    return found


def _terms_of_einsum(equation, operands):
    """The indices of the operands and of the output, a letter for each dimension."""
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    inputs = inputs.split(",")
    free = [each for each in string.ascii_letters if each not in equation]
    rest = [
        each.ndim - len(term.replace("...", ""))
        for each, term in zip(operands, inputs, strict=True)
    ]
    wide = max([n for n, term in zip(rest, inputs, strict=True) if "..." in term], default=0)
    if any("..." in term and n != wide for n, term in zip(rest, inputs, strict=True)):
        raise NotImplementedError(
            f"no second gradient of einsum of different numbers of dimensions: {equation}"
        )
    dots = "".join(free[:wide])
    terms = [term.replace("...", dots) for term in inputs]
    if not arrow:
        every = "".join(inputs).replace("...", "")
        output = "..." + "".join(sorted(each for each in {*every} if every.count(each) == 1))
    return terms, output.replace("...", dots)


def _solve(g, x, y):
    vector = y.ndim == 1
    solution = _OPS.solve(x, y)
    of_y = _OPS.solve(_adjoint_of(x), g)
    outer = [each.unsqueeze(-1) if vector else each for each in (of_y, solution)]
    return -_matrix_product(outer[0], _adjoint_of(outer[1])), of_y


def _triangular_solve(g, x, y, upper=True, transpose=False, unitriangular=False):
    solution = _OPS.triangular_solve(x, y, upper, transpose, unitriangular)
    of_y = _OPS.triangular_solve(_conj(x), g, upper, not transpose, unitriangular)
    of_x = -_matrix_product(of_y, _adjoint_of(solution))
    of_x = _turned(of_x) if transpose else of_x
    cut = _OPS.triu if upper else _OPS.tril
    return cut(of_x, (1 if upper else -1) if unitriangular else 0), of_y


def _slopes_of_cholesky(g, x, upper=False):
    factor = _OPS.cholesky(x, upper)
    lower, g = (_adjoint_of(factor), _adjoint_of(g)) if upper else (factor, g)
    half = _OPS.tril(_matrix_product(_adjoint_of(lower), g), 0)
    eye = paddle.eye(x.shape[-1], dtype=x.dtype)
    half = _times(half, 1 - eye / 2)
    inner = _OPS.triangular_solve(_adjoint_of(lower), half, True, False, False)
    inner = _adjoint_of(
        _OPS.triangular_solve(_adjoint_of(lower), _adjoint_of(inner), True, False, False)
    )
    return (inner + _adjoint_of(inner)) / 2


def _matrix_power(x, n):
    if n == 0:
        return x * 0 + paddle.eye(x.shape[-1], dtype=x.dtype)
    base = x if n > 0 else _OPS.inverse(x)
    result, n = None, abs(n)
    while n:
        if n & 1:
            result = base if result is None else _matrix_product(result, base)
        n >>= 1
        base = _matrix_product(base, base) if n else base
    return result


def _on_diagonal(x):
    return x.unsqueeze(-1) * paddle.eye(x.shape[-1], dtype=x.dtype)


def _eigh(given, x, uplo="L"):
    values, vectors = _OPS.eigh(x, uplo)
    return _of_eigen(given, values, vectors)


def _eigvalsh(given, x, uplo="L", is_test=False):
    values, vectors = _OPS.eigh(x, uplo)
    return _of_eigen([given[0] if isinstance(given, list) else given, None], values, vectors)


def _of_eigen(given, values, vectors):
    of_values, of_vectors = given
    inner = 0
    if of_vectors is not None:
        gaps = values.unsqueeze(-2) - values.unsqueeze(-1)
        eye = paddle.eye(gaps.shape[-1], dtype=gaps.dtype)
        gaps = (1 - eye) / (gaps + eye)
        inner = _times(
            _matrix_product(_adjoint_of(vectors), of_vectors), gaps.astype(vectors.dtype)
        )
    if of_values is not None:
        inner = inner + _on_diagonal(of_values).astype(vectors.dtype)
    return _matrix_product(vectors, inner, _adjoint_of(vectors))


_SLOPES_OF_MATRICES = {
    "matmul": (_matmul, lambda x: x.is_complex() or x.ndim != 2),  # Paddle's own fails where one is broadcast
    "cross": (_cross, None),
    "inverse": (_slopes_of_inverse, None),
    "det": (_determinant, None),
    "slogdet": (_log_determinant, lambda x: not x.is_complex()),
    "svd": (_slopes_of_svd, lambda x: not x.is_complex()),
    "einsum": (_einsum, None),
    "solve": (_solve, None),
    "triangular_solve": (_triangular_solve, None),
    "cholesky": (_slopes_of_cholesky, None),
    "eigh": (_eigh, None),
    "eigvalsh": (_eigvalsh, None),
}


_STEPS_OF_MATRICES = {
    "bmm": (_bmm, _has_complex),
    "mv": (_mv, None),
    "dot": (_dot, None),
    "broadcast_tensors": (_expanded_alike, None),
    "addmm": (_addmm, None),
    "baddbmm": (_baddbmm, None),
    "svdvals": (_svdvals, None),
    "multi_dot": (_multi_dot, None),
    "matrix_power": (_matrix_power, None),
}
