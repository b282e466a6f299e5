"""How a repository's own commands say that its tests are run."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.build.requirements import test_requirements as requirements_for_tests
from porter.suite import detect
from porter.survey import test_commands


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


TESTS = {
    "tests/test_a.py": "def test_a(): pass\n",
    "tests/unit/check_b.py": "import unittest\n",
    "src/ops.py": "",
}


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        (
            ".github/workflows/ci.yml",
            "jobs:\n  test:\n    steps:\n      - run: pip install pytest\n"
            "      - name: Test\n        run: |\n          python -m pytest -v --cov=ops tests\n",
            "python -m pytest tests",
        ),
        (
            ".github/workflows/ci.yml",
            "    - name: Test\n      run: pytest test_a.py\n      working-directory: tests\n",
            "cd tests && pytest test_a.py",
        ),
        (
            ".github/workflows/ci.yml",
            "    - run: |\n        cd tests\n        MODE=cpu pytest -m 'not gpu' -n 4 .\n",
            "cd tests && MODE=cpu pytest -m 'not gpu' .",
        ),
        (
            ".travis.yml",
            "script:\n  - \"uv run pytest tests/test_a.py -k 'not slow' | tee log\"\n",
            "pytest -k 'not slow' tests/test_a.py",
        ),
        ("tox.ini", "[testenv]\ncommands = pytest {posargs:tests}\n", "pytest tests"),
        (
            "tox.ini",
            "[testenv]\ncommands =\n    coverage run -m pytest tests",
            "python -m pytest tests",
        ),
        (
            "noxfile.py",
            'session.run("pytest", "--durations=3", "tests")\n',
            "pytest tests",
        ),
        ("Makefile", "test:\n\t@PYTHONPATH=src $(PY) -m pytest tests\n", None),
        ("Makefile", "test:\n\t@PYTHONPATH=src pytest tests\n", "PYTHONPATH=src pytest tests"),
        ("pyproject.toml", '[tool.hatch.envs.x]\nt = "pytest tests"\n', "pytest tests"),
        (
            "README.md",
            "Run them:\n\n```\n$ pytest tests/test_a.py\n```\n",
            "pytest tests/test_a.py",
        ),
        ("Makefile", "test:\n\tPYTEST_ADDOPTS=-x LD_PRELOAD=x.so pytest tests\n", "pytest tests"),
        ("README.md", "Tests need pytest tests are run by it.\n", None),
        ("README.md", "    pytest elsewhere/test_c.py\n", None),
        ("README.md", "    pytest ../../etc\n", None),
    ],
)
def test_a_command_is_read_wherever_it_is_written(
    tmp_path: Path, file: str, text: str, said: str | None
) -> None:
    root = tree(tmp_path, {**TESTS, file: text})
    found = test_commands.commands(root)
    assert [as_written(each) for each in found] == ([said] if said else [])


def as_written(command: test_commands.Command) -> str:
    paths = tuple(
        str(Path(path).relative_to(command.folder) if command.folder else path)
        for path in command.paths
    )
    return detect.Invocation(
        arguments=(*command.options, *paths),
        pytest=True,
        environment=command.environment,
        folder=command.folder,
        on_path=command.on_path,
    ).text


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("python -m unittest discover -s tests -p 'check_*.py'", ("tests/unit/check_b.py",)),
        ("python -m unittest discover tests", ("tests/test_a.py",)),
        ("python -m unittest tests.unit.check_b.Case.test_one", ("tests/unit/check_b.py",)),
        ("python -m unittest tests/test_a.py", ("tests/test_a.py",)),
        ("python3 -m unittest", ("tests/test_a.py",)),
    ],
)
def test_unittests_modules_are_files(tmp_path: Path, command: str, paths: tuple[str, ...]) -> None:
    root = tree(tmp_path, {**TESTS, "Makefile": f"test:\n\t{command}\n"})
    (found,) = test_commands.commands(root)
    assert (found.paths, found.on_path) == (paths, True)


def test_what_ci_runs_comes_before_what_the_readme_says(tmp_path: Path) -> None:
    files = {"README.md": "    pytest src\n", ".gitlab-ci.yml": "  script: pytest tests\n"}
    found = test_commands.commands(tree(tmp_path, {**TESTS, **files}))
    assert [each.source for each in found] == [".gitlab-ci.yml"]


def test_options_of_the_command_choose_among_the_tests_that_are_found(tmp_path: Path) -> None:
    text = "    - run: python -m pytest --ignore=tests/unit --junitxml=out.xml tests/test_a.py\n"
    root = tree(tmp_path, {**TESTS, ".github/workflows/ci.yml": text})
    (found,) = detect.find(root, None)
    assert found.text == "python -m pytest --ignore=tests/unit tests"


def test_tests_that_only_the_command_names_are_run(tmp_path: Path) -> None:
    files = {
        "checks/all.py": "def test_a(): pass\n",
        "Makefile": "t:\n\tpytest checks/*.py\n",
    }
    (found,) = detect.find(tree(tmp_path, files), None)
    assert found.arguments == ("checks/all.py",)


def test_a_package_of_tests_that_imports_its_files_as_scripts_do(tmp_path: Path) -> None:
    files = {
        "setup.py": "",
        "tests/__init__.py": "",
        "tests/common.py": "",
        "tests/test_a.py": "import json\nfrom common import x\n",
        "json.py": "",
    }
    (found,) = detect.find(tree(tmp_path, files), None)
    assert found.environment == {"PYTHONPATH": "tests"}
    assert found.text == "PYTHONPATH=tests pytest tests"
    (tmp_path / "common").mkdir()
    assert not detect.find(tmp_path, None)[0].environment


def test_tests_that_import_their_folder_have_the_root_on_their_path(tmp_path: Path) -> None:
    files = {"tests/test_a.py": "from tests.helpers import x\n", "tests/helpers.py": "x = 1\n"}
    assert detect.find(tree(tmp_path, {**files, "setup.py": ""}), None)[0].on_path
    (tmp_path / "tests/test_a.py").write_text("from helpers import x\n")
    assert not detect.find(tmp_path, None)[0].on_path
    (tmp_path / "setup.py").unlink()  # nothing is installed, so all is imported from the root
    assert detect.find(tmp_path, None)[0].on_path


def test_functions_in_a_folder_of_tests_are_found_where_no_name_says_so(tmp_path: Path) -> None:
    files = {
        "setup.py": "",
        "tests/invariance.py": "import torch\n\ndef test_a(): pass\n",
        "tests/helpers.py": "def test(model, loader): pass\n",
        "ops/main.py": "def test_speed(): pass\n",
    }
    (found,) = detect.find(tree(tmp_path, files), None)
    assert found.text == "pytest tests/invariance.py"
    (tmp_path / "tests/test_b.py").write_text("def test_b(): pass\n")
    assert detect.find(tmp_path, None)[0].text == "pytest tests"


def test_what_ci_installs_and_tests_import_is_required(tmp_path: Path) -> None:
    files = {
        ".github/workflows/ci.yml": "  - run: pip install -q black pytest-xyz 'einops>=0.6' $X .\n",
        "tox.ini": "[testenv]\ndeps =\n    pytest\n    py38: rarelib==2\n    -r x.txt\nskip = a\n",
        "tests/test_a.py": "import einops\n\n\ndef test_a():\n    import rarelib\n",
    }
    found = requirements_for_tests(tree(tmp_path, files))
    assert {"einops>=0.6", "rarelib==2", "pytest-xyz"} <= {*found}
    assert not {"black", "a", "."} & {*found}
