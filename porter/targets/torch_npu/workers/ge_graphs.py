"""Graphs that torchair builds for the graph engine (GE): their nodes, and what is wrong with them.

Operators are as REG_OP declares them: in `op_proto/inc` of custom operator packages, and in
torchair's wheel for the vendor's own. Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import dataclasses
import functools
import glob
import inspect
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any


@dataclasses.dataclass(frozen=True)
class Kind:
    """A type of attributes: torchair's name for it, and where the protocol buffer has it."""

    tag: str
    field: str
    list_type: int = 0


KINDS = {
    "Int": Kind("VT_INT", "i"),
    "Float": Kind("VT_FLOAT", "f"),
    "Bool": Kind("VT_BOOL", "b"),
    "String": Kind("VT_STRING", "s"),
    "Type": Kind("VT_DATA_TYPE", "dt"),
    "ListInt": Kind("VT_LIST_INT", "list", 2),
    "ListFloat": Kind("VT_LIST_FLOAT", "list", 3),
    "ListBool": Kind("VT_LIST_BOOL", "list", 4),
    "ListString": Kind("VT_LIST_STRING", "list", 0),
    "ListType": Kind("VT_LIST_DATA_TYPE", "list", 10),
    "ListListInt": Kind("VT_LIST_LIST_INT", "list_list_int"),
    "ListListFloat": Kind("VT_LIST_LIST_FLOAT", "list_list_float"),
    "Tensor": Kind("VT_TENSOR", "t"),
}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """An input or output (`option`: required, optional, dynamic; the types it may have, none for
    any), or an attribute (`kind`, and `default` as it is written where there is one)."""

    name: str
    option: str
    types: tuple[str, ...] = ()
    kind: str = ""
    default: str = ""


@dataclasses.dataclass(frozen=True)
class Prototype:
    """An operator as REG_OP declares it; `library` is its package's, none for the vendor's own."""

    name: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    attributes: tuple[Parameter, ...]
    library: str = ""


_PART = re.compile(
    r"\.\s*(?:(OPTIONAL_|DYNAMIC_|)(INPUT|OUTPUT)|(REQUIRED_|)ATTR)\s*\(\s*(\w+)\s*,\s*([^\n]*)\)"
)


def parse(text: str, name: str, library: str = "") -> Prototype | None:
    """The prototype of one operator in a text with REG_OP, or None."""
    begin = re.search(rf"\bREG_OP\s*\(\s*{re.escape(name)}\s*\)", text)
    if begin is None:
        return None
    end = re.compile(r'OP_END_FACTORY_REG|"""|\bREG_OP\b').search(text, begin.end())
    # A declaration may go over lines; its end is a parenthesis before the next point.
    said = text[begin.end() : end.start() if end else len(text)].replace("\\n", "")
    said = re.sub(r"\n\s*(?=\.)", "\0", re.sub(r"//[^\n]*", "", said))
    said = said.replace("\n", " ").replace("\0", "\n")
    inputs: list[Parameter] = []
    outputs: list[Parameter] = []
    attributes: list[Parameter] = []
    for prefix, which, required, own, rest in _PART.findall(said):
        if which:
            option = {"": "required", "OPTIONAL_": "optional", "DYNAMIC_": "dynamic"}[prefix]
            listed = re.fullmatch(r"TensorType\(\{([\w\s,]*)\}\)", rest.strip())
            types = tuple(each.strip() for each in listed[1].split(",")) if listed else ()
            if not all(each.startswith("DT_") for each in types):
                types = ()
            (inputs if which == "INPUT" else outputs).append(Parameter(own, option, types))
        else:
            kind, _, default = rest.partition(",")
            option = "required" if required else "optional"
            attributes.append(Parameter(own, option, (), kind.strip(), default.strip()))
    return Prototype(name, tuple(inputs), tuple(outputs), tuple(attributes), library)


def packages() -> list[str]:
    """The custom operator packages, in the order in which the runtime looks."""
    folders = os.environ.get("ASCEND_CUSTOM_OPP_PATH", "").split(":")
    vendors = os.path.join(os.environ.get("ASCEND_OPP_PATH", ""), "vendors")
    told = os.path.join(vendors, "config.ini")
    if os.path.isfile(told):
        with open(told) as file:
            for line in file:
                if line.startswith("load_priority="):
                    names = line.strip().partition("=")[2].split(",")
                    folders += [os.path.join(vendors, name) for name in names]
    return [folder for folder in folders if folder]


