"""Which files are read, as what, and why the others are not."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from porter.model import Language, Role
from porter.survey.discover import LARGEST, discover

MIT, APACHE = "MIT License, (c) us", "Apache License, (c) them"


def lay(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "repo"


def roles(root: Path) -> dict[str, Role]:
    return {file.path: file.role for file in discover(root).files}


def reasons(root: Path) -> dict[str, str]:
    return {skipped.path: skipped.reason for skipped in discover(root).skipped}


def test_languages_come_from_names(root: Path) -> None:
    names = ["a.py", "b.CU", "c.cuh", "d.hpp", "e.asc", "f.cmake", "CMakeLists.txt"]
    lay(root, dict.fromkeys([*names, "pyproject.toml", "other.toml", "a.txt"], "x\n"))
    found = {file.path: file.language for file in discover(root).files}
    assert found == {
        "a.py": Language.PYTHON,
        **dict.fromkeys(("b.CU", "c.cuh", "d.hpp", "e.asc"), Language.CPP),
        **dict.fromkeys(("f.cmake", "CMakeLists.txt"), Language.CMAKE),
        "pyproject.toml": Language.TOML,
    }


def test_files_come_in_order_with_their_size(root: Path) -> None:
    lay(root, {"b.py": "12", "a/c.py": "", "a.py": "1"})
    assert [(f.path, f.size) for f in discover(root).files] == [
        ("a.py", 1), ("a/c.py", 0), ("b.py", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("other", "role"), [("tests/__init__.py", Role.LIBRARY), ("ops/__init__.py", Role.ENTRY)]
)
def test_a_library_may_be_called_demo(other: str, role: Role, root: Path) -> None:
    lay(root, dict.fromkeys(["setup.py", "demo/__init__.py", "demo/csrc/a.cpp", other], "x\n"))
    found = roles(root)
    assert (found["demo/__init__.py"], found["demo/csrc/a.cpp"]) == (role, role)


def test_roles_come_from_names_and_neighbours(root: Path) -> None:
    lay(
        root,
        {
            "setup.py": "from tools.cuda import flags\nimport build_flags\nimport ops.version\n",
            "build_flags.py": "import version_of\n",
            "version_of.py": "",
            "tools/__init__.py": "",
            "tools/cuda.py": "",
            "tools/lint.py": "",
            "ops/__init__.py": "",
            "ops/version.py": "",
            "ops/main.py": 'if __name__ == "__main__":\n    pass\n',
            "ops/tools/helper.py": "",
            "ops/testing/__init__.py": "",
            "ops/tests/test_a.py": "",
            "csrc/add.cu": "",
            "csrc/setup_kernel.cu": "",
            "csrc/add_test.cu": "",
            "tests/conftest.py": "",
            "tests/cpp/a.cpp": "",
            "examples/run.py": "",
            "benchmarks/__init__.py": "",
            "train.py": 'if __name__ == "__main__":\n    pass\n',
            "eval/test_accuracy.py": 'if __name__ == "__main__":\n    main()\n',
            "eval/test_b.py": 'def test_b(): ...\nif __name__ == "__main__":\n    main()\n',
            "tests/test_speed.py": 'if __name__ == "__main__":\n    main()\n',
            "ops/test.py": "import unittest\nclass OpsTest(unittest.TestCase): ...\n",
            "eval/test.py": "def test(model): ...\n",
            "module.py": 'text = """\nif __name__"""\n',
        },
    )
    found = roles(root)
    by_role = {role: {p for p, r in found.items() if r is role} for role in Role}
    assert by_role[Role.BUILD] == {"setup.py", "build_flags.py", "version_of.py", "tools/cuda.py"}
    assert by_role[Role.TEST] == {
        "ops/tests/test_a.py", "tests/conftest.py", "tests/cpp/a.cpp", "csrc/add_test.cu",
        "eval/test_b.py", "tests/test_speed.py", "ops/test.py",
    }  # fmt: skip
    assert by_role[Role.ENTRY] == {
        "examples/run.py", "benchmarks/__init__.py", "train.py", "tools/lint.py",
        "tools/__init__.py", "eval/test_accuracy.py",
    }  # fmt: skip
    assert not by_role[Role.VENDORED]


def test_a_backend_of_its_own_is_a_build_script(root: Path) -> None:
    lay(
        root,
        {
            "pyproject.toml": "[build-system]\n"
            'build-backend = "backend"\nbackend-path = ["hooks"]\n',
            "hooks/backend.py": "",
            "pkg/__init__.py": "",
        },
    )
    assert roles(root)["hooks/backend.py"] is Role.BUILD


def test_third_party_code_is_known_by_evidence(root: Path) -> None:
    lay(
        root,
        {
            "LICENSE": MIT,
            "setup.py": "",
            "third_party/x/a.py": "",
            "csrc/extern/b.h": "",
            "pkg/_vendor/c.py": "",
            "copied/LICENSE": APACHE,
            "copied/CMakeLists.txt": "project(copied)\n",
            "part/LICENSE": APACHE,
            "part/CMakeLists.txt": "add_library(part a.cpp)\n",
            "part/a.cpp": "",
            "copied/src/d.cpp": "",
            "pkg/data/cutlass/LICENSE.txt": APACHE,
            "pkg/data/cutlass/include/e.h": "",
            "mine/LICENSE": MIT,
            "mine/pyproject.toml": "",
            "mine/f.py": "",
            "inner/setup.py": "",
            "csrc/cutlass/own_kernel.cu": "",
            "sub/g.py": "",
            "stubs/lib/__init__.pyi": "",
            "stubs/try_them.py": "",
            "csrc/stubs/h.cpp": "",
            ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = https://example.org/x\n',
        },
    )
    vendored = {path for path, role in roles(root).items() if role is Role.VENDORED}
    assert vendored == {
        "third_party/x/a.py", "csrc/extern/b.h", "pkg/_vendor/c.py", "copied/CMakeLists.txt",
        "copied/src/d.cpp", "pkg/data/cutlass/include/e.h", "sub/g.py",
        "stubs/lib/__init__.pyi", "stubs/try_them.py",
    }  # fmt: skip


def test_generated_folders_are_left_and_sources_called_build_are_not(root: Path) -> None:
    lay(
        root,
        {
            "build/lib.linux/x.py": "",
            "build/temp.linux/y.c": "",
            "cmake-out/CMakeCache.txt": "",
            "cmake-out/z.c": "",
            "ops.egg-info/a.py": "",
            "venv/pyvenv.cfg": "",
            "venv/b.py": "",
            "tools/build/helper.py": "",
            "dist/c.py": "",
            "__pycache__/d.py": "",
        },
    )
    assert set(roles(root)) == {"tools/build/helper.py", "dist/c.py"}
    assert set(reasons(root)) == {"build", "cmake-out", "ops.egg-info", "venv"}


def test_links_are_never_followed(root: Path, tmp_path: Path) -> None:
    lay(tmp_path / "outside", {"secret.py": "import torch\n"})
    lay(root, {"a.py": "", "sub/b.py": ""})
    (root / "loop.py").symlink_to("loop.py")
    (root / "sub" / "round").symlink_to("..")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "out.py").symlink_to(tmp_path / "outside" / "secret.py")
    (root / "same.py").symlink_to("a.py")
    (root / "dangling.py").symlink_to("nothing.py")
    assert set(roles(root)) == {"a.py", "sub/b.py"}
    found = reasons(root)
    assert set(found) == {"loop.py", "sub/round", "out", "out.py", "same.py", "dangling.py"}
    assert "out of the tree" in found["out.py"]


@pytest.mark.parametrize("mutual", [True, False])
def test_a_loop_of_links_ends(root: Path, mutual: bool) -> None:
    lay(root, {"a.py": ""})
    (root / "x").symlink_to("y" if mutual else "x")
    (root / "y").symlink_to("x")
    assert set(roles(root)) == {"a.py"}


def test_odd_files_are_left_with_a_reason_each(root: Path) -> None:
    lay(root, {"ok.py": "", "empty.cu": ""})
    (root / "nul.py").write_bytes(b"x = 1\0\n")
    (root / "wide.h").write_bytes("int x;".encode("utf-16"))
    with (root / "big.cpp").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    assert LARGEST < 100 * 1024 * 1024
    os.mkfifo(root / "pipe.py")
    (root / "folder.py").mkdir()
    found = reasons(root)
    assert set(found) == {"nul.py", "wide.h", "big.cpp", "pipe.py"}
    assert "NUL" in found["nul.py"]
    assert "large" in found["big.cpp"]
    assert "UTF-16" in found["wide.h"]


def test_encodings_are_left_to_the_readers(root: Path) -> None:
    lay(root, {"a.py": ""})
    (root / "latin.py").write_bytes(b"# \xe9\n")
    (root / "bom.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    assert set(roles(root)) == {"a.py", "latin.py", "bom.py"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_an_unreadable_file_is_named(root: Path) -> None:
    lay(root, {"a.py": ""})
    (root / "a.py").chmod(0)
    assert "unreadable" in reasons(root)["a.py"]


def test_in_a_clone_the_tracked_files_count(root: Path) -> None:
    lay(
        root,
        {"a.py": "", "build/lib/x.py": "", "build/temp.x/y.c": "", "new.py": "", "gone.py": ""},
    )
    (root / "link.py").symlink_to("/etc/passwd")
    run = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*run, "init", "-q"], cwd=root, check=True)
    names = ["a.py", "build", "gone.py", "link.py"]
    subprocess.run([*run, "add", "-f", *names], cwd=root, check=True)
    (root / "gone.py").unlink()
    assert set(roles(root)) == {"a.py", "build/lib/x.py", "build/temp.x/y.c"}
    assert set(reasons(root)) == {"gone.py", "link.py"}


def test_a_tracked_file_behind_a_link_is_not_read(root: Path, tmp_path: Path) -> None:
    lay(tmp_path / "outside", {"a.py": "import torch\n"})
    lay(root, {"sub/a.py": "", "b.py": ""})
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    (root / "sub" / "a.py").unlink()
    (root / "sub").rmdir()
    (root / "sub").symlink_to(tmp_path / "outside")
    assert set(roles(root)) == {"b.py"}
    assert set(reasons(root)) == {"sub/a.py"}


def test_a_name_that_cannot_be_printed_is_left(root: Path) -> None:
    lay(root, {"a.py": "", "\u00e9.py": ""})
    (root / os.fsdecode(b"\xff.py")).write_text("")
    (root / "new\nline.py").write_text("")
    assert set(roles(root)) == {"a.py", "\u00e9.py"}
    assert all(path.isascii() and path.isprintable() for path in reasons(root))
