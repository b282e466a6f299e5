"""`python -m tests.cpp_pieces.overloads [--write]`: torch's functions that compile under Paddle.

Each overload that torch declares is called with all of its arguments, and with those that have no
default, as a function and as a method; the calls that compile with torch are compiled with Paddle
and all pieces. `--write` puts the result into docs/reference/cpp-overloads.md.
"""

from __future__ import annotations

import datetime
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from porter import targets
from porter.build import environment
from porter.host.home import rules_home
from porter.model import Device
from tests.conftest import CACHE
from tests.cpp_pieces import overlay, toolchain

PIECES = rules_home() / "paddle" / "polyfills" / "cpp"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "cpp-overloads.md"
DECLARED = "../torchgen/packaged/ATen/native/native_functions.yaml"
ENTRY = re.compile(r"^- func: ([\w.]+)\((.*)\) -> .*$(?:\n  variants: (.*))?", re.MULTILINE)
OPTIONS = re.compile(r"ScalarType\? dtype=\w+, Layout.*?, Device.*?, bool\? pin_memory=None")
CALL = re.compile(r"(?:at::|t\.)\w+(?:\([^)]*\))?")
# Types of arguments in schemas: a placeholder, and the type in C++. Of T? it is std::optional<T>.
TYPES = {
    "Tensor": ("t", "at::Tensor"),
    "Tensor[]": ("ts", "at::TensorList"),
    "Tensor?[]": ("tos", "c10::List<std::optional<at::Tensor>>"),
    "Scalar": ("s", "at::Scalar"),
    "Scalar[]": ("ss", "at::ArrayRef<at::Scalar>"),
    "int": ("i", "int64_t"),
    "int[]": ("is", "at::IntArrayRef"),
    "int[]?": ("ois", "at::OptionalIntArrayRef"),
    "float": ("d", "double"),
    "float[]": ("ds", "at::ArrayRef<double>"),
    "bool": ("b", "bool"),
    "str": ("st", "std::string_view"),
    "ScalarType": ("dt", "at::ScalarType"),
    "Layout": ("lo", "at::Layout"),
    "Device": ("de", "at::Device"),
    "MemoryFormat": ("mf", "at::MemoryFormat"),
    "Generator": ("ge", "at::Generator"),
    "options": ("op", "at::TensorOptions"),
}
KNOWN = {f"{t}?": (f"o{name}", f"std::optional<{cpp}>") for t, (name, cpp) in TYPES.items()} | TYPES
# Functions of one backend or of torch's own machinery, and copies of views.
OTHERS = re.compile(r"_(?!_)|(miopen|mkldnn|cudnn|quantized|fbgemm|sym|mps|fake_quant)_|\w+_copy$")


def calls(declared: str) -> list[str]:
    """A call for each overload and number of arguments, as a function and as a method."""
    return list(dict.fromkeys(call for entry in ENTRY.findall(declared) for call in _calls(*entry)))


def _calls(name: str, schema: str, variants: str) -> Iterator[str]:
    base = name.partition(".")[0]
    given = None if OTHERS.match(base) else _arguments(schema)
    if given is None:
        return
    written = [shown for shown, name, _ in given if name == "out"]
    rest = [each for each in given if each[1] != "out"]
    for chosen in (rest, [each for each in rest if not each[2]]):
        if written or "function" in (variants or "function"):
            shown = ", ".join([*written, *(shown for shown, _, _ in chosen)])
            yield f"at::{base}{'_out' if written else ''}({shown})"
        if "method" in variants and not written:
            yield f"t.{base}({', '.join(shown for shown, name, _ in chosen if name != 'self')})"


def _arguments(schema: str) -> list[tuple[str, str, bool]] | None:
    """(placeholder, name, whether it has a default), or None if one has another type."""
    found, keyword = [], False
    for text in re.split(r", (?![^(\[]*[)\]])", OPTIONS.sub("options options=0", schema)):
        parts = re.fullmatch(r"(\w+\??)(\(.*?\))?((?:\[\d*\])?\??) (\w+)(=.*)?", text)
        keyword = keyword or text == "*"
        if parts is None:
            continue
        of, alias, more, name, default = parts.groups("")
        of = re.sub(r"\d", "", of + more).replace("SymInt", "int")
        if of not in KNOWN:
            return None
        found.append((KNOWN[of][0], "out" if keyword and "!" in alias else name, bool(default)))
    return found


def _failing(tools: toolchain.Toolchain, wanted: Sequence[str]) -> set[str]:
    """The calls that do not compile."""
    unit = tools.cache / f"overloads-{tools.framework}.cpp"
    lines = ["#include <torch/extension.h>"]
    lines += [f"extern {cpp} {name};" for name, cpp in KNOWN.values()]
    first = len(lines) + 1
    lines += [f"void call_{number}() {{ {call}; }}" for number, call in enumerate(wanted)]
    unit.write_text("\n".join(lines) + "\n")
    told = toolchain.compiler(tools, "-fsyntax-only", unit).stderr
    blamed = re.findall(rf"{re.escape(str(unit))}:(\d+):\d+: error:", told)
    if "fatal error" in told or any(int(number) < first for number in blamed):
        raise RuntimeError(told[:3000])
    return {wanted[int(number) - first] for number in blamed}


def measured(pythons: Mapping[str, Path], cache: Path) -> tuple[list[str], list[str]]:
    """The calls that compile with torch, and those of them that do not with Paddle."""
    cache.mkdir(parents=True, exist_ok=True)
    torch = toolchain.torch(pythons["torch"], cache)
    home = toolchain.asked(pythons["paddle"], "paddle")[1]
    every = overlay.merged(PIECES, overlay.pieces(PIECES), home, cache)
    paddle = toolchain.paddle(pythons["paddle"], every, every, cache, False)
    wanted = calls((torch.home / DECLARED).read_text(encoding="utf-8"))
    wrong = _failing(torch, wanted)
    right = [call for call in wanted if call not in wrong]
    lacking = _failing(paddle, right)
    return right, [call for call in right if call in lacking]


def named(text: str) -> set[str]:
    """The calls that the page lists, and the names of which it says that no call compiles."""
    return {found for block in text.split("```text")[1:] for found in CALL.findall(block)}


def rewritten(text: str, right: Sequence[str], lacking: Sequence[str]) -> str:
    """The page with these results."""
    some = {call.partition("(")[0] for call in set(right) - set(lacking)}
    names = sorted({call.partition("(")[0] for call in lacking} - some)
    partly = [call.replace(" ", "\0") for call in lacking if call.partition("(")[0] in some]
    blocks = iter(textwrap.fill("  ".join(items), 118) for items in (names, partly))
    text = re.sub(r"```text\n[^`]*```", lambda _: f"```text\n{next(blocks)}\n```", text)
    day = datetime.datetime.now(datetime.UTC).date()
    told = f"{len(right) - len(lacking)} of {len(right)} calls compile ({day})."
    return re.sub(r"\d+ of \d+ calls compile \(\S+\)\.", told, text).replace("\0", " ")


def main(*options: str) -> None:
    pythons = {}
    for framework in (targets.framework("torch"), targets.framework("paddle")):
        spec = framework.environment(framework.default_version, Device.CPU)
        pythons[framework.name] = environment.prepare(spec, framework, home=CACHE).python
    right, lacking = measured(pythons, CACHE / "cpp-pieces")
    sys.stdout.write("\n".join([*lacking, f"{len(lacking)} of {len(right)} do not compile\n"]))
    if "--write" in options:
        PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), right, lacking))


if __name__ == "__main__":
    main(*sys.argv[1:])
