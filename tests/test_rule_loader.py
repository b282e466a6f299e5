"""A rule folder that cannot be loaded is fatal, and the error says where and what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.errors import RuleError, UsageError
from porter.model import Form, State, Style, Surface, Symbol
from porter.rules.examples import examples
from porter.rules.loader import load_pack

RULE = """
title = "t"
message = "m"
safety = "safe"
catalogue = []
until = "u"
"""
FIND = '\n[find]\nname = "torch.x"\nreplace = "torch.y"\n'
README = "# t\n\n```python untouched\nx = 1\n```\n"


def folder(home: Path, toml: str, readme: str = README, code: str | None = None) -> Path:
    path = home / "paddle" / "python" / "some_pattern"
    path.mkdir(parents=True, exist_ok=True)
    (path / "rule.toml").write_text(toml)
    (path / "README.md").write_text(readme)
    if code is not None:
        (path / "rule.py").write_text(code)
    return path


def error(home: Path) -> str:
    with pytest.raises(RuleError) as caught:
        load_pack("paddle", home)
    assert "some_pattern" in str(caught.value), "the file is named"
    return str(caught.value)


def test_the_id_is_the_path(tmp_path: Path) -> None:
    folder(tmp_path, RULE + FIND)
    assert [rule.id for rule in load_pack("paddle", tmp_path).rules] == [
        "paddle/python/some_pattern"
    ]


def test_an_unknown_key_is_named_with_the_nearest_known_one(tmp_path: Path) -> None:
    folder(tmp_path, RULE.replace("safety", "saftey") + FIND)
    said = error(tmp_path)
    assert "'saftey'" in said and "'safety'" in said


def test_an_unknown_key_of_find_is_named_too(tmp_path: Path) -> None:
    folder(tmp_path, RULE + '\n[find]\nnames = "torch.x"\n')
    assert "'name'" in error(tmp_path)


@pytest.mark.parametrize(
    "toml",
    [
        RULE,  # neither [find] nor rule.py
        RULE.replace('"safe"', '"sure"') + FIND,
        RULE.replace("[]", '"B-01"') + FIND,
        RULE.replace('until = "u"', "") + FIND,
        RULE + '\n[find]\nreplace = "torch.y"\n',
        RULE + "\nnot toml",
    ],
)
def test_what_is_incomplete_or_of_another_type_is_refused(tmp_path: Path, toml: str) -> None:
    folder(tmp_path, toml)
    error(tmp_path)


def test_code_that_raises_or_defines_nothing_is_refused(tmp_path: Path) -> None:
    folder(tmp_path, RULE, code="raise ValueError('broken')")
    assert "broken" in error(tmp_path)
    folder(tmp_path, RULE, code="x = 1")
    error(tmp_path)


def test_a_tagged_block_that_is_misspelt_is_refused(tmp_path: Path) -> None:
    folder(tmp_path, RULE + FIND, README + "```python befor\nx\n```\n")
    (rule,) = load_pack("paddle", tmp_path).rules
    with pytest.raises(RuleError):
        examples(rule)


def test_an_empty_folder_is_nobodys_rule(tmp_path: Path) -> None:
    (tmp_path / "paddle" / "python" / "left_over" / "__pycache__").mkdir(parents=True)
    assert load_pack("paddle", tmp_path).rules == ()


def test_a_target_without_rules_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        load_pack("nothing", tmp_path)


def test_a_rule_is_active_where_a_name_it_is_for_is_missing(tmp_path: Path) -> None:
    folder(tmp_path, RULE.replace('until = "u"', 'missing = ["torch.x", "torch.z"]') + FIND)
    pack = load_pack("paddle", tmp_path)

    def active(**names: State) -> int:
        symbols = {f"torch.{n}": Symbol(kind="function", state=s) for n, s in names.items()}
        surface = Surface(package="paddle", version="1", build="cpu", python=symbols)
        return len(pack.active(surface, Form()).rules)

    assert active(x=State.PRESENT, z=State.PRESENT) == 0
    assert active(x=State.PRESENT, z=State.MISSING) == 1
    assert active(x=State.DIFFERENT, z=State.PRESENT) == 1
    assert active(x=State.PRESENT) == 1, "a name the surface does not know is not there"


def test_a_rule_of_another_style_is_not_active(tmp_path: Path) -> None:
    folder(tmp_path, 'styles = ["fork"]\n' + RULE + FIND)
    pack = load_pack("paddle", tmp_path)
    assert not pack.active(None, Form()).rules and pack.active(None, Form(Style.FORK)).rules


def test_each_row_of_a_table_is_a_rule_with_its_own_examples(tmp_path: Path) -> None:
    path = tmp_path / "paddle" / "python"
    path.mkdir(parents=True)
    (path / "table.toml").write_text(
        '[[rename]]\nname = "torch.a.x"\nreplace = "torch.y"\ncatalogue = []\n'
        'examples = [{ before = "import torch\\ntorch.a.x()\\n", '
        'after = "import torch\\ntorch.y()\\n" }, { untouched = "a.x()\\n" }]\n'
    )
    (rule,) = load_pack("paddle", tmp_path).rules
    assert rule.id == "paddle/python/table/torch.a.x" and rule.missing == ("torch.a.x",)
    assert [example.is_untouched for example in examples(rule)] == [False, True]
