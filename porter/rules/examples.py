"""README blocks to examples: what a rule must find and write, and what it must leave alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from porter import targets
from porter.ascend import marks
from porter.ascend.recognise import recognise_bytes
from porter.errors import RuleError
from porter.languages.edits import apply
from porter.languages.read import read
from porter.languages.text import Words
from porter.model import (
    Ascend,
    Delivery,
    Finding,
    Form,
    Language,
    Package,
    ProjectFacts,
    Role,
    SourceFile,
    Style,
)
from porter.rules.rule import Rule
from porter.rules.written import RULE_HINT, load_toml

PASSES = 10
DEFAULT_PATHS = {
    Language.PYTHON: "pkg/mod.py",
    Language.CPP: "csrc/op.cpp",
    Language.CMAKE: "CMakeLists.txt",
    Language.TOML: "pyproject.toml",
}
_FENCE = re.compile(
    r"^```(?P<language>python|cpp|cmake|toml)[ ]+(?P<kind>before|after|untouched|created|run)"
    r"(?P<attributes>[^\n]*)\n(?P<text>.*?)^```[ ]*$",
    re.MULTILINE | re.DOTALL,
)
_TAGGED = re.compile(r"^```\w+[ ]+\S+", re.MULTILINE)
BESIDE = b"""
#include "npu_cpp_extension.h"
at::Tensor add(const at::Tensor& x, const std::optional<at::Tensor>& y, double alpha) {
  at::Tensor z = at::empty_like(x);
  EXEC_NPU_CMD_EXT(aclnnAddCustom, x, y, alpha, z);
  return z;
}
class AddCustom : public OpDef {
  explicit AddCustom(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED);
    this->Input("y").ParamType(OPTIONAL);
    this->Output("z").ParamType(REQUIRED);
  }
};
TORCH_LIBRARY(ours, m) { m.def("add(Tensor x, Tensor? y, float alpha) -> Tensor"); }
TORCH_LIBRARY_IMPL(ours, PrivateUse1, m) { m.impl("add", &add); }
"""
CPP_ENDS = (".cpp", ".h", ".asc")
_ATTRIBUTES = ("path", "role", "style", "delivery", "beside")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One case of a rule: `after` None means found and not edited, equal to `before` untouched.

    `created` is a file the rule adds to a tree without files; `before` is then empty.
    """

    name: str
    before: bytes
    after: bytes | None
    path: str
    role: Role
    form: Form
    created: bool = False
    beside: str = ""  # the path of a source in the example's project, and what it is
    source: bytes = BESIDE
    whole: bool = False  # whether the file of the example counts among those for NPUs

    @property
    def is_untouched(self) -> bool:
        return self.after == self.before

    @property
    def facts(self) -> ProjectFacts:
        """The facts of a small project that has this file."""
        conftest = self.path.endswith("conftest.py") and not self.created
        return ProjectFacts(
            builds=("setuptools",),
            build_scripts=(self.path,) if self.role is Role.BUILD else ("setup.py",),
            packages=(Package("pkg", "pkg"),),
            first_modules=("pkg/__init__.py",) if self.path == "pkg/__init__.py" else (),
            tests=("tests/test_op.py",),
            conftests=(self.path,) if conftest else (),
            torch_files=1,
            ascend=self._ascend(),
        )

    def _ascend(self) -> Ascend | None:
        """What the file has for Ascend NPUs, as the survey of a project with it says."""
        names = targets.npu_names()
        texts = {self.beside: self.source} if self.beside else {}
        is_cpp = self.path.endswith(CPP_ENDS) and marks.has(self.before, marks.cpp_marks(names))
        if is_cpp or (self.beside and self.whole):
            texts[self.path] = self.before
        files = [
            SourceFile(p, Language.PYTHON if p.endswith(".py") else Language.CPP, self.role, len(t))
            for p, t in texts.items()
        ]
        return recognise_bytes(zip(files, texts.values(), strict=True), (), files, names)

    @property
    def tree(self) -> dict[str, bytes]:
        """The other files of that project, for rules that create one."""
        return {"tests/test_op.py": b"import torch\n", "pkg/__init__.py": b""}