@functools.lru_cache(None)
def prototype(name: str, vendors: bool = True) -> Prototype | None:
    """An operator's prototype: of a package, else of the vendor's as torchair's wheel has them."""
    for folder in packages():
        library = os.path.join(folder, "op_api", "lib", "libcust_opapi.so")
        for path in sorted(glob.glob(os.path.join(folder, "op_proto", "inc", "*.h"))):
            with open(path, encoding="utf-8", errors="replace") as file:
                found = parse(file.read(), name, library)
            if found is not None:
                return found
    for text in _vendors() if vendors else ():
        found = parse(text, name)
        if found is not None:
            return found
    return None


@functools.lru_cache(None)
def _vendors() -> tuple[str, ...]:
    """Where torchair's own wheel says what the vendor's operators are."""
    import torchair

    folder = os.path.dirname(torchair.__file__)
    texts = []
    for name in ("auto_generated_ge_raw_ops", "dynamic_output_ops"):
        path = os.path.join(folder, "_ge_concrete_graph", f"{name}.py")
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    with open(os.path.join(folder, "ge", "_ge_graph.py"), encoding="utf-8") as file:
        texts.append(file.read())
    return tuple(texts)


# What is not declared by REG_OP: the graph's ends, and constants.
ENDS = ("Data", "RefData", "NetOutput", "Const")


def targets(ops: list[Any]) -> list[str]:
    """Which operator of torch's each node is of: its converter names what it returns, and the nodes
    that it made before that stand before."""
    found, name = [], ""
    for op in reversed(ops):
        for each in op.output_desc:
            told = each.attr["_fx_tensor_name"].s.decode() if "_fx_tensor_name" in each.attr else ""
            name = told.rpartition(".OUTPUT.")[0].partition("-")[2] or name
        if op.type in ENDS:
            found.append("")
        else:
            found.append(name)
    return found[::-1]


def converter(target: str) -> Any:
    """The converter of an operator of torch's ('space.name.overload'): its function, or None."""
    import torch

    found = torch.ops
    for part in target.split("."):
        found = getattr(found, part, None)
    made = getattr(found, "_ge_converter", None)
    return None if made is None else inspect.unwrap(made)


def where(target: str) -> str:
    """Who is to blame for a node, for people to read."""
    made = converter(target) if target else None
    if made is None:
        return f"{target}: " if target else ""
    code = made.__code__
    return f"{target}, converter {made.__name__} at {code.co_filename}:{code.co_firstlineno}: "


def is_of_wheel(function: Any) -> bool:
    """Whether a converter is torchair's own."""
    import torchair

    path: str = function.__code__.co_filename
    return path.startswith(os.path.dirname(torchair.__file__))


def nodes(ops: list[Any]) -> list[dict[str, Any]]:
    """The nodes but for inputs, constants and the end, as plain data."""
    owners = targets(ops)
    return [_node(op, t) for op, t in zip(ops, owners, strict=True) if op.type not in ENDS]


def _node(op: Any, target: str) -> dict[str, Any]:
    from torchair._ge_concrete_graph.ge_ir_pb2 import DataType

    sources = [name for name in op.input if not name.endswith(":-1")]
    attributes = {name: plain(value) for name, value in op.attr.items() if name[0] != "_"}
    return {
        "type": op.type,
        "name": op.name,
        "operator": target,
        "inputs": [
            {"name": each.name, "from": name, "type": DataType.Name(each.dtype)}
            for name, each in zip(sources, op.input_desc, strict=True)
        ],
        "attributes": attributes,
        "outputs": [
            {"name": each.name, "type": DataType.Name(each.dtype), "meta": meta_shape(each)}
            for each in op.output_desc
        ],
    }


def meta_shape(description: Any) -> list[int] | None:
    """The shape that the meta function gave, as torchair writes it; None where it has symbols."""
    said = description.attr["_meta"].s.decode() if "_meta" in description.attr else ""
    found = re.search(r"torch\.Size\(\[([\d, ]*)\]\)", said)
    return [int(each) for each in found[1].split(",") if each.strip()] if found else None


def plain(value: Any) -> Any:
    field = value.WhichOneof("value")
    if field == "s":
        return value.s.decode(errors="replace")
    if field == "list":
        names = {0: "s", 2: "i", 3: "f", 4: "b", 10: "dt"}
        values = list(getattr(value.list, names.get(value.list.val_type, "i")))
        return [v.decode(errors="replace") if isinstance(v, bytes) else v for v in values]
    if field == "list_list_int":
        return [list(each.list_i) for each in value.list_list_int.list_list_i]
    if field in ("i", "f", "b", "dt"):
        return getattr(value, field)
    return f"<{field}>"


