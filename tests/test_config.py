"""Configuration files: what they say, how errors name the place, what a repository's own file may
not do, and which of flags, file and defaults counts."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from porter import config
from porter.cli.pages import CONFIGURATION, SCHEMA, configuration
from porter.errors import UsageError
from tests.conftest import ROOT
from tests.test_cli import document, git, ops, porter, shown, write

__all__ = ["ops"]  # a fixture
REFERENCE = ROOT / "docs" / "reference"
# In a file that is analyzed: a finding that is edited, and one that is not.
USES = "import torch\n\nx = torch.frombuffer(b'abcd', dtype=torch.float32)\n"
ADVICE = "tensor_from_a_buffer"


def test_the_page_and_the_schema_follow_from_the_keys() -> None:
    page = (REFERENCE / CONFIGURATION).read_text()
    for name, text in configuration(page).items():
        assert (REFERENCE / name).read_text() == text, "run `make pages`"
    for name, *_ in config.rows():
        assert f"| `{name}` | `" in page


def test_the_schema_takes_what_the_reader_takes(tmp_path: Path) -> None:
    schema = json.loads((REFERENCE / SCHEMA).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    for name, example, _, _ in config.rows():
        text = f"{name} = {example}\n"
        jsonschema.validate(tomllib.loads(text), schema)
        write(tmp_path, {"porter.toml": text})
        found = config.read(tmp_path / "porter.toml").config
        assert getattr(found, name)
    for bad in ('exclud = ["a"]', 'style = "duel"', "device = [1]", 'levels = {a = "no"}'):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(tomllib.loads(bad), schema)


@pytest.mark.parametrize(
    ("text", "line", "hint"),
    [
        ('\n\nexclud = ["a"]\n', 3, "exclude"),
        ('style = "dual"\n[levls]\na = "off"\n', 2, "levels"),
        ('# why\nstyle = "duel"\n', 2, "dual"),
        ('target = "paddle"\ndevice = [\n  "cpu",\n  "gpu",\n]\n', 2, "pu?"),
        ("exclude = 'a'\n", 1, "configuration"),
        ("\ntarget = 3\n", 2, "configuration"),
        ('[levels]\na = "off"\nb = "of"\n', 3, "off"),
        ("levels = { a = true }\n", 1, "configuration"),
    ],
)
def test_an_error_names_the_line_and_what_was_probably_meant(
    tmp_path: Path, text: str, line: int, hint: str
) -> None:
    write(tmp_path, {"porter.toml": text})
    with pytest.raises(UsageError, match=f"porter.toml:{line}:") as raised:
        config.read(tmp_path / "porter.toml")
    assert hint in raised.value.hint


def test_in_a_pyproject_only_the_table_of_porter_counts(tmp_path: Path) -> None:
    text = '[project]\nname = "a"\n[tool.other]\nstyle = 1\n[tool.porter]\nstyl = "dual"\n'
    write(tmp_path, {"pyproject.toml": text})
    with pytest.raises(UsageError, match=r"pyproject.toml:6 of the repository: unknown key"):
        config.find(tmp_path)
    write(tmp_path, {"pyproject.toml": "[project]\nname = 'porter-like'\n"})
    assert config.find(tmp_path) is None
    write(tmp_path, {"pyproject.toml": "[tool]\nporter = 3\n"})
    with pytest.raises(UsageError, match="not a table"):
        config.find(tmp_path)
    write(tmp_path, {"porter.toml": "style = 'fork'", "pyproject.toml": "[tool.porter]\nstyle = 1"})
    found = config.find(tmp_path)
    assert found is not None and found.config == config.Config(style="fork")


@pytest.mark.parametrize("text", ["a = [", "a = 1\na = 2", "\xff", "x=" + "[" * 100_000])
def test_what_is_no_toml_is_refused_with_a_way_out(tmp_path: Path, text: str) -> None:
    (tmp_path / "porter.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError) as raised:
        config.find(tmp_path)
    assert "--config" in raised.value.hint


# ------------------------------------------------------------ hostile files


def hostile(root: Path, text: str) -> str:
    """What porter says of a repository with this file of its own; that it has done nothing."""
    write(root / "bad", {"porter.toml": text, "a.py": USES, "tests/test_a.py": "import torch\n"})
    done = porter("analyze", "bad", cwd=root)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "porter.toml:1 of the repository" in done.stderr
    assert not (root / "marker").exists()
    return done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "touch {marker}",
        "pytest; touch {marker}",
        "pytest -p evil",
        "pytest --basetemp={marker}",
        "pytest -c {marker}",
        "pytest @tests/test_a.py",
        "pytest -k '&&' tests/test_a.py",
        "pytest -k --basetemp=x",
        "pytest -kx",
        "pytest ../..",
        "pytest /etc",
        "pytest tests/../../x",
        "pytest no/such/test.py",
        "PYTHONPATH=/x pytest tests",
        "python -m pytest tests",
        "pytest tests -k",
        "pytest 'tests",
        "cd / && pytest",
    ],
)
def test_a_repository_makes_porter_run_no_command(tmp_path: Path, command: str) -> None:
    said = hostile(tmp_path, f'tests = "{command.format(marker=tmp_path / "marker")}"\n')
    assert "pytest" in said and "--config" in said


@pytest.mark.parametrize("key", ["parity", "baseline"])
@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.toml", "link/secret.toml", "a/../../x"])
def test_a_repository_names_no_file_outside_of_itself(tmp_path: Path, key: str, path: str) -> None:
    write(tmp_path, {"out/secret.toml": "", "secret.toml": ""})
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "link").symlink_to(tmp_path / "out")
    assert "not in the repository" in hostile(tmp_path, f'{key} = "{path}"\n')


@pytest.mark.parametrize(
    "key", ["sandbox", "env", "prepare", "requires", "with", "target_python", "output", "config"]
)
def test_there_are_no_keys_for_the_sandbox_or_for_programs(tmp_path: Path, key: str) -> None:
    assert "unknown key" in hostile(tmp_path, f'{key} = "off"\n')


@pytest.mark.parametrize("name", ["porter.toml", "pyproject.toml"])
def test_a_link_is_not_read(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"secret": "[tool.porter]\nwhat = 1\n", "bad/a.py": USES})
    (tmp_path / "bad" / name).symlink_to(tmp_path / "secret")
    assert porter("analyze", "bad", cwd=tmp_path).returncode == 0


def test_the_users_own_file_may_say_more(tmp_path: Path) -> None:
    write(tmp_path, {"ops/porter.toml": 'tests = "bash run.sh"\n', "ops/a.py": USES})
    assert porter("analyze", "ops", cwd=tmp_path).returncode == 2
    mine = porter("analyze", "ops", "--config", "ops/porter.toml", cwd=tmp_path)
    assert mine.returncode == 0, mine.stderr
    assert porter("analyze", "ops", "--config", "/dev/null", cwd=tmp_path).returncode == 0
    nowhere = porter("analyze", "ops", "--config", "none.toml", cwd=tmp_path)
    assert nowhere.returncode == 2 and "none.toml" in nowhere.stderr


def test_a_refused_file_leaves_no_run_to_continue(tmp_path: Path) -> None:
    write(tmp_path, {"ops/porter.toml": "tests = 1\n", "ops/a.py": USES})
    assert porter("analyze", "ops", cwd=tmp_path).returncode == 2
    assert json.loads(porter("runs", "--json", cwd=tmp_path).stdout) == []
    write(tmp_path, {"ops/porter.toml": "tests = 'pytest a.py'\n"})
    assert porter("analyze", "ops", cwd=tmp_path).returncode == 0


# ------------------------------------------------- flags, then the file, then defaults


def test_flags_win_over_the_file_and_the_file_over_defaults(ops: Path, tmp_path: Path) -> None:
    write(ops, {"porter.toml": 'target = "paddle==3.3.0"\nstyle = "fork"\n'})
    found = document("analyze", "ops", cwd=tmp_path, code=0)
    assert (found["target"], found["style"]) == ("paddle==3.3.0", "fork")
    words = ("analyze", "ops", "--target", "paddle==3.3.1", "--style", "dual")
    found = document(*words, cwd=tmp_path, code=0)
    assert (found["target"], found["style"]) == ("paddle==3.3.1", "dual")
    again = document("migrate", "--no-compiler", cwd=tmp_path, code=0)
    assert (again["target"], again["style"]) == ("paddle==3.3.1", "dual"), "of the run"
    named = document("migrate", "ops", "--no-compiler", cwd=tmp_path, code=0)
    assert named["style"] == "fork", "a source that is named has no style of an earlier run"
    write(tmp_path, {"mine.toml": 'style = "dual"\n'})
    mine = document("analyze", "ops", "--config", "mine.toml", cwd=tmp_path, code=0)
    assert (mine["target"], mine["style"]) == ("paddle==3.3.1", "dual")


def test_the_file_of_a_clone_counts_and_a_value_is_refused_in_its_place(
    ops: Path, tmp_path: Path
) -> None:
    write(ops, {"porter.toml": 'style = "dual"\ntarget = "tensorflow"\n'})
    git(ops, "add", "-A")
    git(ops, "commit", "-qm", "configure")
    done = porter("port", f"file://{ops}", cwd=tmp_path)
    assert done.returncode == 2 and "porter.toml:2 of the repository: " in done.stderr


def test_the_verdict_is_about_what_the_file_says(
    ops: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from porter.stages import everything
    from porter.stages.options import Options

    seen: list[Options] = []

    def port(run: Any, options: Options, progress: Any) -> Any:
        seen.append(options)
        return run.load()

    monkeypatch.setattr(everything, "port", port)
    text = 'tests = "pytest tests/test_ops.py::test_it"\ndevice = ["emulated"]\nparity = "p.toml"\n'
    write(ops, {"porter.toml": text, "p.toml": ""})
    porter("port", "ops", cwd=tmp_path)
    porter("port", "ops", "--device", "cpu", "--tests", "pytest -x", cwd=tmp_path)
    first, second = seen
    assert first.tests == "pytest tests/test_ops.py::test_it"
    assert first.emulated and first.parity is not None and first.parity.name == "p.toml"
    assert second.tests == "pytest -x"
    assert not second.emulated and second.devices


# --------------------------------------------------------------- exclude, levels


def test_excluded_files_are_neither_read_nor_edited_and_are_told(tmp_path: Path) -> None:
    names = ("a.py", "gen/deep/b.py", "c_generated.py", "genuine.py", "docs/d.md")
    write(tmp_path / "ops", dict.fromkeys(names, USES))
    write(tmp_path / "ops", {"porter.toml": 'exclude = ["./gen/", "*_generated.py"]\n'})
    found = document("analyze", "ops", cwd=tmp_path, code=0)
    assert {s["path"] for s in found["skipped"]} == {"gen", "c_generated.py"}
    assert found["configuration"]["exclude"] == ["gen", "*_generated.py"]
    assert any("gen" in note and "porter.toml" in note for note in found["notes"])
    write(tmp_path / "ops", {"porter.toml": ""})
    everything = document("analyze", "ops", cwd=tmp_path, code=0)
    assert everything["skipped"] == []
    (more,) = [m["uses"] for m in everything["missing"] if m["name"] == "torch.frombuffer"]
    (less,) = [m["uses"] for m in found["missing"] if m["name"] == "torch.frombuffer"]
    assert (less, more) == (2, 4)


def test_a_level_turns_a_rule_off_or_lowers_it(ops: Path, tmp_path: Path) -> None:
    write(ops, {"setup.py": SETUP})
    before = found_rules(tmp_path)
    rule = next(name for name, safety in before.items() if safety == "safe")
    for level, expected in (("off", None), ("manual", "manual"), ("review", "review")):
        for name in (rule, rule.rpartition("/")[2]):
            write(ops, {"porter.toml": f'[levels]\n"{name}" = "{level}"\n'})
            assert found_rules(tmp_path).get(rule) == expected
    migrated = document("migrate", "ops", "--no-compiler", cwd=tmp_path, code=1)
    assert rule in {left["rule"] for left in migrated["open"]}, "not edited without --review"
    done = document("migrate", "ops", "--no-compiler", "--review", cwd=tmp_path, code=0)
    assert rule not in {left["rule"] for left in done["open"]}


SETUP = """from setuptools import setup
import torch
from torch.utils.cpp_extension import BuildExtension, CppExtension

