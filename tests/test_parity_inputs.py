"""The numbers of tensor arguments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porter.model import TensorSpec
from porter.parity.cases import DTYPES
from porter.parity.inputs import FLOAT8, decode, encode, float8_values, generate


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0, 3), (4, 5)])
def test_every_dtype_has_numbers_of_its_shape(dtype: str, shape: tuple[int, ...]) -> None:
    array = generate(TensorSpec(shape=shape, dtype=dtype))
    assert array.shape == shape
    assert decode(array, dtype).shape == shape


def test_the_same_seed_gives_the_same_bytes_and_another_does_not() -> None:
    first, again = generate(TensorSpec(shape=(9,))), generate(TensorSpec(shape=(9,)))
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != generate(TensorSpec(shape=(9,), seed=1)).tobytes()


def test_an_expanded_tensor_repeats_its_first_row() -> None:
    array = generate(TensorSpec(shape=(3, 4), layout="expanded"))
    assert (array == array[0]).all()


def test_integers_stay_within_their_range() -> None:
    array = generate(TensorSpec(shape=(500,), dtype="int32", low=2, high=5))
    assert set(array.tolist()) == {2, 3, 4}


def test_given_integers_keep_their_bits() -> None:
    array = generate(TensorSpec(shape=(1,), dtype="int64", values=(2**62 + 1,)))
    assert array.tolist() == [2**62 + 1]


def test_given_nan_and_infinity_survive_in_bfloat16() -> None:
    spec = TensorSpec(shape=(3,), dtype="bfloat16", values=(float("nan"), float("inf"), 1.5))
    nan, infinity, number = decode(generate(spec), "bfloat16")
    assert np.isnan(nan)
    assert infinity == np.inf
    assert number == 1.5


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_bfloat16_is_the_nearest_of_its_neighbours(number: float) -> None:
    bits = encode(np.array([number], np.float32), "bfloat16")
    near = decode(bits, "bfloat16").astype(np.float64)[0]
    if np.isinf(near):
        assert abs(number) > 3.38e38
        return
    around = np.array([int(bits[0]) - 1, int(bits[0]) + 1]).astype(np.uint16)
    others = decode(around, "bfloat16").astype(np.float64)
    assert all(abs(near - number) <= abs(o - number) for o in others if np.isfinite(o))


@pytest.mark.parametrize(
    ("dtype", "greatest", "least"), [("float8_e4m3fn", 448, 2**-9), ("float8_e5m2", 57344, 2**-16)]
)
def test_float8_has_its_extremes(dtype: str, greatest: float, least: float) -> None:
    values = float8_values(dtype)
    finite = values[np.isfinite(values)]
    assert finite.max() == greatest
    assert finite[finite > 0].min() == least


@pytest.mark.parametrize("dtype", FLOAT8)
def test_every_float8_number_keeps_its_code(dtype: str) -> None:
    values = float8_values(dtype)
    back = decode(encode(values, dtype), dtype)
    assert np.array_equal(values, back, equal_nan=True)


@pytest.mark.parametrize("dtype", FLOAT8)
def test_float8_rounds_to_the_nearest(dtype: str) -> None:
    values = float8_values(dtype)
    finite = values[np.isfinite(values)]
    numbers = np.random.default_rng(0).uniform(-20, 20, 300)
    nearest = np.abs(numbers[:, None] - finite[None]).min(axis=1)
    found = decode(encode(numbers, dtype), dtype)
    assert np.allclose(np.abs(found - numbers), nearest)
