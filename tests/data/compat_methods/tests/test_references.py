import math

import pytest
import references

ROWS = [[1.0, 4.0, -2.0, 0.5], [3.0, -1.0, 2.5, 0.0], [0.25, 8.0, 1.0, -3.0]]


def near(found, expected):
    return found.tolist() == pytest.approx(expected, rel=1e-5)


def test_softmax(make):
    found = references.softmax(make("rows"))
    assert near(found.sum(dim=1), [1.0, 1.0, 1.0])
    weights = [math.exp(value) for value in ROWS[0]]
    assert near(found[0], [weight / sum(weights) for weight in weights])


def test_max_is_unpacked(make, largest):
    value, where = references.best(make("rows"))
    assert [value.tolist(), where.tolist()] == largest == [[4.0, 3.0, 8.0], [1, 0, 1]]


def test_min_has_fields(make):
    value, where = references.least(make("rows"))
    assert value.tolist() == [0.25, -1.0, -2.0, -3.0]
    assert where.tolist() == [2, 1, 0, 2]


def test_sort_is_unpacked(make):
    values, order = references.ordered(make("rows"))
    assert values.tolist() == [sorted(row, reverse=True) for row in ROWS]
    assert order.tolist() == [[1, 0, 3, 2], [0, 2, 3, 1], [1, 2, 0, 3]]


def test_split_by_sizes_and_by_size(make):
    assert tuple(references.gates(make("rows"), 1).shape) == (3, 1)
    first, second = references.halves(make("rows"), 3)
    assert near(first, [4.25 / 3, 11.0 / 3, 0.5])
    assert near(second, [-2.5 / 3])


@pytest.mark.parametrize("how", [{}, {"p": 1}, {"keepdim": True}])
def test_norms(make, how):
    norm, deviation, variance = references.norms(make("rows"), **how)
    lengths = [sum(abs(v) ** how.get("p", 2) for v in row) ** (1 / how.get("p", 2)) for row in ROWS]
    assert near(norm.reshape(-1), lengths)
    assert tuple(norm.shape) == ((3, 1) if how.get("keepdim") else (3,))
    means = [sum(row) / 4 for row in ROWS]
    spread = [sum((v - mean) ** 2 for v in row) for row, mean in zip(ROWS, means)]
    assert near(variance, [one / 4 for one in spread])
    assert near(deviation, [(one / 3) ** 0.5 for one in spread])


def test_methods_called_by_name(make):
    mean, product = references.moments([make("rows")])
    assert near(mean, [0.875, 1.125, 1.5625])
    assert near(product, [-4.0, 0.0, -6.0])


def test_order_of_dimensions(make):
    first, second = references.flattened(make("rows"))
    assert first.tolist() == second.tolist() == [row[k] for k in range(4) for row in ROWS]


def test_sums_in_a_fold(make):
    found = references.joined([make("rows"), make("rows")])
    assert found[2].tolist() == [0.25 + 4.25, 8.0 + 11.0, 1.0 + 1.5, -3.0 - 2.5]


def test_values_of_attributes(make):
    reference = references.Reference(x=make("rows"), index=make("index"))
    total, some, where = reference()
    assert near(total, [sum(row) for row in ROWS])
    assert some.tolist() == [True, True, True] and where.tolist() == [1, 0, 1]


def test_facts(make):
    size, columns, dimensions, count, stride, bytes_each = references.Reference(
        x=make("rows")
    ).facts()
    assert (tuple(size), columns, dimensions, count, stride, bytes_each) == ((3, 4), 4, 2, 12, 4, 4)
    assert type(columns) is type(count) is type(stride) is int


def test_methods_on_what_a_lambda_gets(make):
    reduce = lambda value, **how: value.sum(**how)  # noqa: E731
    assert near(reduce(make("rows"), dim=0), [4.25, 11.0, 1.5, -2.5])
    assert near(reduce(make("rows"), dim=(0, 1)).reshape(-1), [14.25])
    assert near(make("rows").amax(dim=(0, 1)).reshape(-1), [8.0])
