"""porter-compat: the pieces as a package that a library, its tests or a script imports."""

from __future__ import annotations

import ast
import base64
import hashlib
import os
import shutil
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.surface.load import load_torch
from porter.unit.package import build_wheel
from tests.conftest import ROOT
from tests.test_unit_pieces import MAY_DIFFER

RULES = rules_home() / "paddle"
DATA = Path(__file__).parent / "data"
# An import that makes the folder of a script part of what torch's meanings are for.
UNIT = (
    "import sys\nimport porter_compat\nfrom porter_compat.pieces.scope import share\n"
    "share(sys.argv[0])\n"
)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(RULES, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH that has the package."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def run(
    python: Path | str, code: str, installed: Path, cwd: Path, **variables: str
) -> tuple[int, str]:
    """What a process says that runs some code as a script in a folder."""
    script = cwd / "main.py"
    script.write_text(textwrap.dedent(code))
    return call([str(python), "-W", "ignore", "main.py"], installed, cwd, **variables)


def call(command: list[str], installed: Path, cwd: Path, **variables: str) -> tuple[int, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PORTER_FRAMEWORK")}
    done = subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**kept, "PYTHONPATH": str(installed), **variables},
    )
    return done.returncode, done.stdout + (done.stderr if done.returncode else "")


# What is in the wheel.


def test_the_wheel_has_every_piece_as_a_module_and_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 3_000_000
    with zipfile.ZipFile(wheel) as archive:
        names = {*archive.namelist()}
        metadata = archive.read(next(n for n in names if n.endswith("METADATA"))).decode()
    for piece in (RULES / "polyfills" / "python").glob("*/piece.py"):
        assert f"porter_compat/pieces/{piece.parent.name}.py" in names
    for header in (RULES / "polyfills" / "cpp").glob("*/include/**/*.h"):
        _, _, path = header.as_posix().rpartition("/include/")
        assert f"porter_compat/pieces/include/{path}" in names
    assert "Requires-Dist" not in metadata


def test_the_same_sources_give_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    assert build_wheel(RULES, tmp_path).read_bytes() == wheel.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [wheel.name]


def test_the_record_has_the_digest_of_every_file(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    (record,) = (name for name in files if name.endswith("/RECORD"))
    rows = [row.rsplit(",", 2) for row in files[record].decode().splitlines()]
    assert {row[0] for row in rows} == {*files}
    for name, digest, size in rows:
        if name != record:
            found = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest())
            assert digest == f"sha256={found.rstrip(b'=').decode()}"
            assert int(size) == len(files[name])


def test_pip_can_build_it(wheel: Path, tmp_path: Path) -> None:
    code = f"import backend; print(backend.build_wheel({str(tmp_path)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=RULES / "compat", capture_output=True, text=True
    )
    assert done.stdout.strip() == wheel.name, done.stderr
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def test_pieces_import_what_they_use_of_each_other_and_it_is_there(installed: Path) -> None:
    modules = {p.stem: p for p in (installed / "porter_compat" / "pieces").glob("*.py")}
    defined = {name: _defined(ast.parse(path.read_text())) for name, path in modules.items()}
    imports = 0
    for name, path in modules.items():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ImportFrom) and node.level:
                imports += 1
                lacking = {alias.name for alias in node.names} - defined[str(node.module)]
                assert not lacking, f"{name}: {node.module} has no {lacking}"
    assert imports > 100


