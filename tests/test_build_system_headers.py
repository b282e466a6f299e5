"""The packages of Debian that are named for headers which are missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from porter.build import system_headers


@pytest.fixture
def apt_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that answers with what is in a file."""
    program, answer = tmp_path / "apt-file", tmp_path / "answer"
    program.write_text(f"#!/bin/sh\ncat {answer}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    system_headers.package_of.cache_clear()
    return answer


@pytest.mark.parametrize(
    ("header", "package"),
    [
        ("google/dense_hash_map", "libsparsehash-dev"),
        ("google/protobuf/message.h", "libprotobuf-dev"),
        ("Eigen/Dense", "libeigen3-dev"),
        ("unsupported/Eigen/CXX11/Tensor", "libeigen3-dev"),
        ("fftw3.h", "libfftw3-dev"),
        ("ops.h", ""),
        ("google/other.h", ""),
    ],
)
def test_the_package_of_a_usual_header(
    header: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    system_headers.package_of.cache_clear()
    assert system_headers.package_of(header) == package


@pytest.mark.parametrize(
    ("answer", "package"),
    [
        ("libodd-dev\n", "libodd-dev"),
        ("liba-dev\nlibb-dev\n", ""),
        ("libtorch-dev\n", ""),
        ("", ""),
    ],
)
def test_apt_file_is_asked_for_others(apt_file: Path, answer: str, package: str) -> None:
    apt_file.write_text(answer)
    assert system_headers.package_of("odd/one.h") == package
    assert system_headers.package_of("one.h") == "", "it may be any library's, or the user's own"
