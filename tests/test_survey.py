"""What a repository is, read from its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.model import Extension, Package, ProjectFacts, Role
from porter.survey.discover import discover
from porter.survey.relevance import concerns
from porter.survey.survey import survey


def lay(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def facts(root: Path, files: dict[str, str]) -> ProjectFacts:
    lay(root, files)
    return survey(root, discover(root))


def extensions(root: Path, script: str, **more: str) -> tuple[Extension, ...]:
    return facts(root, {"setup.py": script, **more}).extensions


IMPORTS = "import os, glob\nfrom torch.utils.cpp_extension import CppExtension, CUDAExtension\n"


def test_an_extension_is_read_off_the_script(tmp_path: Path) -> None:
    (found,) = extensions(
        tmp_path,
        IMPORTS + "setup(ext_modules=[CUDAExtension('ops._C', ['csrc/a.cpp', 'csrc/b.cu'])])\n",
    )
    assert found == Extension(
        "ops._C", "CUDAExtension", ("csrc/a.cpp", "csrc/b.cu"), "setup.py", 3, positional=True
    )


@pytest.mark.parametrize(
    "body",
    [
        "name = 'ops._C'\nsources = ['csrc/a.cpp']\nsources += ['csrc/b.cu']\n"
        "CppExtension(name=name, sources=sources)\n",
        "here = os.path.dirname(os.path.abspath(__file__))\n"
        "CppExtension('ops.' + '_C', [os.path.join(here, 'csrc', f) for f in ('a.cpp', 'b.cu')])\n",
        "P = 'ops'\nCppExtension(f'{P}._C', sorted(glob.glob('csrc/*.c*')))\n",
        "from pathlib import Path\nroot = Path(__file__).parent\n"
        "CppExtension('ops._C', [str(p) for p in (root / 'csrc').glob('*.c*')])\n",
        "s = ['csrc/a.cpp']\nif cuda:\n    s.append('csrc/b.cu')\nCppExtension('ops._C', s)\n",
        "from torch.utils import cpp_extension as ext\n"
        "ext.CppExtension(sources=['./csrc/a.cpp'] + ['csrc/b.cu'], name='ops._C')\n",
    ],
)
def test_names_and_sources_are_followed_through_plain_code(tmp_path: Path, body: str) -> None:
    (found,) = extensions(tmp_path, IMPORTS + body, **{"csrc/a.cpp": "", "csrc/b.cu": ""})
    assert (found.name, found.sources) == ("ops._C", ("csrc/a.cpp", "csrc/b.cu"))


def test_what_cannot_be_read_stays_empty(tmp_path: Path) -> None:
    (found,) = extensions(tmp_path, IMPORTS + "CppExtension(find_name(), sources=collect())\n")
    assert (found.name, found.sources) == ("", ())
    (starred,) = extensions(tmp_path, IMPORTS + "CppExtension(*arguments)\n")
    assert starred.name == ""


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("E = CUDAExtension if cuda else CppExtension\nE('a', [])\n", "CUDAExtension|CppExtension"),
        ("E = CppExtension\nif cuda:\n    E = CUDAExtension\nE('a', [])\n",
         "CUDAExtension|CppExtension"),
        ("from torch.utils.cpp_extension import CUDAExtension as C\nC('a', [])\n", "CUDAExtension"),
        ("from setuptools import Extension\nExtension('a', [])\n", "Extension"),
        ("class CMakeExtension(Extension): ...\nCMakeExtension('a')\n", "CMakeExtension"),
    ],
)  # fmt: skip
def test_the_class_is_followed_through_aliases(tmp_path: Path, body: str, kind: str) -> None:
    (found,) = extensions(tmp_path, IMPORTS + body)
    assert found.kind == kind


@pytest.mark.parametrize(
    ("body", "repeated"),
    [
        ("for n in names:\n    CppExtension(n, [])\n", True),
        ("x = [CppExtension(n, []) for n in names]\n", True),
        ("def make(n):\n    return CppExtension(n, [])\nmake('a')\nmake('b')\n", True),
        ("def make(n):\n    return CppExtension(n, [])\nfor n in names:\n    make(n)\n", True),
        ("def make():\n    return [CppExtension('a', [])]\nsetup(ext_modules=make())\n", False),
        ("if cuda:\n    CppExtension('a', [])\n", False),
    ],
)
def test_an_extension_in_a_loop_may_be_several(tmp_path: Path, body: str, repeated: bool) -> None:
    (found,) = extensions(tmp_path, IMPORTS + body)
    assert found.repeated is repeated


def test_a_build_command_is_no_extension(tmp_path: Path) -> None:
    script = "from torch.utils.cpp_extension import BuildExtension\nBuildExtension.with_options()\n"
    assert extensions(tmp_path, script + "setup(cmdclass={'b': BuildExtension()})\n") == ()


def test_a_nested_script_states_paths_from_its_folder(tmp_path: Path) -> None:
    found = facts(tmp_path, {"csrc/norm/setup.py": IMPORTS + "CppExtension('n', ['a.cpp'])\n"})
    assert found.extensions[0].sources == ("csrc/norm/a.cpp",)


def test_a_broken_script_adds_nothing(tmp_path: Path) -> None:
    found = facts(
        tmp_path, {"setup.py": "def (:\n", "pyproject.toml": "= broken", "setup.cfg": "x"}
    )
    assert (found.extensions, found.build_scripts) == ((), ("setup.py",))


def test_scripts_that_nest_or_go_round_end_quickly(tmp_path: Path) -> None:
    round_ = "s = ['a.cpp']\n" + "s = s + t\nt = t + s\n" * 300 + "CppExtension('a', s)\n"
    (found,) = extensions(tmp_path, IMPORTS + round_)
    assert found.sources == ("a.cpp",)
    deep = "x = " + " + ".join(["'a'"] * 3000) + "\nCppExtension(x, [])\n"
    assert survey(lay(tmp_path, {"setup.py": IMPORTS + deep}), discover(tmp_path)).builds


@pytest.mark.parametrize(
    ("files", "builds"),
    [
        ({"setup.py": ""}, ("setuptools",)),
        ({"pyproject.toml": '[build-system]\nbuild-backend = "hatchling.build"\n'},
         ("hatchling.build",)),
        ({"pyproject.toml": "[project]\nname = 'x'\n"}, ("setuptools",)),
        ({"setup.py": "", "CMakeLists.txt": ""}, ("setuptools", "cmake")),
        ({"pyproject.toml": '[build-system]\nbuild-backend = "scikit_build_core.build"\n',
          "CMakeLists.txt": ""}, ("scikit_build_core.build", "cmake")),
        ({"a.py": ""}, ()),
    ],
)  # fmt: skip
def test_the_build_is_recognised(
    tmp_path: Path, files: dict[str, str], builds: tuple[str, ...]
) -> None:
    assert facts(tmp_path, files).builds == builds


BY_ANOTHER_NAME = """\
from setuptools import setup