def _defined(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


# Where it acts.


def test_without_torch_and_paddle_it_says_what_to_install(installed: Path, tmp_path: Path) -> None:
    code, said = run(sys.executable, "import porter_compat", installed, tmp_path)
    assert code == 1
    assert "ImportError" in said and "pip install" in said


def test_under_another_torch_nothing_happens(installed: Path, tmp_path: Path) -> None:
    """A stand-in for torch and one for paddle, which says when it is imported."""
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("__version__ = '2.13.0'\n")
    (tmp_path / "paddle.py").write_text("print('paddle was imported')\n__version__ = '2.6'\n")
    code, said = run(
        sys.executable,
        "import porter_compat, torch\nprint(porter_compat.STATE.active, torch.__version__)",
        installed,
        tmp_path,
    )
    assert (code, said) == (0, "False 2.13.0\n")
    code, said = run(
        sys.executable, "import porter_compat", installed, tmp_path, PORTER_FRAMEWORK="paddle"
    )
    assert code == 1 and "2.6 has no torch proxy" in said, "an older Paddle is named"


@pytest.mark.real
def test_under_real_torch_nothing_happens(
    framework_pythons: Mapping[str, Path], installed: Path, tmp_path: Path
) -> None:
    code = """
        import sys, torch
        before = {*sys.modules}
        import porter_compat
        print(porter_compat.STATE.active, "paddle" in sys.modules, len({*sys.modules} - before))
    """
    status, said = run(framework_pythons["torch"], code, installed, tmp_path)
    assert status == 0, said
    active, paddle, modules = said.split()
    assert (active, paddle) == ("False", "False")
    assert int(modules) < 10


@pytest.mark.real
def test_what_cannot_be_run_is_refused_in_one_line(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.whl").write_bytes(b"PK no archive")
    (tmp_path / "main.py").write_text("print('it ran')\n")
    module = [str(framework_pythons["paddle"]), "-W", "ignore", "-m", "porter_compat"]
    variables = {"PORTER_COMPAT_CACHE": str(cache)}
    status, said = call([*module, "check", "bad.whl"], installed, tmp_path, **variables)
    assert status == 2 and "Traceback" not in said and "bad.whl" in said
    status, said = call([*module, "nowhere.py"], installed, tmp_path, **variables)
    assert status == 2 and "nowhere.py" in said
    variables["PORTER_FRAMEWORK"] = "torch"
    status, said = call([*module, "main.py"], installed, tmp_path, **variables)
    assert status == 1 and "it ran" not in said
    assert said.splitlines()[-1].endswith("PORTER_FRAMEWORK is torch")


LIBRARY = """
    import porter_compat
    import torch


    def answer(x):
        return type(x.numel()).__name__, list(torch.unique(x, dim=0).shape)
"""


@pytest.mark.real
def test_bystanders_keep_the_meaning_of_paddle(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"from {name}.inner import answer\n")
        (tmp_path / name / "inner.py").write_text(textwrap.dedent(LIBRARY))
    (tmp_path / "bystander.py").write_text(
        textwrap.dedent("""
            import paddle

            def answer(x):
                return type(x.numel()).__name__

            class Layer(paddle.nn.Layer):
                def rename(self):
                    self._full_name = "mine"  # which Paddle's method reads
                    return self.full_name()
        """)
    )
    code = """
        import paddle, bystander
        x = paddle.ones([2, 3])
        before = bystander.answer(x)
        import first, second
        print(before, bystander.answer(x), first.answer(x), second.answer(x))
        print(type(x.numel()).__name__, bystander.Layer().rename())
    """
    python = framework_pythons["paddle"]
    status, said = run(python, code, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0, said
    assert said.splitlines()[-2:] == [
        "Tensor Tensor ('int', [1, 3]) ('int', [1, 3])",
        "Tensor mine",
    ]


@pytest.mark.real
@pytest.mark.parametrize(
    ("module", "kind"),
    [
        ("", "builtin_function_or_method"),
        (
            "def penalty(y, x):\n    return torch.autograd.grad(y, x, create_graph=True)\n",
            "function",
        ),
    ],
)
def test_steps_of_operators_are_ours_where_a_module_asks_for_second_gradients(
    framework_pythons: Mapping[str, Path],
    installed: Path,
    cache: Path,
    tmp_path: Path,
    module: str,
    kind: str,
) -> None:
    (tmp_path / "training.py").write_text(f"import torch\n\n{module}")
    script = "import porter_compat, torch, training\nfrom paddle import _C_ops\n"
    script += "x = torch.ones(2, requires_grad=True)\ny = torch.log1p(x).sum()\n"
    script += "print(type(_C_ops.log1p).__name__)\n"
    script += "print(*(training.penalty(y, x)[0].tolist() if hasattr(training, 'penalty') else ()))"
    (tmp_path / "script.py").write_text(script)
    python = str(framework_pythons["paddle"])
    code, output = call([python, "script.py"], installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert code == 0, output
    assert output.split() == [kind, *(["0.5", "0.5"] if module else [])]


@pytest.mark.real
@pytest.mark.parametrize(("dtype", "function"), [("float64", "x.log1p()"), ("complex128", "x * x")])
def test_what_was_computed_before_second_gradients_were_known_of_is_refused(
    framework_pythons: Mapping[str, Path],
    installed: Path,
    cache: Path,
    tmp_path: Path,
    dtype: str,
    function: str,
) -> None:
    code = f"""
        import porter_compat, torch
        x = torch.ones(2, dtype=torch.{dtype}, requires_grad=True)
        for _ in range(2):
            y, one = {function}, torch.ones(2, dtype=torch.{dtype})
            try:
                first, = torch.autograd.grad(y, x, one, **{{"create" + "_graph": True}})
                print(torch.autograd.grad(first, x, one)[0].abs().tolist())
            except RuntimeError as error:
                print("again" in str(error))
    """
    python = framework_pythons["paddle"]
    status, said = run(python, code, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0, said
    assert said.splitlines()[-2:] == ["True", str([0.25 if dtype == "float64" else 2.0] * 2)]


@pytest.mark.real
@pytest.mark.parametrize("order", ["proxy first", "package first"])
def test_a_script_and_what_it_imports_for_torch_have_torchs_meaning(
    framework_pythons: Mapping[str, Path],
    installed: Path,
    cache: Path,
    tmp_path: Path,
    order: str,
) -> None:
    (tmp_path / "helper.py").write_text("import torch\n\n\ndef n(x):\n    return x.numel()\n")
    first = "import paddle; paddle.enable_compat()" if order == "proxy first" else ""
    code = f"""
        {first}
        import porter_compat
        import torch, helper
        x = torch.ones(2, 3)
        print(x.numel(), helper.n(x), eval("x.numel()"))
    """
    python = framework_pythons["paddle"]
    status, said = run(python, code, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0, said
    assert said.splitlines()[-1] == "6 6 6"


@pytest.mark.real
def test_tests_of_a_tree_that_imports_it_need_no_conftest(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "__init__.py").write_text("import porter_compat\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(
        "import torch\n\n\ndef test_it():\n    assert torch.ones(2, 3).numel() == 6\n"
        "    assert isinstance(torch.ones(2).numel(), int)\n"
        "\n\ndef give(queue):\n    queue.put(type(torch.ones(2).numel()).__name__)\n"
        "\n\ndef test_child():\n    from torch.multiprocessing import get_context\n"
        "    spawn = get_context('spawn')\n    queue = spawn.SimpleQueue()\n"
        "    child = spawn.Process(target=give, args=(queue,))\n    child.start()\n"
        "    child.join()\n    assert child.exitcode == 0 and queue.get() == 'int'\n"
    )
    python = str(framework_pythons["paddle"])
    command = [python, "-W", "ignore", "-m", "pytest", "-q"]
    status, said = call(command, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0 and "2 passed" in said, said
    (tmp_path / "lib" / "__init__.py").write_text("")
    status, said = call(command, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status != 0 and "No module named 'torch'" in said, "other trees are left alone"


@pytest.mark.real
def test_unmodified_code_runs_in_child_processes_too(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    code = """
        import subprocess, sys, torch
        print(type(torch.ones(3).numel()).__name__, flush=True)
        child = "import torch; print(type(torch.ones(3).numel()).__name__)"
        subprocess.run([sys.executable, "-W", "ignore", "-c", child], check=True)
    """
    (tmp_path / "main.py").write_text(textwrap.dedent(code))
    command = [str(framework_pythons["paddle"]), "-W", "ignore", "-m", "porter_compat", "main.py"]
    status, said = call(command, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0, said
    assert said.split() == ["int", "int"]


@pytest.mark.real
def test_unmodified_code_is_told_the_version_of_torch_that_is_followed(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    code = """
        import importlib.metadata, subprocess, sys, torch, torch.torch_version
        followed = importlib.metadata.version("torch")
        print(followed, torch.__version__ == followed == torch.torch_version.__version__,
              torch.__version__ >= (2, 4), torch.__version__ < "2.5", flush=True)
        if len(sys.argv) == 1:
            command = [sys.executable, "-W", "ignore", "main.py", "child"]
            subprocess.run(command, check=True)
    """
    (tmp_path / "main.py").write_text(textwrap.dedent(code))
    command = [str(framework_pythons["paddle"]), "-W", "ignore", "-m", "porter_compat", "main.py"]
    status, said = call(command, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0, said
    assert said.splitlines() == [f"{load_torch().version} True True False"] * 2


@pytest.mark.long
@pytest.mark.real
def test_a_build_script_has_torchs_meaning_wherever_pip_unpacks_it(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    tree, work = tmp_path / "tree", tmp_path / "work"
    tree.mkdir()
    work.mkdir()
    (tree / "setup.py").write_text(
        "import setuptools\nimport torch\n\n"
        'setuptools.setup(name=f"built-{type(torch.ones(3).numel()).__name__}", version="1")\n'
    )
    command = [str(framework_pythons["paddle"]), "-W", "ignore", "-m", "porter_compat"]
    command += ["pip", "wheel", "-q", "--no-deps", "--no-build-isolation", str(tree)]
    status, said = call(command, installed, work, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0, said
    assert [path.name.partition("-")[0] for path in work.iterdir()] == ["built_int"]


@pytest.mark.real
@pytest.mark.long
def test_an_unmodified_project_that_finds_torch_by_cmake_is_built_and_tested(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    tree = Path(shutil.copytree(ROOT / "fixtures" / "cmake_pairs", tmp_path / "tree"))
    under = [str(framework_pythons["paddle"]), "-W", "ignore", "-P", "-m", "porter_compat"]
    site, variables = str(tmp_path / "site"), {"PORTER_COMPAT_CACHE": str(cache)}
    command = [*under, "pip", "install", "--no-build-isolation", "--no-deps", "--target", site, "."]
    status, said = call(command, installed, tree, **variables)
    assert status == 0, said
    flags = [path.read_text() for path in tree.rglob("flags.make")]
    (headers,) = cache.glob("*/include-*")
    assert flags and all(str(headers) in text for text in flags), "merged once for all projects"
    variables["PYTHONPATH"] = os.pathsep.join([str(installed), site])
    shutil.rmtree(tree / "pairs")
    status, said = call([*under, "-m", "pytest", "-q", "tests"], installed, tree, **variables)
    assert status == 0 and "5 passed" in said, said


PACKED = {
    "setup.py": """\
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(
    name="packed",
    packages=["packed"],
    package_dir={"": "src"},
    ext_package="packed",
    ext_modules=[CppExtension("_impl", ["src/impl.cpp"])],
    cmdclass={"build_ext": BuildExtension},
)
""",
    "src/packed/__init__.py": "import torch\n\nfrom packed._impl import twice\n",
    "src/impl.cpp": """\
#include <torch/extension.h>

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("twice", [](const at::Tensor& x) { return x * 2; });
}
""",
}


@pytest.mark.real
@pytest.mark.long
def test_an_extension_may_be_in_the_package_of_all_extensions(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    for name, text in PACKED.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    under = [str(framework_pythons["paddle"]), "-W", "ignore", "-P", "-m", "porter_compat"]
    site, variables = str(tmp_path / "site"), {"PORTER_COMPAT_CACHE": str(cache)}
    command = [*under, "pip", "install", "--no-build-isolation", "--no-deps", "--target", site, "."]
    status, said = call(command, installed, tmp_path / "tree", **variables)
    assert status == 0, said
    (tmp_path / "main.py").write_text("import packed, torch\nprint(packed.twice(torch.ones(2)))\n")
    variables["PYTHONPATH"] = os.pathsep.join([str(installed), site])
    status, said = call([*under, "main.py"], installed, tmp_path, **variables)
    assert status == 0 and "2." in said, said


@pytest.mark.real
def test_pieces_are_off_for_what_paddle_has_got(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    code = """
        import paddle
        paddle.addmv = paddle.vdot = lambda *a, **k: "paddle's own"
        paddle.Tensor.addmv = paddle.Tensor.vdot = lambda *a, **k: "paddle's own"
        paddle.nn.utils.get_total_norm = paddle.matrix_exp = lambda *a: "paddle's own"
        paddle.Tensor.matrix_exp = lambda *a: "paddle's own"
        import porter_compat, torch
        print(sorted(porter_compat.STATE.off))
        print(torch.addmv(1, 2, 3), torch.ones(2, 2).matrix_exp())
    """
    python = framework_pythons["paddle"]
    status, said = run(python, code, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0, said
    off, called = said.splitlines()[-2:]
    for name in ("addmv", "vdot", "matrix_exp"):
        assert f"python/matrices.{name}" in off
    assert called == "paddle's own paddle's own"


@pytest.mark.real
def test_a_cache_that_cannot_be_written_is_named(
    framework_pythons: Mapping[str, Path], installed: Path, tmp_path: Path
) -> None:
    code = """
        import porter_compat, torch
        print(len(porter_compat.STATE.on) > 300, torch.ones(2).numel())
        from porter_compat import cache
        cache.make("include", lambda folder: None)
    """
    python = framework_pythons["paddle"]
    status, said = run(python, code, installed, tmp_path, PORTER_COMPAT_CACHE="/proc/none")
    assert status == 1
    assert "True 2" in said, "what needs no cache works"
    assert "PORTER_COMPAT_CACHE" in said.splitlines()[-1]


@pytest.mark.real
def test_a_user_without_a_home_gets_every_piece(
    framework_pythons: Mapping[str, Path], installed: Path, tmp_path: Path
) -> None:
    code = """
        import pathlib

        def home():
            raise RuntimeError("Could not determine home directory.")

        pathlib.Path.home = home
        import porter_compat, torch
        print(len(porter_compat.STATE.on) > 300, torch.ones(2).numel())
    """
    python = framework_pythons["paddle"]
    status, said = run(python, code, installed, tmp_path, XDG_CACHE_HOME="")
    assert status == 0, said
    assert said.splitlines()[-1] == "True 2"


@pytest.mark.real
@pytest.mark.long
def test_a_build_script_gets_torch_s_answers_to_all_that_it_asks(
    framework_pythons: Mapping[str, Path], installed: Path, tmp_path: Path
) -> None:
    said = {}
    for framework, python in framework_pythons.items():
        if framework in ("torch", "paddle"):
            site = installed if framework == "paddle" else tmp_path
            command = [str(python), "-W", "ignore", str(DATA / "build_names.py")]
            status, said[framework] = call(command, site, tmp_path)
            assert status == 0, said[framework]
    assert len(said["torch"].splitlines()) > 20
    assert said["paddle"] == said["torch"]


@pytest.mark.real
@pytest.mark.long
def test_processes_that_make_the_headers_at_once_leave_one_folder(
    framework_pythons: Mapping[str, Path], installed: Path, tmp_path: Path
) -> None:
    code = """
        import porter_compat
        from torch.utils.cpp_extension import include_paths
        print(include_paths()[0])
    """
    (tmp_path / "main.py").write_text(textwrap.dedent(code))
    own = tmp_path / "cache"
    processes = [
        subprocess.Popen(
            [framework_pythons["paddle"], "-W", "ignore", "main.py"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(installed), "PORTER_COMPAT_CACHE": str(own)},
        )
        for _ in range(3)
    ]
    said = {process.communicate()[0].splitlines()[-1] for process in processes}
    assert [process.returncode for process in processes] == [0, 0, 0]
    (folder,) = said
    assert (Path(folder) / "ATen" / "core" / "TensorBody.h").is_file()
    (version,) = own.iterdir()
    name = Path(folder).name
    kept = sorted(path.name for path in version.iterdir())
    assert kept == [f".{name}.lock", ".probes.lock", name, "probes"]


@pytest.mark.real
@pytest.mark.parametrize(
    "script",
    [
        *(
            f"torch_{name}.py"
            for name in (
                "distributions",
                "drawn",
                "errors",
                "functions",
                "fx",
                "imaging",
                "layers",
                "meta",
                "modules",
                "names",
                "numbers",
                "optimizers",
                "probabilistic",
                "random",
                "results",
                "semantics",
                "sparse",
            )
        ),
        *(
            pytest.param(f"torch_{name}.py", marks=pytest.mark.long)
            for name in ("compiled", "library", "autograd_functions", "transforms")
        ),
    ],
)
def test_the_package_answers_as_torch_does(
    framework_pythons: Mapping[str, Path],
    installed: Path,
    cache: Path,
    tmp_path: Path,
    script: str,
) -> None:
    (tmp_path / script).write_bytes((DATA / script).read_bytes())
    (tmp_path / "unit.py").write_text(UNIT)
    torch = [str(framework_pythons["torch"]), "-W", "ignore", script]
    status, expected = call(torch, installed, tmp_path)
    assert status == 0, expected
    paddle = [str(framework_pythons["paddle"]), "-W", "ignore", script, "unit.py"]
    status, said = call(paddle, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0, said
    pairs = list(zip(expected.splitlines(), said.splitlines(), strict=True))
    assert len(pairs) >= 40
    differing = [(a, b) for a, b in pairs if a != b]
    assert not [a for a, b in differing if not any(text in a for text in MAY_DIFFER)]
    kinds = [(a.split()[1] == "ok", b.split()[1] == "ok") for a, b in differing]
    assert all(ours == theirs for ours, theirs in kinds), "success and failure agree everywhere"


@pytest.mark.real
def test_it_is_imported_where_warnings_are_errors(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    lines = ("import warnings", "warnings.simplefilter('error')", "import porter_compat, torch")
    (tmp_path / "strict.py").write_text("\n".join([*lines, "print(warnings.filters[0][0])"]))
    own = {"PORTER_COMPAT_CACHE": str(cache)}
    paddle = str(framework_pythons["paddle"])
    assert call([paddle, "strict.py"], installed, tmp_path, **own) == (0, "error\n")


@pytest.mark.real
def test_logging_is_left_to_the_program(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    lines = (
        "import logging",
        "import porter_compat, torch",
        "print(logging.root.level, logging.root.handlers)",
    )
    (tmp_path / "main.py").write_text("\n".join(lines))
    paddle = str(framework_pythons["paddle"])
    given = call([paddle, "main.py"], installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert given == (0, "30 []\n")


STANDING_IN = {
    "lib/__init__.py": "import porter_compat\nimport needed\nfrom . import a\n",
    "needed.py": """\
import torch

COUNT = torch.ones(3).numel()
class Dim(torch.export.Dim): ...
""",
    "lib/a.py": """\
import contextlib

import torch
import torch.export
from functorch.compile import make_boxed_func
from torch.autograd.functional import _as_tuple
from torch.utils.bundled_inputs import bundle_inputs

try:
    from torch.export import Dim
except ImportError:
    Dim = None
absent = True
with contextlib.suppress(ImportError):
    import torch.onnx.verification

    absent = False
state = torch._subclasses.fake_tensor.state


class Runner(torch.export.ExportedProgram):
    def run(self, node: torch.export.Constraint | None = None):
        return isinstance(node, torch.export.Constraint)


def nest(x: torch.nested.Other | None = None):
    return hasattr(torch, "nested")


def late():
    import torch.compiler_of_tomorrow.a
""",
    "caller.py": """\
import porter_compat
from lib import a

import needed

print(type(needed.COUNT), needed.Dim.__mro__[1])
print(a.Dim, a.absent, a.Runner.run(None, 3), a.nest())
try:
    a.late()
except ImportError as error:
    print(type(error).__name__)
print(a.state)
for used in (a.make_boxed_func, a.bundle_inputs, a._as_tuple, a.Runner):
    try:
        used(3)
    except NotImplementedError as error:
        print(error)
""",
    "bystander.py": """\
import lib

try:
    import torch.export.passes
except ImportError as error:
    print(type(error).__name__)
print(hasattr(lib.a.torch.export, "Dim"))
""",
}


@pytest.mark.real
def test_what_paddle_lacks_can_be_imported_and_is_refused_when_used(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    for name, text in STANDING_IN.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    paddle = [str(framework_pythons["paddle"]), "-W", "ignore"]
    own = {"PORTER_COMPAT_CACHE": str(cache)}
    strict = [*paddle, "-W", "error::ImportWarning", "caller.py"]  # as in tests that take none
    status, said = call(strict, installed, tmp_path, **own)
    assert status == 0, said
    of_dependency, first, kind, state, *refused = said.splitlines()
    assert of_dependency == "<class 'int'> <class 'torch.export.Dim'>"
    assert first == "None True False False" and kind == "ModuleNotFoundError"
    assert state == "<class 'torch._subclasses.fake_tensor.state'>"
    bundling = "utils.bundled_inputs.bundle_inputs"
    names = (bundling, "autograd.functional._as_tuple", "export.ExportedProgram")
    lines = zip(("functorch.compile.make_boxed_func", *names), refused, strict=True)
    assert all(f"{name}," in line for name, line in lines)
    status, said = call([*paddle, "bystander.py"], installed, tmp_path, **own)
    assert status == 0, said
    assert said.splitlines() == ["ModuleNotFoundError", "False"]
