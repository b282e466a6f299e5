"""What the stubs of torch/_C say, which name what a CPU build lacks."""

from __future__ import annotations

import ast
import inspect
import os
import re
import sys
from typing import Any

DOCUMENTED = re.compile(
    r"(?P<name>[\w.]+)\((?P<parameters>.+?)\)\s*->\s*(?P<returns>\w*)", re.DOTALL
)


def stub_signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The same of a function in a .pyi file, with ` -> Tensor` where the stub says so."""
    function = ast.parse("def f(): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    function.args = node.args
    for arg in ast.walk(node.args):
        if isinstance(arg, ast.arg):
            arg.annotation = None
    for values in (node.args.defaults, node.args.kw_defaults):
        for index, value in enumerate(values):
            plain = isinstance(value, ast.Constant) and len(repr(value.value)) <= 20
            if value is not None and not plain:
                values[index] = ast.Constant(...)
    text = "(" + ast.unparse(node.args) + ")"
    returns = ast.unparse(node.returns) if node.returns is not None else ""
    return f"{text} -> Tensor" if returns.strip("'\"") == "Tensor" else text


def stubs(folder: str) -> dict[str, list[Any]]:
    """Names in the .pyi files of torch/_C, which hold what a CPU build lacks: name -> entry."""
    out: dict[str, list[Any]] = {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".pyi"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        stem = name[:-4]
        module = "torch._C" if stem == "__init__" else f"torch._C.{stem}"
        read_stub(tree.body, module, out, depth=0)
    return out


def read_stub(body: list[ast.stmt], prefix: str, out: dict[str, list[Any]], depth: int) -> None:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = f"{prefix}.{node.name}"
            kind = "function" if depth == 0 else "member"
            if any(ast.unparse(d) == "property" for d in node.decorator_list):
                out.setdefault(name, ["attribute", []])
                continue
            entry = out.setdefault(name, [kind, []])
            text = stub_signature(node)
            if text not in entry[1]:
                entry[1].append(text)
        elif isinstance(node, ast.ClassDef):
            out.setdefault(f"{prefix}.{node.name}", ["class", []])
            if depth == 0:
                read_stub(node.body, f"{prefix}.{node.name}", out, 1)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            out.setdefault(f"{prefix}.{node.target.id}", ["attribute", []])


def merge_stubs(out: dict[str, list[Any]], stub: dict[str, list[Any]]) -> None:
    """Add what the stubs know to the public aliases: torch.*, torch.Tensor.*, torch._C.*."""
    for name, (kind, signatures) in stub.items():
        for private, public in (
            ("torch._C._VariableFunctions.", "torch."),
            ("torch._C.TensorBase.", "torch.Tensor."),
            ("torch._C._nn.", "torch._C._nn."),
            ("torch._C.", "torch._C."),
        ):
            if not name.startswith(private):
                continue
            rest = name[len(private) :]
            if private != "torch._C." and "." in rest:
                break
            if rest.startswith("__"):
                break
            if public == "torch.Tensor." and rest.startswith("_"):
                break
            if public == "torch." and f"torch.{rest}" not in out:
                break
            target = public + rest
            if target in out and out[target][1] and "args" not in out[target][1][0]:
                break
            if target in out:
                out[target][1] = signatures[:4]
            else:
                out[target] = [kind, signatures[:4]]
            break


def add_builtin_signatures(out: dict[str, list[Any]], stub: dict[str, list[Any]]) -> None:
    """Signatures for public classes and functions that are torch._C's own objects."""
    for name, entry in out.items():
        if entry[1] or name.startswith("torch._C"):
            continue
        last = name.rpartition(".")[2]
        known = stub.get(f"torch._C.{last}") or stub.get(f"torch._C._VariableFunctions.{last}")
        prefix = name.rpartition(".")[0]
        if known and entry[0] == "function" and prefix in ("torch", "torch.nn.functional"):
            entry[1] = known[1][:4]


def add_documented_signatures(out: dict[str, list[Any]]) -> None:
    """Signatures for functions in C++ of modules whose names no stub has, such as torch.linalg."""
    for name, entry in out.items():
        module, _, last = name.rpartition(".")
        if entry != ["function", []] or name.startswith("torch._C"):
            continue
        value = getattr(sys.modules.get(module), last, None)
        text = documented(value) if inspect.isbuiltin(value) else ""
        entry[1] = [text] if text else []


def documented(value: Any) -> str:
    """The signature that the documentation of a function begins with; not of those that pybind
    documents, with types."""
    name = str(value.__name__).rpartition("_")[2]
    match = DOCUMENTED.match((value.__doc__ or "").strip())
    if match is None or not match["name"].endswith(name) or ":" in match["parameters"]:
        return ""
    try:
        function = ast.parse(f"def f({match['parameters']}): ...").body[0]
    except SyntaxError:
        return ""
    assert isinstance(function, ast.FunctionDef)
    return stub_signature(function) + " -> Tensor" * (match["returns"] == "Tensor")
