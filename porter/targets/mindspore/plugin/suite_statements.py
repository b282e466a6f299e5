"""A statement of a test for torch -> the edits that make it one for a plugin of MindSpore."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from porter.targets.mindspore.plugin.counterparts import (
    AVAILABLE,
    COUNTERPARTS,
    DEVICES,
    FACTORIES,
    MOVES,
    NEEDLESS,
    RENAMED,
    WITHOUT,
)
from porter.targets.mindspore.plugin.differentiation import differentiate
from porter.targets.mindspore.plugin.source import KNOWN, Edit, Foreign, Plugin, Source
from porter.targets.mindspore.plugin.suite_imports import convert_import

_OMITTED = ("device", "requires_grad", "pin_memory")  # arguments of factories
_FACTORIES = frozenset(f"torch.{name}" for name in FACTORIES)
PARAMETRIZE = "pytest.mark.parametrize"


@dataclass(slots=True)
class Statements:
    """The statements of one file; `local` are the modules of the tests themselves, and why they
    lack names."""

    source: Source
    path: str
    plugin: Plugin
    local: Mapping[str, Mapping[str, str]]
    replaced: dict[ast.AST, str | None] = field(default_factory=dict)  # None: it has an edit
    bound: set[ast.AST] = field(default_factory=set)  # values that get a name
    cases: frozenset[str] = frozenset()  # lists that are for parametrize alone
    skipped: dict[ast.expr, str] = field(default_factory=dict)  # cases that the plugin has not

    def render(self, node: ast.expr | ast.stmt) -> str:
        edits = self.edits(node)
        return self.source.apply(self.source.start(node), self.source.end(node), edits)

    def edits(self, node: ast.AST) -> Iterator[Edit]:
        """Raises Foreign for what has no counterpart."""
        whole = self._whole(node)
        if whole is not None:
            yield from whole
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            done = differentiate(self.source, node, self.render)
            self.replaced |= done.replaced
            yield from done.edits
        elif isinstance(node, ast.ClassDef):
            yield from self.source.edits_of_module(node)
        elif isinstance(node, ast.Attribute) and node.attr in (*WITHOUT, *DEVICES):
            raise Foreign(f"`.{node.attr}` of a tensor has no counterpart")
        for child in ast.iter_child_nodes(node):
            yield from self.edits(child)

    def _whole(self, node: ast.AST) -> Iterable[Edit] | None:
        """The edits of what is not only the sum of its parts; None for anything else."""
        if node in self.replaced:
            if (text := self.replaced[node]) is None or not isinstance(node, ast.expr):
                return []
            return [(self.source.start(node), self.source.end(node), text)]
        if isinstance(node, ast.JoinedStr):  # whose nodes Python 3.11 does not place
            if any(True for child in ast.iter_child_nodes(node) for _ in self.edits(child)):
                raise Foreign("an f-string that uses torch")
            return []
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, (ast.Attribute, ast.Name)) and self.source.dotted(node):
            return self._name(node)
        return self._statement(node)

    def _statement(self, node: ast.AST) -> Iterable[Edit] | None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return [self._import(node)]
        if isinstance(node, ast.Assert):
            return self._assertion(node)
        if isinstance(node, ast.Expr) and self.source.is_call_of(node.value, NEEDLESS):
            return [(self.source.start(node), self.source.end(node), "pass")]
        if isinstance(node, (ast.Assign, ast.NamedExpr)):
            elements = node.value.elts if isinstance(node.value, ast.Tuple) else ()
            self.bound |= {node.value, *elements}
            names = {ast.unparse(each) for each in getattr(node, "targets", ())}
            if names and names <= self.cases:
                return self._case_edits(node.value)
        return None

    def _import(self, node: ast.Import | ast.ImportFrom) -> Edit:
        text = convert_import(node, self.path, self.plugin, self.local)
        start, end = self.source.start(node), self.source.end(node)
        return start, end, text or ("pass" if node.col_offset else "")

    # --------------------------------------------------------------------- names

    def _name(self, node: ast.expr) -> Iterator[Edit]:
        """The longest beginning of a dotted name that has a counterpart."""
        whole = self.source.dotted(node) or ""
        if whole.partition(".")[0] in KNOWN:
            return
        inner: ast.expr | None = node
        while inner is not None and (name := self.source.dotted(inner)) is not None:
            is_module = name in self.plugin.names or name in self.local
            text = None if is_module and name != whole else self._counterpart(name, inner)
            if text is not None:
                if text != self.source.text(inner):
                    yield self.source.start(inner), self.source.end(inner), text
                return
            inner = None if is_module or not isinstance(inner, ast.Attribute) else inner.value
        own = whole.partition(".")[0] == self.plugin.package
        raise Foreign(f"`{whole}` {'is not in the plugin' if own else 'has no counterpart'}")

    def _counterpart(self, name: str, node: ast.expr) -> str | None:
        """What stands for an imported name, None if nothing does."""
        words = name.removesuffix(".default").split(".")
        text = self.source.text(node)
        if name in COUNTERPARTS:
            return COUNTERPARTS[name]
        if self.plugin.is_operator(words):
            return f"_custom_ops.{words[-1]}"
        if words[0] == self.plugin.package:
            if not self.plugin.has(name):
                return None
            return f"{self.plugin.own}{text[len(words[0]) :]}" if text == name else text
        module, _, last = name.rpartition(".")
        if why := self.local.get(module, {}).get(last):
            raise Foreign(f"it uses `{last}`: {why}")
        return text if name in self.local or module in self.local else None

    # --------------------------------------------------------------------- calls

    def _call(self, node: ast.Call) -> list[Edit] | None:
        """The edits of a call that is not only one of its parts; None for any other."""
        name = self.source.dotted(node.func)
        start, end = self.source.start(node), self.source.end(node)
        if name == PARAMETRIZE and len(node.args) == 2:
            others = (edit for one in node.keywords for edit in self.edits(one))
            return [*self._case_edits(node.args[1]), *others]
        if name in AVAILABLE:
            return [(start, end, AVAILABLE[name])]
        if name in _FACTORIES:
            return [*self._name(node.func), *self._factory(node)]
        if name is not None or not isinstance(node.func, ast.Attribute):
            return None
        method, value = node.func.attr, node.func.value
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        text = None
        if method in MOVES or (method == "to" and len(given) == 1 and is_device(given[0])):
            # a move makes a copy of what has a name, which an operator may write to
            named = isinstance(value, (ast.Name, ast.Attribute, ast.Subscript))
            text = ".copy()" if named and (method != "cpu" or node in self.bound) else ""
        elif method == "detach" or (method == "requires_grad_" and all(map(_is_true, given))):
            text = ""
        elif method == "size" and len(given) == 1:
            text = f".shape[{self.source.text(given[0])}]"
        elif method in RENAMED and not given:
            text = RENAMED[method]
        if text is None:
            return None
        dot = self.source.data.rindex(b".", 0, self.source.end(node.func) - len(method))
        return [*self.edits(value), (dot, end, text)]

    def _case_edits(self, listed: ast.expr) -> Iterator[Edit]:
        """The cases of tests in a list; those that have no counterpart are skipped."""
        if not isinstance(listed, (ast.List, ast.Tuple)):
            yield from self.edits(listed)
            return
        for one in listed.elts:
            try:
                yield from [*self.edits(one)]
            except Foreign as error:
                self.skipped[one] = str(error)
                width = len(one.elts) if isinstance(one, ast.Tuple) else 1
                text = f"pytest.param({'None, ' * width}marks={skip_mark(str(error))})"
                yield self.source.start(one), self.source.end(one), text

    def _factory(self, node: ast.Call) -> Iterator[Edit]:
        """Its arguments without those that MindSpore has no use of."""
        given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        given.sort(key=self.source.start)
        for number, one in enumerate(given):
            if not isinstance(one, ast.keyword) or one.arg not in _OMITTED:
                yield from self.edits(one)
                continue
            if one.arg == "device" and not is_device(one.value):
                raise Foreign(f"`{ast.unparse(one)}`")
            if number == 0:
                raise Foreign(f"`{ast.unparse(node)}` without a shape in the first place")
            yield self.source.end(given[number - 1]), self.source.end(one), ""

    # ---------------------------------------------------------------- assertions

    def _assertion(self, node: ast.Assert) -> Iterator[Edit]:
        """Without what it says of devices: MindSpore moves tensors itself."""
        test = node.test
        parts = test.values if isinstance(test, ast.BoolOp) else [test]
        both = not isinstance(test, ast.BoolOp) or isinstance(test.op, ast.And)
        gone = [both and _is_of_device(part) for part in parts]
        if all(gone):
            text = "pass  # MindSpore moves tensors itself"
            yield self.source.start(node), self.source.end(node), text
            return
        first = gone.index(False)
        for number, part in enumerate(parts):
            if not gone[number]:
                yield from self.edits(part)
            elif number < first:
                yield self.source.start(part), self.source.start(parts[number + 1]), ""
            else:
                yield self.source.end(parts[number - 1]), self.source.end(part), ""
        if node.msg is not None:
            yield from self.edits(node.msg)


def skip_mark(reason: str) -> str:
    """`pytest.mark.skip(...)` for what is not converted."""
    why = f"not converted: {reason}"
    text = f'"{why}"' if not {'"', "\\"} & {*why} else repr(why)
    return f"pytest.mark.skip(reason={text})"


def is_device(node: ast.expr) -> bool:
    """Whether an argument names a CPU, a GPU, an NPU, or what holds one of them."""
    if isinstance(node, ast.Constant):
        name = node.value if isinstance(node.value, str) else "" if node.value is None else "?"
        return name.partition(":")[0] in ("", "cpu", "cuda", "npu")
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func).endswith("device")
        return called and all(map(is_device, node.args[:1]))
    word = getattr(node, "attr", getattr(node, "id", ""))
    return isinstance(word, str) and word.lower().endswith("device")


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _is_of_device(node: ast.expr) -> bool:
    """`x.device.type == "npu"`, `x.is_cuda`."""
    sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node]
    for side in sides:
        inner = side.value if isinstance(side, ast.Attribute) and side.attr == "type" else side
        if isinstance(inner, ast.Attribute) and inner.attr in DEVICES:
            return True
    return False