setup(name="ops", packages=["ops"], package_dir={"ops": "lib/torch"})
"""


def test_a_build_script_by_another_name_is_one(tmp_path: Path) -> None:
    files = {
        "build/setup.torch.py": BY_ANOTHER_NAME,
        "ops/setup_logging.py": "def setup(): ...\n",
        "ops/torch_setup.py": BY_ANOTHER_NAME.replace("setuptools", "ops"),
    }
    lay(tmp_path, files)
    # That many imports and no call: a search that starts at each of them would take minutes.
    lay(tmp_path, {"ops/setup_all.py": "import setuptools\n" * 100_000})
    (scripts,) = [f for f in discover(tmp_path).files if f.role is Role.BUILD]
    assert scripts.path == "build/setup.torch.py"


@pytest.mark.parametrize(
    ("files", "packages"),
    [
        ({"setup.py": "", "ops/__init__.py": "", "ops/sub/__init__.py": ""}, {"ops": "ops"}),
        ({"pyproject.toml": "", "src/ops/__init__.py": ""}, {"ops": "src/ops"}),
        ({"python/setup.py": "", "python/ops/__init__.py": ""}, {"ops": "python/ops"}),
        ({"setup.py": "setup(package_dir={'': 'lib'})\n", "lib/ops/__init__.py": ""},
         {"ops": "lib/ops"}),
        ({"setup.py": "setup(package_dir={'ops': 'code'})\n", "code/a.py": ""}, {"ops": "code"}),
        ({"setup.cfg": "[options]\npackage_dir =\n    = lib\n", "lib/ops/__init__.py": ""},
         {"ops": "lib/ops"}),
        ({"pyproject.toml": "[tool.setuptools.packages.find]\nwhere = ['lib']\n",
          "lib/ops/__init__.py": ""}, {"ops": "lib/ops"}),
        ({"setup.py": IMPORTS + "CppExtension('ops._C', [])\n", "ops/a.py": ""}, {"ops": "ops"}),
        ({"setup.py": "", "ops/__init__.py": "", "tests/__init__.py": "", "docs/__init__.py": "",
          "third_party/x/__init__.py": ""}, {"ops": "ops"}),
        ({"setup.py": ""}, {}),
        ({"build/setup.torch.py": BY_ANOTHER_NAME, "lib/torch/__init__.py": ""},
         {"ops": "lib/torch"}),
        ({"Makefile": "", "lib/py/ops/__init__.py": "", "lib/py/ops/a/__init__.py": "",
          "lib/tests/help/__init__.py": "", "third_party/x/__init__.py": ""},
         {"ops": "lib/py/ops"}),
    ],
)  # fmt: skip
def test_packages_are_found_in_every_layout(
    tmp_path: Path, files: dict[str, str], packages: dict[str, str]
) -> None:
    assert {p.name: p.path for p in facts(tmp_path, files).packages} == packages


def test_the_main_package_comes_first(tmp_path: Path) -> None:
    found = facts(
        tmp_path,
        {
            "setup.py": "setup(name='My-Ops')\n",
            "aaa/__init__.py": "x = 1\n" * 50,
            "my_ops/__init__.py": "",
        },
    )
    assert found.distribution == "My-Ops"
    assert found.packages[0] == Package("my_ops", "my_ops")


def test_packages_of_a_namespace_are_found_where_packages_lie(tmp_path: Path) -> None:
    files = {
        "setup.py": "setup(name='many-ops')\n",
        "python/many/ops/__init__.py": "",
        "python/many/ops/inner/__init__.py": "",
        "python/tests/helpers/__init__.py": "",
        "csrc/vendor/binding/__init__.py": "",
    }
    assert facts(tmp_path, files).packages == (Package("many.ops", "python/many/ops"),)
    beside = facts(tmp_path / "beside", {**files, "python/plain/__init__.py": ""})
    assert beside.packages == (Package("plain", "python/plain"),)


def test_tests_are_found_by_what_they_define_too(tmp_path: Path) -> None:
    files = {
        "setup.py": "",
        "ops/__init__.py": "",
        "tests/gradient_tests.py": "import unittest\n\n\nclass Gradients(unittest.TestCase):\n"
        "    def test_it(self): ...\n",
        "tests/problems.py": "def problem(): ...\n",
        "ops/testing.py": "def test_everything(): ...\n",
    }
    assert facts(tmp_path, files).tests == ("tests/gradient_tests.py",)


def test_a_file_called_tests_is_one_by_its_functions_for_pytest(tmp_path: Path) -> None:
    functions = "import pytest\n\n\ndef test_it(): ...\n"
    files = {
        "setup.py": "",
        "ops.py": "",
        "tests.py": functions,
        "evaluation/test.py": "def test(model): ...\n",  # an evaluation, which pytest does not run
    }
    assert facts(tmp_path, files).tests == ("tests.py",)


FOUND_BY = "from setuptools import find_namespace_packages, setup\n"


@pytest.mark.parametrize(
    ("build", "found"),
    [
        ({"setup.py": "setup(name='many-ops')\n"}, True),
        ({"pyproject.toml": "[project]\nname = 'x'\n[tool.setuptools.packages.find]\n"
          "where = ['.']\ninclude = ['many*']\n"}, True),
        ({"setup.py": FOUND_BY + "setup(packages=find_namespace_packages(include=['many.*']))\n"},
         True),
        ({"setup.py": FOUND_BY + "setup(packages=find_namespace_packages(include=['*']))\n"},
         False),
        ({"setup.py": "setup(name='other')\n"}, False),
    ],
)  # fmt: skip
def test_a_namespace_at_the_root_is_the_project_s_where_it_says_so(
    tmp_path: Path, build: dict[str, str], found: bool
) -> None:
    files = {"many/ops/__init__.py": "", "experiments/first/__init__.py": "", "many/ops/a.py": ""}
    packages = facts(tmp_path, {**build, **files}).packages
    assert packages == ((Package("many.ops", "many/ops"),) if found else ())


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": '[project]\nname = "ops"\n'},
        {"setup.cfg": "[metadata]\nname = ops\n"},
        {"setup.py": "NAME = 'ops'\nsetuptools.setup(name=NAME)\n"},
    ],
)
def test_the_distribution_has_its_name(tmp_path: Path, files: dict[str, str]) -> None:
    assert facts(tmp_path, files).distribution == "ops"


@pytest.mark.parametrize(
    ("name", "text", "label"),
    [
        ("a.cpp", "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}", "pybind11"),
        ("a.cpp", "TORCH_LIBRARY_FRAGMENT(ops, m) {}", "TORCH_LIBRARY"),
        ("a.cpp", 'static auto r = torch::RegisterOperators().op("a", &a);', "RegisterOperators"),
        ("a.cpp", 'm.def("x"); torch::class_<A>("ops", "A");', "torch::class_"),
        ("a.cu", "TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);", "tvm_ffi"),
        ("a.py", "@torch.library.custom_op('ops::a', mutates_args=())\ndef a(): ...", "custom_op"),
        ("a.py", "lib = torch.library.Library('ops', 'DEF')", "torch.library"),
        ("a.py", "lib = ctypes.CDLL('x.so')", "ctypes"),
    ],
)
def test_registration_styles_are_named(tmp_path: Path, name: str, text: str, label: str) -> None:
    assert facts(tmp_path, {name: text + "\n"}).registration == (label,)


@pytest.mark.parametrize(
    ("name", "text", "label"),
    [
        ("a.cu", "", "cuda"),
        ("a.h", "__global__ void f();", "cuda"),
        ("a.py", "import triton.language as tl", "triton"),
        ("a.py", "from tilelang import language", "tilelang"),
        ("a.cpp", "using namespace AscendC;", "ascendc"),
        ("a.h", "#include <cutlass/cutlass.h>", "cutlass"),
        ("a.py", "import cutlass.cute as cute", "cute-dsl"),
        ("a.py", "import tvm_ffi.cpp", "tvm-ffi"),
        ("a.cpp", "#include <nvrtc.h>", "nvrtc"),
        ("a.py", "import cuda.bindings.driver as cuda", "cuda-python"),
        ("a.py", "def f():\n    from cuda.core import Device", "cuda-python"),
        ("a.py", "from cuda import cudart", "cuda-python"),
        ("a.py", "import cuda.tile as ct", "cuda-tile"),
        ("a.py", "from torch.utils.cpp_extension import load_inline", "jit-load"),
        ("a.py", "m = torch.utils.cpp_extension.load('a', ['a.cpp'])", "jit-load"),
    ],
)
def test_kernel_languages_are_named(tmp_path: Path, name: str, text: str, label: str) -> None:
    assert facts(tmp_path, {name: text + "\n"}).kernels == (label,)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "import torch"),
        ("a.py", "def f():\n    from torch.nn import Module"),
        ("a.py", '"""Docs."""\nimport os, torch'),
        ("a.py", "torch = pytest.importorskip('torch')"),
        ("a.py", "import torch_npu"),
        ("a.cpp", "#include <ATen/ATen.h>"),
        ("a.cu", "void f(at::Tensor x);"),
        ("CMakeLists.txt", "find_package(Torch REQUIRED)"),
    ],
)
def test_torch_is_found_in_code(tmp_path: Path, name: str, text: str) -> None:
    found = facts(tmp_path, {name: text + "\n"})
    assert found.torch_files == 1
    assert concerns(tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "# import torch\ntorch = 1"),
        ("a.py", '"""Use it so:\n\nimport torch\n"""'),
        ("a.py", "code = '''\nimport torch\n'''"),
        ("a.py", "import torchlight, pytorch"),
        ("a.cpp", "// uses torch::Tensor"),
        ("a.cpp", "/*\n torch::Tensor\n*/\nint mytorch::x;"),
        ("CMakeLists.txt", "# find nothing"),
        ("third_party/a.py", "import torch"),
        ("a.cpp", "namespace other { cat::Tensor x; }"),
    ],
)
def test_torch_in_words_is_no_use(tmp_path: Path, name: str, text: str) -> None:
    found = facts(tmp_path, {name: text + "\n"})
    assert found.torch_files == 0
    assert not found.uses_torch
    assert not concerns(tmp_path)


def test_tests_conftests_and_third_parties_are_listed(tmp_path: Path) -> None:
    found = facts(
        tmp_path,
        {
            "tests/conftest.py": "",
            "tests/test_a.py": "",
            "tests/helper.py": "",
            "ops/b_test.py": "",
            "third_party/x/test_c.py": "",
            "sub/x.h": "",
            ".gitmodules": '[submodule "sub"]\n\tpath = sub\n[submodule "far"]\n\tpath = far\n',
        },
    )
    assert found.tests == ("ops/b_test.py", "tests/test_a.py")
    assert found.conftests == ("tests/conftest.py",)
    assert found.vendored == ("sub", "third_party")
    assert found.submodules == ("far", "sub")


def test_an_empty_tree_has_no_facts(tmp_path: Path) -> None:
    assert facts(tmp_path, {}) == ProjectFacts()


def test_a_cuda_source_may_lie_outside_of_the_project(tmp_path: Path) -> None:
    text = (
        "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"
        'setup(ext_modules=[CUDAExtension(name="_C", sources=["a.cpp", "../core.cu"])])\n'
    )
    assert facts(tmp_path, {"setup.py": text}).kernels == ("cuda",)


def test_an_extension_for_cuda_has_a_half_of_cudas_without_a_kernel_of_its_own(
    tmp_path: Path,
) -> None:
    text = IMPORTS + "setup(ext_modules=[CUDAExtension('ops._C', ['csrc/a.cpp'])])\n"
    assert facts(tmp_path, {"setup.py": text, "csrc/a.cpp": ""}).kernels == ("cuda",)


LIBRARY = {
    "setup.py": "from setuptools import setup\nsetup(name='ops', packages=['ops'])\n",
    "ops/__init__.py": "import torch\n",
    "ops/tools/show.py": "import torch\nif __name__ == '__main__':\n    print(torch)\n",
}
SCRIPTS = {
    "benchmarks/speed.py": "import torch\n",
    "demo.ipynb": '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    "train.py": "import torch\nif __name__ == '__main__':\n    print(torch)\n",
}


def test_scripts_and_notebooks_beside_a_library_are_known(tmp_path: Path) -> None:
    native = {"benchmarks/csrc/kernel.cpp": "#include <torch/extension.h>\n"}
    assert facts(tmp_path, {**LIBRARY, **SCRIPTS, **native}).scripts == tuple(SCRIPTS)


@pytest.mark.parametrize(
    "more",
    [
        {"setup.py": "setup(name='ops', packages=['ops'], py_modules=['train'])\n"},
        {"setup.py": "setup(name='ops', packages=['ops'], scripts=['train.py'])\n"},
        {"setup.cfg": "[options]\npy_modules = train\n"},
        {"pyproject.toml": "[tool.setuptools]\npy-modules = ['train']\n"},
        {"pyproject.toml": "[project.scripts]\ntrain = 'train:main'\n"},
    ],
)
def test_a_script_that_is_installed_is_part_of_the_library(
    tmp_path: Path, more: dict[str, str]
) -> None:
    found = facts(tmp_path, {**LIBRARY, **SCRIPTS, **more}).scripts
    assert found == ("benchmarks/speed.py", "demo.ipynb")


def test_without_a_library_that_uses_torch_scripts_are_what_there_is(tmp_path: Path) -> None:
    assert facts(tmp_path, {**SCRIPTS, "ops.py": "import numpy\n"}).scripts == ()
