"""What is wrong with the entries of a yaml for OpPlugin: torchnpugen takes each alone.

`python opplugin_entries.py ENTRIES FOLDER RESULT`, by the interpreter that has torch_npu; FOLDER is
for what is generated. The answer is JSON: for each entry its name, line, aclnn operator, what is
wrong, and what is to be known. Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import re
import runpy
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import ge_graphs
else:  # beside this file, which is no package
    import ge_graphs


GROUPS = ("official", "custom", "symint", "quant", "autograd")


def main(entries: str, folder: str, result: str) -> None:
    """Examine each entry alone, to know which one the generator refuses."""
    import yaml

    with open(entries) as file:
        text = file.read()
    whole = yaml.safe_load(text)
    if not isinstance(whole, dict):
        sys.exit(f"{entries} has no entries: the groups are {', '.join(GROUPS)}")
    lines = _lines(yaml.compose(text))
    os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"  # no device is needed
    import torch

    version = torch.__version__.partition("+")[0]
    found = []
    for group in GROUPS:
        for entry, line in zip(whole.get(group) or [], lines.get(group, ()), strict=True):
            one = Entry(entry, line)
            with contextlib.redirect_stdout(io.StringIO()):
                one.examine(whole, group, version, folder)
            found.append(one.as_dict())
    with open(result, "w") as file:
        json.dump(found, file)


def _lines(document: Any) -> dict[str, list[int]]:
    """The line of each entry, by its group."""
    found = {}
    for key, value in document.value:
        items = value.value if isinstance(value.value, list) else []
        found[key.value] = [item.start_mark.line + 1 for item in items]
    return found


class Entry:
    """One entry, and what there is to say of it."""

    def __init__(self, entry: dict[str, Any], line: int) -> None:
        self.entry, self.line = entry, line
        self.schema = str(entry.get("func", ""))
        self.name = self.schema.partition("(")[0]
        self.problems: list[str] = []
        self.notes: list[str] = []
        self.runs = ""

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "name": self.name,
            "line": self.line,
            "runs": self.runs,
            "problems": self.problems,
            "notes": self.notes,
        }

    def examine(self, whole: dict[str, Any], group: str, version: str, folder: str) -> None:
        """Have the generator take it alone."""
        if not isinstance(self.entry.get("gen_opapi"), dict):
            if "gen_opapi" not in self.entry:
                self.notes.append(f"its adapter is hand-written: op_api::{self.name}")
        else:
            self._names()
            self._operator()
        short = ".".join(version.split(".")[:2])
        versions = whole.get("all_version") or ()
        if self.entry.get("op_api") == "all_version" and f"v{short}" not in versions:
            self.problems.append(f"no code is generated: all_version has no v{short}")
            return
        alone = {**whole, **dict.fromkeys(GROUPS), group: [copy.deepcopy(self.entry)]}
        try:
            adapters = _generate(alone, folder, version)
        except (Exception, SystemExit) as error:
            said = str(error).strip().splitlines() or [""]
            self.problems.append(f"the generator rejects it: {type(error).__name__}: {said[0]}")
            return
        if "gen_opapi" in self.entry and not re.search(rf"\b{re.escape(self._c())}\(", adapters):
            self.problems.append(f"no code is generated: its op_api is not for v{short}")

    def _c(self) -> str:
        """Its name in C++: overloads are not in it, `_out` is."""
        base, _, overload = self.name.partition(".")
        return f"{base}_out" if overload.endswith("out") else base

    def _arguments(self) -> list[str]:
        inner = re.sub(r"\([a-z]!?\)", "", self.schema.partition("(")[2]).partition(") ->")[0]
        names = (each.partition("=")[0].split() for each in inner.split(","))
        return [each[-1] for each in names if each and each[-1] != "*"]

    def _names(self) -> None:
        """Sizes and types that are a name have to be an argument's."""
        said = self.entry["gen_opapi"]
        known = {*self._arguments(), *(said.get("new_params") or {})}
        for output, told in said.items():
            if output in ("exec", "new_params") or not isinstance(told, dict):
                continue
            for what in ("size", "dtype"):
                name = told.get(what)
                if isinstance(name, str) and re.fullmatch(r"[a-z_]\w*", name) and name not in known:
                    self.problems.append(
                        f"{what} of `{output}`: `{name}` is not an argument of {self.name}"
                    )

    def _operator(self) -> None:
        said = self.entry["gen_opapi"]
        told = said.get("exec")
        if not isinstance(told, str):
            self.problems.append("it has no `exec`: nothing computes it")
            return
        self.runs, *given = [each.strip() for each in told.split(",")]
        known = ge_graphs.prototype(self.runs.removeprefix("aclnn"), vendors=False)
        if known is None:
            self.notes.append(f"{self.runs} is not in any package of ASCEND_CUSTOM_OPP_PATH")
            return
        outputs = [k for k, v in said.items() if isinstance(v, dict) and k != "new_params"]
        given = given or [*self._arguments(), *outputs]
        takes = [each.name for each in (*known.inputs, *known.attributes, *known.outputs)]
        if len(given) != len(takes):
            self.problems.append(
                f"{self.runs} is called with {', '.join(given)}; it expects {', '.join(takes)}"
            )


def _generate(entries: dict[str, Any], folder: str, version: str) -> str:
    """Run the modules that write interfaces and adapters; the adapters' text."""
    import yaml

    opapi = os.path.join(folder, "op_plugin", "ops", "opapi")
    os.makedirs(opapi, exist_ok=True)
    source, functions, none = (
        os.path.join(folder, name)
        for name in ("entries.yaml", "op_plugin_functions.yaml", "deprecated.yaml")
    )
    for path, value in ((source, entries), (none, {"deprecated": None})):
        with open(path, "w") as file:
            yaml.safe_dump(value, file, sort_keys=False, width=2000)
    os.environ["PYTORCH_VERSION"] = version
    os.environ["ACLNN_EXTENSION_SWITCH"] = "TRUE"
    os.environ["ACLNN_EXTENSION_PATH"] = folder
    os.environ["PYTORCH_CUSTOM_DERIVATIVES_PATH"] = os.path.join(folder, "derivatives.yaml")
    _run("gen_op_plugin_functions", version=version, output_dir=folder, source_yaml=source)
    _run(
        "gen_op_backend",
        version=version,
        output_dir=os.path.join(folder, "op_plugin"),
        source_yaml=functions,
        deprecate_yaml=none,
    )
    _run("struct.gen_struct_opapi", output_dir=opapi, native_yaml=functions, struct_yaml=source)
    with open(os.path.join(opapi, "StructKernelNpuOpApiEverything.cpp")) as file:
        return file.read()


def _run(module: str, **options: Any) -> None:
    sys.argv = [module, *(f"--{name}={value}" for name, value in options.items())]
    runpy.run_module(f"torchnpugen.{module}", run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
