"""What runs production kernels and judges them, on kernels of ours and without any."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from porter.emulators.npu import toolkit
from tests.ascend_production.case import BFLOAT16, Array, Case, error, floats, rounded
from tests.ascend_production.device import Device, KernelFault, packaged
from tests.ascend_production.judge import Told, _judge
from tests.conftest import CACHE
from tests.system import need

DATA = Path(__file__).parent / "data" / "emulated_ascend" / "registered"


def test_bfloat16_is_rounded_to_nearest_with_ties_to_even() -> None:
    given = np.array([1.0, 1 + 2**-8, 1 + 3 * 2**-8, -(1 + 2**-8 + 2**-20), np.inf], np.float32)
    assert floats(rounded(given, BFLOAT16)).tolist() == [
        *(1.0, 1.0, 1 + 2**-6, -(1 + 2**-7), np.inf),
    ]


@pytest.mark.parametrize(
    ("got", "wanted", "apart"),
    [
        ([1.0, np.nan, -np.inf], [1.0, np.nan, -np.inf], 0.0),
        ([1.5], [1.0], 0.25),
        ([np.nan], [1.0], np.inf),
        ([np.inf], [-np.inf], np.inf),
        ([], [], 0.0),
    ],
)
def test_the_error_is_relative_and_what_is_no_number_has_to_be_the_same(
    got: list[float], wanted: list[float], apart: float
) -> None:
    assert error(np.array(got, np.float32), np.array(wanted, np.float32)) == apart


def test_integers_have_to_be_the_same() -> None:
    assert error(np.array([1, 2]), np.array([1, 2])) == 0
    assert error(np.array([1, 2]), np.array([1, 3])) == np.inf


class Fake:
    """A device on which every kernel does the same."""

    def __init__(self, result: Sequence[Array] = (), fault: str = "") -> None:
        self.result, self.fault = list(result), fault

    def run(self, case: Case) -> list[Array]:
        if self.fault:
            raise KernelFault(self.fault)
        return self.result


ONE, TWO = np.ones(3, np.float32), np.full(3, 2, np.float32)


def told(device: Fake, tmp_path: Path, order: bool = True, **more: str) -> Told:
    case = Case(name="c", kernel="k", arguments=(ONE, ONE), expected={1: TWO}, **more)
    result = Told()
    _judge(case, cast(Device, device), tmp_path, result, order)
    return result


def test_what_comes_out_is_compared_and_the_rest_has_to_stay(tmp_path: Path) -> None:
    assert told(Fake((ONE, TWO)), tmp_path) == Told(cases=1)
    assert told(Fake((ONE, ONE)), tmp_path).failures == ["c: error 3.33e-01"]
    assert told(Fake((TWO, TWO)), tmp_path).failures == ["c: error 5.00e-01"]
    assert told(Fake(fault="507035"), tmp_path).failures == ["c: 507035"]


def test_a_case_expects_some_change(tmp_path: Path) -> None:
    result = Told()
    case = Case(name="c", kernel="k", arguments=(ONE, ONE), expected={1: ONE})
    _judge(case, cast(Device, Fake((ONE, ONE))), tmp_path, result, True)
    assert result.failures == ["c: what is expected is what is there before"]


def test_a_defect_has_to_show(tmp_path: Path) -> None:
    shown = told(Fake((ONE, ONE)), tmp_path, defect="short")
    assert shown == Told(defects={"short": "c: error 3.33e-01"})
    assert told(Fake((ONE, TWO)), tmp_path, defect="short").failures


def test_a_lack_of_order_has_to_be_told_as_such(tmp_path: Path) -> None:
    race = Fake(fault="the scalar unit reads, and nothing orders them")
    assert told(race, tmp_path, unordered="race").failures == []
    assert told(Fake(fault="out of range"), tmp_path, unordered="race").failures
    assert told(Fake((ONE, TWO)), tmp_path, unordered="race").failures
    assert told(Fake((ONE, TWO)), tmp_path, order=False, unordered="race") == Told(cases=1)


@pytest.mark.real
@pytest.mark.long
def test_a_package_whose_tiling_function_is_registered_in_a_file_of_its_own(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    need("g++")
    own = toolkit(CACHE)
    source, flags = DATA / "op_kernel" / "scale_kv.cpp", [f"-I{DATA / 'include'}"]
    host = ("scale_kv_def.cpp", "scale_kv_tiling.cpp")
    device = Device(packaged(source, host, flags, tmp_path / "vendor", own), own)
    x = np.arange(64, dtype=np.float32)

    def called(length: int) -> Case:
        given = (x[:length], np.zeros(length, np.float32))
        return Case(name="", kernel="ScaleKV", arguments=given, expected={})

    result = device.run(called(64))[1]
    assert isinstance(result, np.ndarray) and np.array_equal(result, x * 48), "of 48 cores"
    with pytest.raises(KernelFault, match=r"161002 .*was refused by its tiling function"):
        device.run(called(7))
    assert "the length is 7" in capfd.readouterr().err
