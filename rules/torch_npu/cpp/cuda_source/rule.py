"""`.cu` sources: a `.asc` beside each, and a word on each kernel that is not translated."""

from collections.abc import Iterator, Mapping

from porter.languages.cpp import Unit
from porter.model import UNIT, Match, ProjectFacts, Safety, Span
from porter.rules.rule import NewFile
from porter.targets.torch_npu.translate import translate

TESTS = ("test/", "tests/", "benchmarks/", "examples/", "third_party/")
SAID = "`{}` is not translated: {} (line {}); its .asc has a marked skeleton, whose launch raises"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if not unit.path.endswith((".cu", ".cuh", ".h", ".hpp")) or not unit.places("__global__"):
        return
    for kernel in translate(unit.path, unit.data, unit.near).refused:
        if kernel.path != unit.path:
            continue
        line = str(kernel.line) + (f" of {kernel.file}" if kernel.file != unit.path else "")
        message = SAID.format(kernel.name, kernel.reason, line)
        span = Span(kernel.start, kernel.end)
        yield Match(span, message=message, safety=Safety.MANUAL, name=kernel.name)


def create(facts: ProjectFacts, tree: Mapping[str, bytes]) -> Iterator[NewFile]:
    for path in sorted(tree):
        vendored = any(path.startswith(f"{folder}/") for folder in facts.vendored)
        if not path.endswith(".cu") or path.startswith(TESTS) or vendored or UNIT in path:
            continue
        made = translate(path, tree[path], tree.get)
        yield NewFile(path=path.removesuffix(".cu") + ".asc", data=made.data)
