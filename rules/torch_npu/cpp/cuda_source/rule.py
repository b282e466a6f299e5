"""`.cu` sources: a `.asc` beside each, and a word on each kernel that is not translated."""

from collections.abc import Iterator, Mapping

from porter.ascend.translate.headers import merged
from porter.ascend.translate.kernels import kernels
from porter.ascend.translate.sources import translate
from porter.languages.cpp import Unit, parse
from porter.model import UNIT, Match, ProjectFacts, Safety, Span
from porter.rules.rule import NewFile

TESTS = ("test/", "tests/", "benchmarks/", "examples/", "third_party/")
SAID = "`{}` is not translated: {} (line {}); its .asc has a marked skeleton, whose launch raises"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if not unit.path.endswith((".cu", ".cuh", ".h", ".hpp")) or not unit.places("__global__"):
        return
    whole = merged(unit.path, unit.data, unit.near)
    both = parse(whole.data, unit.path)
    for kernel in kernels(both):
        path, start = whole.place(kernel.start)
        if kernel.text or path != unit.path:
            continue
        file, first = whole.place(both.offset(kernel.reason_line))
        text = unit.data if file == unit.path else unit.near(file) or b""
        line = str(text.count(b"\n", 0, first) + 1)
        line += "" if file == unit.path else f" of {file}"
        message = SAID.format(kernel.name, kernel.reason, line)
        span = Span(start, start + kernel.end - kernel.start)
        yield Match(span, message=message, safety=Safety.MANUAL, name=kernel.name)


def create(facts: ProjectFacts, tree: Mapping[str, bytes]) -> Iterator[NewFile]:
    for path in sorted(tree):
        vendored = any(path.startswith(f"{folder}/") for folder in facts.vendored)
        if not path.endswith(".cu") or path.startswith(TESTS) or vendored or UNIT in path:
            continue
        made = translate(path, tree[path], tree.get)
        yield NewFile(path=path.removesuffix(".cu") + ".asc", data=made.data)
