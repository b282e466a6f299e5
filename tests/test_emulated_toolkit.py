"""Toolkits of emulated devices: kept below a home, which may be a link to what others keep."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from porter.emulators.cuda.toolkit import compile_half, compile_library, find_or_make
from porter.targets.protocol import StandIn
from tests.system import need


def make_home(path: Path, kept: Path) -> Path:
    path.mkdir()
    kept.mkdir(exist_ok=True)
    (path / "emulated").symlink_to(kept)
    return path


def test_a_toolkit_serves_every_home_with_a_link_to_it(tmp_path: Path) -> None:
    need("g++")
    sources, kept = tmp_path / "sources", tmp_path / "kept"
    sources.mkdir()
    device, half = sources / "device.cpp", sources / "half.cpp"
    device.write_text('extern "C" int answer() { return 42; }\n')
    half.write_text('extern "C" int answer();\nextern "C" int ask() { return answer(); }\n')
    stand_in = StandIn(
        libraries=("libhalf.so",),
        sources=(half,),
        flags=lambda root: (),
        linked=lambda root: (),
        modules=(),
    )
    made: list[Path] = []

    def make(folder: Path) -> None:
        made.append(folder)
        libraries = folder / "lib64"
        libraries.mkdir(parents=True)
        flags = (str(device), "-Wl,-soname,libdevice.so")
        compile_library(folder, "device", flags, libraries / "libdevice.so")
        compile_half(folder, "half", stand_in, tmp_path, ("-ldevice",))

    first, second = (make_home(tmp_path / name, kept) for name in ("first", "second"))
    folder = find_or_make(first, "toy", sources, (), stand_in, make)
    first.rename(tmp_path / "gone")
    again = find_or_make(second, "toy", sources, (), stand_in, make)
    assert folder == again and len(made) == 1
    library = again / "lib64" / "libhalf.so"
    asked = "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).ask())"
    said = subprocess.run([sys.executable, "-c", asked, library], capture_output=True, text=True)
    assert said.stdout == "42\n", said.stderr


def test_a_toolkit_that_was_moved_is_made_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    home = make_home(tmp_path / "home", kept)
    before = find_or_make(home, "toy", tmp_path / "none", (), None, Path.mkdir)
    kept.rename(tmp_path / "moved")
    other = make_home(tmp_path / "other", tmp_path / "moved")
    after = find_or_make(other, "toy", tmp_path / "none", (), None, Path.mkdir)
    assert after.is_dir() and after.name != before.name