# Checks.


def problems(op: Any, target: str) -> Iterator[str]:
    """What is wrong with a node that is of no converter of torchair's own."""
    made = converter(target) if target else None
    known = None if op.type in ENDS else prototype(op.type)
    if op.type in ENDS or (made is not None and is_of_wheel(made)):
        return
    if known is None:
        yield f"unknown operator {op.type}: no package in ASCEND_CUSTOM_OPP_PATH declares it"
        return
    yield from _check_names("input", op.type, list(_inputs(op, known)), known.inputs)
    yield from _check_types("input", op.type, _inputs(op, known), known.inputs)
    given = [(each.name, each) for each in op.output_desc]
    expected = [each.name for each in known.outputs]
    names = [_parameter(name, known.outputs) for name, _ in given]
    if list(dict.fromkeys(names)) != expected:
        said = ", ".join(name for name, _ in given) or "none"
        yield f"its outputs are {said}; those of {op.type} are {', '.join(expected) or 'none'}"
    else:
        yield from _check_types("output", op.type, dict(given), known.outputs)
    yield from _attributes(op, known)


def _inputs(op: Any, known: Prototype) -> dict[str, Any]:
    return {each.name: each for each in op.input_desc}


def _parameter(name: str, parameters: Iterable[Parameter]) -> str:
    """The parameter that a name in a node is of: x0, x1 are of a dynamic x."""
    for each in parameters:
        if name == each.name:
            return each.name
        if each.option == "dynamic" and re.fullmatch(rf"{re.escape(each.name)}\d+", name):
            return each.name
    return name


def _check_names(
    kind: str, operator: str, names: list[str], parameters: tuple[Parameter, ...]
) -> Iterator[str]:
    known = [each.name for each in parameters]
    given = list(dict.fromkeys(_parameter(name, parameters) for name in names))
    for name in given:
        if name not in known:
            said = ", ".join(known) or "none"
            yield f"`{name}` is no {kind} of {operator}, which has {said}"
    if set(given) - set(known):
        return
    for each in parameters:
        if each.option == "required" and each.name not in given:
            yield f"{kind} `{each.name}` of {operator} is missing"
        if each.option == "optional" and each.name not in given:
            yield f"optional {kind} `{each.name}` of {operator} is omitted: pass None for it"
    if [name for name in known if name in given] != given:
        yield f"its {kind}s are in the order {', '.join(given)}; {operator} has {', '.join(known)}"


def _check_types(
    kind: str, operator: str, given: dict[str, Any], parameters: tuple[Parameter, ...]
) -> Iterator[str]:
    from torchair._ge_concrete_graph.ge_ir_pb2 import DataType

    for name, description in given.items():
        own = _parameter(name, parameters)
        types = next((each.types for each in parameters if each.name == own), ())
        option = next((each.option for each in parameters if each.name == own), "")
        unfed = "_is_unfed_optional" in description.attr
        if unfed and option == "required":
            yield f"required {kind} `{name}` of {operator} is None"
        type_ = DataType.Name(description.dtype)
        if types and not unfed and type_ not in types:
            yield f"{kind} `{name}` is {type_}; {operator} takes {', '.join(types)}"


def _attributes(op: Any, known: Prototype) -> Iterator[str]:
    kinds = {each.name: each for each in known.attributes}
    for name, value in op.attr.items():
        if name.startswith("_") or name in ("input_layout_info", "output_layout_info"):
            continue  # torchair's own
        if name not in kinds:
            said = ", ".join(kinds) or "none"
            yield f"`{name}` is not an attribute of {op.type}, which has {said}"
            continue
        kind = KINDS.get(kinds[name].kind)
        field = value.WhichOneof("value")
        if kind and (field, value.list.val_type if field == "list" else 0) != (
            kind.field,
            kind.list_type,
        ):
            own = next((n for n, k in KINDS.items() if k.field == field), field)
            yield f"attribute `{name}` is given as {own}; {op.type} declares {kinds[name].kind}"
    for each in known.attributes:
        if each.option == "required" and each.name not in op.attr:
            yield f"required attribute `{each.name}` of {op.type} is missing"