abi = torch._C._GLIBCXX_USE_CXX11_ABI
setup(
    name="myops",
    packages=["myops"],
    ext_modules=[CppExtension("myops._C", ["ops.cpp"])],
    cmdclass={"build_ext": BuildExtension},
)
"""


def found_rules(folder: Path) -> dict[str, str]:
    found = document("analyze", "ops", cwd=folder, code=0)
    return {finding["rule"]: finding["safety"] for finding in found["findings"]}


def test_a_rule_that_does_not_exist_is_told_with_its_line(ops: Path, tmp_path: Path) -> None:
    write(ops, {"porter.toml": '[levels]\ntensor_from_a_bufer = "off"\n'})
    done = porter("analyze", "ops", cwd=tmp_path)
    assert done.returncode == 2
    assert "porter.toml:2 of the repository" in done.stderr and ADVICE in done.stderr


def test_another_configuration_makes_another_analysis(tmp_path: Path) -> None:
    write(tmp_path, {"ops/a.py": USES, "ops/b.py": USES, "mine.toml": 'exclude = ["a.py"]\n'})
    first = document("analyze", "ops", cwd=tmp_path, code=0)
    words = ("migrate", "--no-compiler", "--config", "mine.toml")
    second = document(*words, cwd=tmp_path, code=1)
    assert second["run"] == first["run"]
    assert second["missing"][0]["uses"] == 1 < first["missing"][0]["uses"]
    third = document("migrate", "--no-compiler", cwd=tmp_path, code=1)
    assert third["missing"] == second["missing"], "the run keeps what it was told"
    for form in ("text", "markdown", "html"):
        assert "mine.toml" in porter("report", "--format", form, cwd=tmp_path).stdout, form


def test_who_excludes_everything_is_told_so(tmp_path: Path) -> None:
    write(tmp_path, {"ops/a.py": USES, "ops/porter.toml": 'exclude = ["*"]\n'})
    said = shown("port", "ops", cwd=tmp_path, code=0)
    assert "porter.toml of the repository excludes" in said
