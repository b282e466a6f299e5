"""The files of an operator of a custom package: definition, tiling, kernel, json."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass

from porter.targets.torch_npu.routes.tiling import Attribute

_DEFINITION = """\
// {name}: what {source} computes, as an operator.
#include "{kernel}_tiling.h"

#include <algorithm>

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {{
{constants}
static ge::graphStatus TilingFunc(gert::TilingContext *context) {{
{tiling}
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}}

}}  // namespace optiling

namespace ge {{

static graphStatus InferShape(gert::InferShapeContext *context) {{
{shapes}
}}

static graphStatus InferDataType(gert::InferDataTypeContext *context) {{
{types}
    return GRAPH_SUCCESS;
}}

}}  // namespace ge

namespace ops {{

class {name} : public OpDef {{
public:
    explicit {name}(const char *name) : OpDef(name) {{
{parameters}
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }}
}};

OP_ADD({name});

}}  // namespace ops
"""
_DATA = """\
#pragma once
#include "register/tilingdata_base.h"

namespace optiling {{
BEGIN_TILING_DATA_DEF({name}TilingData)
{fields}
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS({name}, {name}TilingData)
}}  // namespace optiling
"""
_ENTRY = """\
#include "{header}"

extern "C" __global__ __aicore__ void {kernel}({parameters}, GM_ADDR workspace, GM_ADDR tiling) {{
    GET_TILING_DATA(data, tiling);
    {call}({arguments});
}}
"""
_JSON_TYPES = {
    "DT_FLOAT": "float",
    "DT_FLOAT16": "float16",
    "DT_BF16": "bfloat16",
    "DT_BOOL": "bool",
}


@dataclass(frozen=True, slots=True)
class Operand:
    """An input or output: its type in each combination, and of which input it has the shape."""

    name: str
    types: tuple[str, ...]
    like: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """An operator, as a file of `op_host` says it."""

    name: str  # AddCustom
    kernel: str  # add_custom
    source: str
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    attributes: tuple[Attribute, ...]
    fields: tuple[tuple[str, str, str], ...]  # of tiling data: type, name, value
    statements: tuple[str, ...]  # of the tiling function, before they are set
    constants: tuple[str, ...]
    blocks: str


def definition(made: Definition) -> str:
    lines = [
        *made.statements,
        f"{made.name}TilingData tiling;",
        *(f"tiling.set_{name}({value});" for _, name, value in made.fields),
        f"context->SetBlockDim(std::max<uint32_t>({made.blocks}, 1));  // 1 for no elements",
        "auto *data = context->GetRawTilingData();",
        "tiling.SaveToBuffer(data->GetData(), data->GetCapacity());",
        "data->SetDataSize(tiling.GetDataSize());",
    ]
    parameters = [
        *(_parameter("Input", each, "\n            .AutoContiguous()") for each in made.inputs),
        *(_parameter("Output", each, "") for each in made.outputs),
        *(
            f'        this->Attr("{a.name}").AttrType(REQUIRED).{a.kind}();'
            for a in made.attributes
        ),
    ]
    return _DEFINITION.format(
        name=made.name,
        kernel=made.kernel,
        source=made.source,
        constants="".join(f"\n{text}\n" for text in made.constants),
        tiling=_indent(lines, 4),
        shapes=_indent(_shapes(made), 4),
        types=_indent(_types(made), 4),
        parameters="\n".join(parameters),
    )


def tiling_data(made: Definition) -> str:
    fields = (f"TILING_DATA_FIELD_DEF({kind}, {name});" for kind, name, _ in made.fields)
    return _DATA.format(name=made.name, fields="\n".join(fields))


def entry(made: Definition, header: str, call: str, arguments: Sequence[str]) -> str:
    given = ", ".join(f"GM_ADDR {each.name}" for each in (*made.inputs, *made.outputs))
    return _ENTRY.format(
        header=header,
        kernel=made.kernel,
        parameters=given,
        call=call,
        arguments=", ".join(arguments),
    )


def description(made: Definition) -> str:
    """The same definition as msopgen takes it, which makes the package's build files."""

    def operand(each: Operand) -> dict[str, object]:
        types = [_JSON_TYPES.get(t, t.removeprefix("DT_").lower()) for t in each.types]
        formats = ["ND"] * len(types)
        return {"name": each.name, "param_type": "required", "format": formats, "type": types}

    attributes = [
        {"name": a.name, "param_type": "required", "type": a.kind.lower()} for a in made.attributes
    ]
    document: dict[str, object] = {
        "op": made.name,
        "language": "cpp",
        "input_desc": [operand(each) for each in made.inputs],
        "output_desc": [operand(each) for each in made.outputs],
    }
    if attributes:
        document["attr"] = attributes
    text = json.dumps([document], indent=4)
    lists = re.compile(r'\[\s+((?:"\w+",?\s+)+)\]')  # of words: on one line each
    return lists.sub(lambda m: "[" + " ".join(m[1].split()) + "]", text) + "\n"


def _parameter(kind: str, each: Operand, more: str) -> str:
    types = ", ".join(f"ge::{one}" for one in each.types)
    formats = ", ".join(["ge::FORMAT_ND"] * len(each.types))
    return (
        f'        this->{kind}("{each.name}")\n'
        "            .ParamType(REQUIRED)\n"
        f"            .DataType({{{types}}})\n"
        f"            .Format({{{formats}}}){more};"
    )


def _shapes(made: Definition) -> list[str]:
    untold = [each.name for each in made.outputs if each.like is None]
    if untold:
        return [
            f"// TODO(porter): the shape of {', '.join(untold)}, as the function that allocates it",
            "// has it; no graph can have this operator until then.",
            "return GRAPH_FAILED;",
        ]
    return [
        *(
            f"*context->GetOutputShape({k}) = *context->GetInputShape({each.like});"
            for k, each in enumerate(made.outputs)
        ),
        "return GRAPH_SUCCESS;",
    ]


def _types(made: Definition) -> list[str]:
    lines = []
    for k, each in enumerate(made.outputs):
        same = next((i for i, one in enumerate(made.inputs) if one.types == each.types), None)
        value = f"context->GetInputDataType({same})"
        if len(set(each.types)) == 1:
            value = each.types[0]
        elif same is None:
            lines.append("// TODO(porter): the types of the outputs, by those of the inputs.")
            return [*lines, "return GRAPH_FAILED;"]
        lines.append(f"context->SetOutputDataType({k}, {value});")
    return lines


def _indent(lines: Sequence[str], width: int) -> str:
    return "\n".join(f"{' ' * width}{line}" for line in lines)


def camel(name: str) -> str:
    """`add_direct_kernel` as `AddDirectCustom`: an ending of its own, so that it is none of the
    vendor's operators."""
    words = [word for word in name.split("_") if word]
    if words[-1:] == ["kernel"] and len(words) > 1:
        words.pop()
    text = "".join(word[:1].upper() + word[1:] for word in words)
    return text if text.endswith("Custom") else f"{text}Custom"


def folder_of(paths: Sequence[str], near: str) -> str:
    """The folder that has `op_kernel`: of the tree, else to be made beside the sources."""
    found = sorted({p.partition("/op_kernel/")[0] for p in paths if "/op_kernel/" in p})
    if found:
        return found[0]
    return posixpath.join(posixpath.dirname(posixpath.dirname(near)), "opp")
