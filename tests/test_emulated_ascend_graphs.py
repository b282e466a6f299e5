"""torchair's graph mode on the emulated NPU: graphs that converters build, and what is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from porter.build import ascend_emulation, environment
from porter.emulators.npu.package import build_package
from porter.errors import EnvironmentFailed
from porter.targets.protocol import Environment
from porter.targets.torch_npu.graph import Examined, Node, differences, examine
from porter.targets.torch_npu.workers import ge_graphs
from tests.conftest import CACHE
from tests.system import need

DATA = Path(__file__).parent / "data" / "emulated_ascend"
OPERATORS = DATA / "graph_operators.py"


def axpy(**other: Any) -> Node:
    """The node that a right converter builds."""
    said: dict[str, Any] = {
        "inputs": (("x", "DT_FLOAT"), ("y", "DT_FLOAT")),
        "attributes": {"alpha": 2.5},
        "outputs": (("z", "DT_FLOAT"),),
        "shapes": ((3, 5),),
    }
    return Node(type="AxpyCustom", **{**said, **other})


def test_a_graph_is_compared_node_by_node() -> None:
    assert differences([axpy()], [axpy(attributes={"alpha": 2.5})]) == ()
    assert differences([axpy(attributes={"alpha": 0.1})], [axpy(attributes=None)]) == ()
    narrow = {"alpha": 0.10000000149011612}
    assert differences([axpy(attributes=narrow)], [axpy(attributes={"alpha": 0.1})]) == ()
    assert differences([axpy()], [axpy(outputs=(("z", None),), shapes=())]) == ()
    assert differences([axpy()], [axpy(), axpy()]) == (
        "the nodes are AxpyCustom, expected AxpyCustom, AxpyCustom",
    )
    wrong = axpy(
        inputs=(("y", "DT_FLOAT"), ("x", "DT_FLOAT")),
        attributes={"alpha": 1.0},
        outputs=(("z", "DT_FLOAT16"),),
        shapes=((3,),),
    )
    assert differences([axpy()], [wrong]) == (
        "AxpyCustom: its inputs are x, y, expected y, x",
        "AxpyCustom: `z` is DT_FLOAT, expected DT_FLOAT16",
        "AxpyCustom: its attributes are {'alpha': 2.5}, expected {'alpha': 1.0}",
        "AxpyCustom: its shapes are ((3, 5),), expected ((3,),)",
    )


def test_prototypes_are_read_as_packages_declare_them() -> None:
    text = (DATA / "declared" / "op_proto" / "inc" / "op_proto.h").read_text()
    found = ge_graphs.parse(text, "PickCustom")
    assert found is not None
    floats = ("DT_FLOAT16", "DT_FLOAT")
    assert [(p.name, p.option, p.types) for p in found.inputs] == [
        ("x", "required", floats),
        ("bias", "optional", floats),
    ]
    assert [(p.name, p.option, p.kind, p.default) for p in found.attributes] == [
        ("axes", "optional", "ListInt", "{0, 1}"),
        ("keep", "required", "Bool", ""),
    ]
    assert ge_graphs.parse(text, "Pick") is None


# With torch_npu.

TENSOR = {"shape": [3, 5]}
HALF = {"shape": [3, 5], "type": "float16"}
ONE = ("pick", "vendors", "refused", "optional_left_out", "attribute_required")
TWO = ("outputs_of_two", "other_default", "no_default", "no_parameter")
FAULTS = {  # -> what is said, of which kind
    "meta_misnamed": (
        "converter: parameter `meta_output` is not an argument of the schema: torchair passes "
        "`meta_outputs`",
        "graph: AttributeError: 'NoneType' object has no attribute 'dtype'",
    ),
    "attribute_misnamed": ("graph: `alpah` is not an attribute of AxpyCustom, which has alpha",),
    "attribute_kind": ("graph: attribute `alpha` is given as Int; AxpyCustom declares Float",),
    "attribute_plain": ("graph: AssertionError: Invalid attr 'alpha' type:float vs expect",),
    "attribute_ignored": ("values: output 0 of the graph differs from eager mode: Tensor-likes",),
    "attribute_required": ("graph: required attribute `keep` of PickCustom is missing",),
    "output_misnamed": ("graph: its outputs are out; those of AxpyCustom are z",),
    "output_too_many": ("graph: its outputs are z, w; those of AxpyCustom are z",),
    "outputs_of_two": ("graph: its converter returns one output, the operator 2 outputs",),
    "input_misnamed": ("graph: `b` is no input of AxpyCustom, which has x, y",),
    "input_missing": ("graph: input `y` of AxpyCustom is missing",),
    "inputs_exchanged": ("values: output 0 of the graph differs from eager mode: Tensor-likes",),
    "inputs_out_of_order": ("graph: its inputs are in the order y, x; AxpyCustom has x, y",),
    "optional_left_out": (
        "graph: optional input `bias` of PickCustom is omitted: pass None for it",
    ),
    "unknown_operator": ("graph: RuntimeError: No AscendIR AxpyCustomized was found",),
    "other_default": (
        "converter: the default of `alpha` is 1.0 in the schema and 2.0 in the converter",
        "values: output 0 of the graph differs from eager mode: Tensor-likes",
    ),
    "no_default": (
        "converter: argument `alpha` is omitted if it is 1.0, but parameter `alpha` has no default",
        "graph: TypeError: no_default() missing 1 required positional argument: 'alpha'",
    ),
    "no_parameter": ("converter: argument `alpha` of the schema has no parameter of its name",),
    "wrong_type": ("graph: aclnnAxpyCustom rejects the arguments of the graph: emulated NPU: ",),
    "meta_type": (
        "meta: type of output 0: float16 by the meta function, float32 eager",
        "graph: output `z` is DT_FLOAT16; AxpyCustom takes DT_FLOAT",
    ),
    "meta_shape": (
        "meta: shape of output 0: [3] by the meta function, [3, 5] eager",
        "graph: InferShape of AxpyCustom returns [3, 5] for z, but the meta function returns [3]",
    ),
    "raises": ("graph: KeyError: 2.5",),
}
RIGHT = ("right", "by_position", "two_nodes", "pick", "vendors", "refused", "axpy_custom")


def case(name: str, **other: Any) -> dict[str, Any]:
    args = [TENSOR] if name in ONE else [TENSOR, TENSOR] if name in TWO else [TENSOR, TENSOR, 2.5]
    said = {"operator": f"graphs::{name}", "args": args}
    if name == "two_nodes":
        said |= {"args": [HALF, HALF], "kwargs": {"alpha": 2.0}}
    return {**said, **other}


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    need("g++")
    made = environment.overlay(
        ascend_emulation.base(home=CACHE), tmp_path_factory.mktemp("npu") / "cell"
    )
    ascend_emulation.install(made, CACHE)
    return made


@pytest.fixture(scope="module")
def packages(cell: Environment, tmp_path_factory: pytest.TempPathFactory) -> str:
    """One that is built, and one that is declared only."""
    vendor = tmp_path_factory.mktemp("axpy") / "vendor"
    own = ascend_emulation.folder(cell, CACHE)
    source = DATA / "axpy"
    build_package([source / "op_host" / "axpy_custom.cpp"], source / "op_kernel", vendor, own)
    return f"{vendor}:{DATA / 'declared'}"


@pytest.fixture(scope="module")
def examined(
    cell: Environment, packages: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Examined]:
    """All of them, in one process."""
    cases = [case(name) for name in (*RIGHT, *FAULTS)]
    cases += [case("right", dynamic=True), {**case("right"), "args": [{"shape": [4]}, TENSOR]}]
    work = tmp_path_factory.mktemp("graphs")
    kept = work / "kept"
    variables = {"ASCEND_CUSTOM_OPP_PATH": packages, "PORTER_EMULATED_GRAPHS": str(kept)}
    found = examine(
        cell.python, ["graph_operators"], cases, work, path=[DATA], environment=variables
    )
    first = json.loads(kept.read_text().splitlines()[0])
    assert [node["type"] for node in first["nodes"]] == ["AxpyCustom"], "graphs are kept when asked"
    names = [*RIGHT, *FAULTS, "dynamic", "not_eager"]
    return dict(zip(names, found, strict=True))


@pytest.mark.real
@pytest.mark.long
def test_right_converters_build_the_graph_that_is_expected(examined: dict[str, Examined]) -> None:
    for name in RIGHT:
        assert examined[name].problems == (), name
    for name in ("right", "by_position", "axpy_custom"):
        (graph,) = examined[name].graphs
        assert differences(graph, [axpy()]) == ()
        assert graph[0].operator == f"graphs.{name}.default"
        assert examined[name].ran == "yes", "by the package's kernel, and equal to eager"
    assert "has no converter" in examined["axpy_custom"].notes[0]
    (graph,) = examined["two_nodes"].graphs
    assert [node.type for node in graph] == ["Cast", "Cast", "AxpyCustom", "Cast"]
    assert graph[3].outputs == (("y", "DT_FLOAT16"),)
    assert examined["two_nodes"].ran == "yes"


@pytest.mark.real
@pytest.mark.long
def test_a_graph_of_what_is_only_declared_is_built_and_does_not_run(
    examined: dict[str, Examined],
) -> None:
    (graph,) = examined["pick"].graphs
    expected = Node(
        type="PickCustom",
        inputs=(("x", "DT_FLOAT"), ("bias", "DT_UNDEFINED")),
        attributes={"axes": [0, -1], "keep": True},
        outputs=(("y", "DT_FLOAT"),),
    )
    assert differences(graph, [expected]) == ()
    assert "node PickCustom: PickCustom is declared, and its package has no" in examined["pick"].ran


@pytest.mark.real
@pytest.mark.long
def test_some_of_the_vendors_nodes_run_and_others_are_refused_by_name(
    examined: dict[str, Examined],
) -> None:
    (graph,) = examined["vendors"].graphs
    assert [node.type for node in graph] == ["Relu", "Mul", "Adds"]
    assert examined["vendors"].ran == "yes"
    (graph,) = examined["refused"].graphs
    assert [node.type for node in graph] == ["SoftmaxV2"]
    assert "SoftmaxV2 is not emulated in graphs: the graph is built, not run" in (
        examined["refused"].ran
    )


@pytest.mark.real
@pytest.mark.long
def test_sizes_may_be_symbols(examined: dict[str, Examined]) -> None:
    found = examined["dynamic"]
    assert found.problems == () and found.ran == "yes"
    assert [node.type for node in found.graphs[0]] == ["AxpyCustom"]
    assert found.graphs[0][0].shapes == (None,)


@pytest.mark.real
@pytest.mark.long
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_names_the_operator_and_the_place(examined: dict[str, Examined], name: str) -> None:
    found = examined[name].problems
    assert len(found) == len(FAULTS[name]), found
    for problem, expected in zip(found, FAULTS[name], strict=True):
        kind, _, text = expected.partition(": ")
        assert problem.kind == kind
        assert problem.text.startswith(f"graphs.{name}.default") and text in problem.text
        assert problem.path == str(OPERATORS)
        lines = OPERATORS.read_text().splitlines()
        above = "\n".join(lines[max(problem.line - 5, 0) : problem.line])
        assert re.search(rf'operator\(\s*"{name}"', above), f"at line {problem.line}"


@pytest.mark.real
@pytest.mark.long
def test_what_does_not_run_eager_is_told_and_no_graph_is_built(
    examined: dict[str, Examined],
) -> None:
    (problem,) = examined["not_eager"].problems
    assert problem.kind == "eager" and "does not run: RuntimeError: The size of" in problem.text
    assert examined["not_eager"].graphs == ()


@pytest.mark.real
@pytest.mark.long
def test_a_module_that_cannot_be_imported_is_an_error(cell: Environment, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFailed, match="No module named 'not_there'"):
        examine(cell.python, ["not_there"], [], tmp_path)
