"""Rewrite Python so that its operations are told to a recorder; stands alone.

Each call, operator, subscript and attribute stays in the frame it was written in: what looks at the
frame that asks finds the same file, line and function. Around it stand calls of `NAME`, which has
to be among the builtins:

    f(a, k=b)   ->  NAME.out(7, NAME.fn(7, f)(*NAME.args(7, (a,)), **NAME.named(7, {"k": b}, True)))
    x.t()       ->  NAME.out(8, NAME.fn(8, NAME.obj(8, x).t, True)())
    a + b       ->  NAME.out(9, NAME.obj(9, a) + NAME.args(9, (b,), True)[0])

The number is that of the site; `True` stands at what is evaluated last before the operation.
"""

from __future__ import annotations

import ast
import re
from typing import Any

NAME = "_porter_trace"
# of the interpreter, and of no tensor
PLAIN = {"super", "locals", "globals", "vars", "dir", "print", "range", "zip", "enumerate"}
# of decorators that read the function's own source
COMPILED = re.compile(r"\b(jit|script|prim_func|macro)\b")
IN_PLACE = {  # AugAssign operator -> how it is written
    ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Div: "/=", ast.FloorDiv: "//=",
    ast.Mod: "%=", ast.Pow: "**=", ast.MatMult: "@=", ast.BitAnd: "&=", ast.BitOr: "|=",
    ast.BitXor: "^=", ast.LShift: "<<=", ast.RShift: ">>=",
}  # fmt: skip
COMPARED = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def rewrite(data: bytes, path: str, sites: list[dict[str, Any]]) -> ast.Module:
    """The syntax tree of a file with its operations told; adds to `sites` what each number is.

    `path` is the file's name in the repository.
    """
    tree = ast.parse(data)
    _Rewriter(path, sites, read_imports(tree)).visit(tree)
    return ast.fix_missing_locations(tree)


