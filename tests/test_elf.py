"""What libraries need and define is read from the file, damaged files included."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from porter.host import elf
from tests.fuzz.samples import LIBRARY


def test_needs_folders_and_symbols_are_read(tmp_path: Path) -> None:
    path = tmp_path / "lib.so"
    path.write_bytes(LIBRARY)
    found = elf.read(path)
    assert found is not None
    assert found.needed == ("libc.so.6",)
    assert found.folders == (tmp_path, Path("/a"))
    assert (found.undefined, found.defined) == (("f",), frozenset({"f"}))


def test_damaged_files_raise_nothing_but_value_errors() -> None:
    cut = [LIBRARY[:end] for end in range(len(LIBRARY))]
    changed = [LIBRARY[:n] + b"\xff" + LIBRARY[n + 1 :] for n in range(len(LIBRARY))]
    for data in (b"", b"MZ", *cut, *changed):
        with contextlib.suppress(ValueError):
            elf.parse(io.BytesIO(data), Path("lib.so"))


def test_a_folder_or_a_missing_file_is_no_library(tmp_path: Path) -> None:
    assert elf.read(tmp_path) is None
    assert elf.read(tmp_path / "none.so") is None
