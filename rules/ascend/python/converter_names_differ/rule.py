"""`custom_op("AddCustom", inputs={"x": x}, outputs=["out"])` of an operator whose output is z."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Safety


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    known = {s.operator: s for s in facts.ascend.signatures} if facts.ascend else {}
    for call in module.nodes_of(ast.Call):
        signature = known.get(_operator(call))
        if signature is None:
            continue
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        outputs, inputs = given.get("outputs"), given.get("inputs")
        if isinstance(outputs, ast.List | ast.Tuple):
            names = _texts(outputs.elts)
            if names is not None and tuple(names) != signature.outputs:
                edits = tuple(_rename(module, outputs.elts, signature.outputs))
                said = _message("output", signature.operator, signature.outputs, names)
                safety = None if edits else Safety.MANUAL
                yield Match(module.span(outputs), edits, said, safety)
        if isinstance(inputs, ast.Dict):
            names = _texts(inputs.keys)
            if names is not None and not set(names) <= set(signature.inputs):
                said = _message("input", signature.operator, signature.inputs, names)
                yield Match(module.span(inputs), message=said, safety=Safety.MANUAL)


def _operator(call: ast.Call) -> str:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    match call.args:
        case [ast.Constant(value=str(operator))] if name == "custom_op":
            return operator
    return ""


def _texts(nodes: list[ast.expr] | list[ast.expr | None]) -> list[str] | None:
    texts = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return texts if len(texts) == len(nodes) else None


def _message(what: str, operator: str, names: tuple[str, ...], own: list[str]) -> str:
    many = f"the {what}s of {operator} are" if len(names) != 1 else f"the {what} of {operator} is"
    return (
        f"{many} {', '.join(names)}; the node has {', '.join(own)}, and no graph is built with it"
    )


def _rename(module: Module, nodes: list[ast.expr], names: tuple[str, ...]) -> Iterator[Edit]:
    """Outputs go by their order: as many of them are those that are meant."""
    if len(nodes) != len(names):
        return
    for node, name in zip(nodes, names, strict=True):
        if isinstance(node, ast.Constant) and node.value != name:
            yield module.replace(node, f'"{name}"')