def read_imports(tree: ast.AST) -> dict[str, str]:
    """What a file calls its imports: `F` -> torch.nn.functional."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                top = each.name.partition(".")[0]
                found[each.asname or top] = each.name if each.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for each in node.names:
                found[each.asname or each.name] = f"{node.module}.{each.name}"
    return found


def recorder_call(method: str, *arguments: ast.expr) -> ast.Call:
    """A call of the recorder."""
    function = ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load())
    return ast.Call(function, list(arguments), [])


class _Rewriter(ast.NodeTransformer):
    def __init__(self, path: str, sites: list[dict[str, Any]], imports: dict[str, str]) -> None:
        self.path = path
        self.sites = sites
        self.imports = imports
        self.inside: list[str] = []  # names of the functions and classes around

    def site(
        self, node: ast.expr | ast.stmt, kind: str, label: str, word: str, name: str = ""
    ) -> ast.Constant:
        """The number of a new site, as syntax."""
        self.sites.append(
            {
                "path": self.path,
                "line": node.lineno,
                "function": ".".join(self.inside),
                "kind": kind,
                "label": label if len(label) < 100 else label[:97] + "...",
                "word": word,
                "name": name,
            }
        )
        return ast.Constant(len(self.sites) - 1)

    def full_name(self, node: ast.AST) -> str:
        """`torch.nn.functional.relu` of what an import gave the name of; or nothing."""
        words = []
        while isinstance(node, ast.Attribute):
            words.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.imports:
            return ""
        return ".".join([self.imports[node.id], *reversed(words)])

    # ------------------------------------------------------------ what stays as it is

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return node  # annotations say nothing at run time

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.guard = node.guard and self.visit(node.guard)
        node.body = self.statements(node.body)
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST:
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        return node

    # ------------------------------------------------------------------ functions

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.inside.append(node.name)
        node.body = self.statements(node.body)
        self.inside.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        marks = [ast.unparse(each) for each in node.decorator_list]
        if any(COMPILED.search(mark) for mark in marks):
            return node
        node.args = self.visit(node.args)
        self.inside.append(node.name)
        docstring = node.body[:1] if ast.get_docstring(node) is not None else []
        body = self.statements(node.body[len(docstring) :])
        self.inside.pop()
        if body:
            error = ast.Name("_porter_error", ast.Load())
            raised = [ast.Expr(recorder_call("raised", error)), ast.Raise()]
            handler = ast.ExceptHandler(
                ast.Name("BaseException", ast.Load()), "_porter_error", raised
            )
            body = [ast.copy_location(ast.Try(body, [handler], [], []), body[0])]
        node.body = docstring + body
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def statements(self, body: list[ast.stmt]) -> list[Any]:
        found = []
        for each in body:
            new = self.visit(each)
            found += new if isinstance(new, list) else [new]
        return found

    # ----------------------------------------------------------------- operations

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in PLAIN:
            return self.generic_visit(node)
        label = ast.unparse(node.func)
        called = node.func.value if isinstance(node.func, ast.Subscript) else node.func
        word = ast.unparse(called).rpartition(".")[2]
        site = self.site(node, "call", label, word, self.full_name(node.func))
        function: ast.expr = node.func
        if isinstance(function, ast.Attribute):
            if not self.full_name(function):
                function.value = recorder_call("obj", site, self.visit(function.value))
        else:
            function = self.visit(function)
        arguments = [self.visit(each) for each in node.args]
        names = [ast.Constant(each.arg) if each.arg else None for each in node.keywords]
        values = [self.visit(each.value) for each in node.keywords]
        function = recorder_call("fn", site, function, ast.Constant(not arguments and not values))
        call = ast.Call(function, [], [])
        if arguments:
            given = ast.Tuple(arguments, ast.Load())
            passed = recorder_call("args", site, given, ast.Constant(not values))
            call.args = [ast.Starred(passed, ast.Load())]
        if values:
            named = recorder_call("named", site, ast.Dict([*names], values), ast.Constant(True))
            call.keywords = [ast.keyword(None, named)]
        return ast.copy_location(recorder_call("out", site, call), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or self.full_name(node):
            return self.generic_visit(node)
        site = self.site(node, "attribute", ast.unparse(node), node.attr)
        node.value = recorder_call("obj", site, self.visit(node.value), ast.Constant(True))
        return ast.copy_location(recorder_call("out", site, node), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or self.full_name(node.value):
            return self.generic_visit(node)
        site = self.site(node, "subscript", ast.unparse(node), "[]")
        node.value = recorder_call("obj", site, self.visit(node.value))
        node.slice = self.one(site, self.index(node.slice))
        return ast.copy_location(recorder_call("out", site, node), node)

    def index(self, node: ast.expr) -> Any:
        """An index as a value: slices have syntax of their own in brackets."""
        if isinstance(node, ast.Slice):
            ends = [each or ast.Constant(None) for each in (node.lower, node.upper, node.step)]
            return recorder_call("slice", *map(self.visit, ends))
        if isinstance(node, ast.Tuple):
            return ast.Tuple([self.index(each) for each in node.elts], ast.Load())
        return self.visit(node)

    def one(self, site: ast.Constant, value: Any, last: bool = True) -> ast.Subscript:
        """A value that is told and given on."""
        given = recorder_call("args", site, ast.Tuple([value], ast.Load()), ast.Constant(last))
        return ast.Subscript(given, ast.Constant(0), ast.Load())

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            return node
        word = IN_PLACE[type(node.op)][:-1]
        site = self.site(node, "operator", ast.unparse(node), word)
        node.left = recorder_call("obj", site, self.visit(node.left))
        node.right = self.one(site, self.visit(node.right))
        return ast.copy_location(recorder_call("out", site, node), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.Not) or isinstance(node.operand, ast.Constant):
            return self.generic_visit(node)
        word = {ast.USub: "-x", ast.UAdd: "+x", ast.Invert: "~x"}[type(node.op)]
        site = self.site(node, "operator", ast.unparse(node), word)
        node.operand = recorder_call("obj", site, self.visit(node.operand), ast.Constant(True))
        return ast.copy_location(recorder_call("out", site, node), node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) > 1 or type(node.ops[0]) not in COMPARED:
            return self.generic_visit(node)
        site = self.site(node, "operator", ast.unparse(node), COMPARED[type(node.ops[0])])
        node.left = recorder_call("obj", site, self.visit(node.left))
        node.comparators = [self.one(site, self.visit(node.comparators[0]))]
        return ast.copy_location(recorder_call("out", site, node), node)

    # ----------------------------------------------------------------- statements

    def visit_Assign(self, node: ast.Assign) -> Any:
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Subscript):
            site = self.site(node, "store", ast.unparse(target), "[]=")
            node.value = self.one(site, self.visit(node.value), last=False)
            target.value = recorder_call("obj", site, self.visit(target.value))
            target.slice = self.one(site, self.index(target.slice))
            return [
                node,
                ast.copy_location(ast.Expr(recorder_call("out", site, ast.Constant(None))), node),
            ]
        names = ", ".join(map(ast.unparse, node.targets))
        node.value = self.value(node, self.visit(node.value), names)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        target, word = node.target, IN_PLACE[type(node.op)]
        if not isinstance(target, ast.Name):
            node.value = self.visit(node.value)
            return node
        site = self.site(node, "operator", ast.unparse(node), word)
        name = ast.Name(target.id, ast.Load())
        node.value = self.one(site, self.visit(node.value))
        before = ast.Expr(recorder_call("obj", site, name))
        after = ast.Expr(recorder_call("out", site, name))
        return [ast.copy_location(before, node), node, ast.copy_location(after, node)]

    def visit_Try(self, node: ast.Try | ast.TryStar) -> ast.AST:
        self.generic_visit(node)
        for handler in node.handlers:
            handler.body.insert(
                0, ast.copy_location(ast.Expr(recorder_call("caught")), handler.body[0])
            )
        return node

    visit_TryStar = visit_Try

    def visit_With(self, node: ast.With) -> list[ast.AST]:
        self.generic_visit(node)  # it may keep an exception to itself
        return [node, ast.copy_location(ast.Expr(recorder_call("caught")), node)]

    def visit_If(self, node: ast.If | ast.While) -> ast.AST:
        label = f"{type(node).__name__.lower()} {ast.unparse(node.test)}"
        node.test = self.value(node, self.visit(node.test), label)
        node.body = self.statements(node.body)
        node.orelse = self.statements(node.orelse)
        return node

    visit_While = visit_If

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        label = ast.unparse(node)
        self.generic_visit(node)
        node.test = self.value(node, node.test, label)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None:
            node.value = self.value(node, self.visit(node.value), "return")
        return node

    def value(self, node: ast.expr | ast.stmt, value: Any, label: str) -> Any:
        """What the repository's own Python came to."""
        if isinstance(value, (ast.Constant, ast.Lambda)):
            return value
        site = self.site(node, "value", label, "=")
        return ast.copy_location(recorder_call("value", site, value), value)