def examples(rule: Rule) -> tuple[Example, ...]:
    """The examples of a rule: of its README, or of its row in a table.

    Raises RuleError for a block that cannot be read.
    """
    table = rule.folder / "table.toml"
    if table.is_file():
        return tuple(_read_table(table, rule))
    return tuple(_read_readme(rule.folder / "README.md", rule))


def _read_table(path: Path, rule: Rule) -> Iterator[Example]:
    for row in load_toml(path)["rename"]:
        if not rule.id.endswith(f"/{row['name']}"):
            continue
        for number, written in enumerate(row["examples"], 1):
            kind = "untouched" if "untouched" in written else "before"
            before = written[kind]
            after = before if kind == "untouched" else written.get("after")
            yield _example(rule, f"{number}", before, after, {})


def _read_readme(path: Path, rule: Rule) -> Iterator[Example]:
    text = path.read_text(encoding="utf-8")
    blocks = list(_FENCE.finditer(text))
    if len(blocks) != len(_TAGGED.findall(text)):
        raise RuleError(f"{path}: a tagged block is not of the form ```python before", RULE_HINT)
    for index, block in enumerate(blocks):
        number = f"{text.count(chr(10), 0, block.start()) + 1}"
        attributes = _attributes(path, block["attributes"])
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        match block["kind"]:
            case "before":
                has_after = following is not None and following["kind"] == "after"
                after = following["text"] if has_after and following else None
                yield _example(rule, number, block["text"], after, attributes)
            case "untouched":
                yield _example(rule, number, block["text"], block["text"], attributes)
            case "created":
                yield _example(rule, number, "", block["text"], attributes, created=True)
            case "after" if index == 0 or blocks[index - 1]["kind"] != "before":
                raise RuleError(f"{path}: the `after` of line {number} follows no `before`")


def _attributes(path: Path, written: str) -> dict[str, str]:
    out = dict(pair.partition("=")[::2] for pair in written.split())
    for key in out:
        if key not in _ATTRIBUTES:
            raise RuleError(f"{path}: unknown attribute {key!r} of an example", RULE_HINT)
    return out


def _example(
    rule: Rule,
    name: str,
    before: str,
    after: str | None,
    attributes: Mapping[str, str],
    created: bool = False,
) -> Example:
    path = attributes.get("path", DEFAULT_PATHS[rule.language])
    own = rule.folder / "beside.cpp"
    style = Style(attributes.get("style", min(rule.styles, key=list(Style).index)))
    delivery = min(rule.deliveries, key=list(Delivery).index)
    return Example(
        name=name,
        before=before.encode(),
        after=None if after is None else after.encode(),
        path=path,
        role=Role(attributes.get("role", _role(path))),
        beside=attributes.get("beside", ""),
        source=own.read_bytes() if own.is_file() else BESIDE,
        whole=own.is_file(),
        form=Form(style, Delivery(attributes.get("delivery", delivery))),
        created=created,
    )


def _role(path: str) -> Role:
    name = path.rpartition("/")[2]
    if name in ("setup.py", "pyproject.toml", "CMakeLists.txt"):
        return Role.BUILD
    if path.startswith(("tests/", "test/")) or name.startswith(("test_", "conftest")):
        return Role.TEST
    if path.startswith(("examples/", "benchmarks/")):
        return Role.ENTRY
    return Role.LIBRARY


def find(rule: Rule, data: bytes, example: Example) -> tuple[Finding, ...]:
    """What the rule finds in these bytes, standing at the path of the example."""
    if not rule.concerns(Words(data), example.role):
        return ()
    package = example.path.rpartition("/")[0].replace("/", ".")
    document = read(data, example.path, rule.language, package)
    return tuple(rule.find(document, example.facts, example.form))


def run(rule: Rule, data: bytes, example: Example) -> bytes:
    """The bytes after the rule was applied until nothing changes."""
    for _ in range(PASSES):
        changed = apply(data, find(rule, data, example)).data
        if changed == data:
            return data
        data = changed
    raise RuleError(f"{rule.id}: still changes its own output after {PASSES} passes")
