"""doctor: each thing porter needs, with its remedy when it is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.build import cuda_headers
from porter.model import Device, Status
from porter.stages import doctor


def checks(home: Path) -> dict[str, doctor.Check]:
    return {check.name: check for check in doctor.examine(home, network=False)}


def test_everything_that_porter_needs_is_looked_at(tmp_path: Path) -> None:
    found = checks(tmp_path)
    assert {"python", "home", "git", "g++", "make", "cmake", "nvcc", "disk"} <= set(found)
    assert found["python"].status is Status.OK


def test_whatever_is_not_there_has_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(cuda_headers, "toolkit", lambda logs: None)
    found = checks(tmp_path / "home")
    assert found["git"].status is found["g++"].status is Status.FAILED
    assert found["nvcc"].status is found["make"].status is Status.SKIPPED
    assert all(c.remedy for c in found.values() if c.status is not Status.OK)


def test_a_home_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = checks(tmp_path / "file" / "home")
    assert found["home"].status is Status.FAILED
    assert "PORTER_HOME" in found["home"].remedy


def test_too_little_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(doctor.NEEDED_GB, Device.CPU, 1 << 40)
    assert checks(tmp_path)["disk"].status is Status.FAILED


def test_a_machine_without_an_npu_is_told_of_the_stand_in(tmp_path: Path) -> None:
    library = tmp_path / "cann" / "lib64" / "libascendcl.so"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"")
    whole = doctor._cann([tmp_path / "cann"], present=True)
    assert whole.status is Status.OK and str(tmp_path / "cann") in whole.detail
    for folders, present in (([tmp_path / "cann"], False), ([tmp_path], False), ([tmp_path], True)):
        found = doctor._cann(folders, present)
        assert found.status is Status.SKIPPED and "--device emulated" in found.remedy
    assert "set_env.sh" in found.remedy, "an NPU whose toolkit is not found"


def test_an_unfinished_environment_is_listed_as_such(tmp_path: Path) -> None:
    (tmp_path / "envs" / "torch-1").mkdir(parents=True)
    (tmp_path / "envs" / "torch-1.logs").mkdir()
    found = checks(tmp_path)["environment"]
    assert found.status is Status.SKIPPED
    assert "torch-1" in found.detail


def test_an_index_that_does_not_answer_is_not_fatal() -> None:
    def refuse(*arguments: object, **named: object) -> object:
        raise TimeoutError("no answer")

    found = doctor._index(refuse)
    assert found.status is Status.SKIPPED
    assert "PIP_INDEX_URL" in found.remedy
