"""`m.def("op(...)"); m.def("op_backward(...)");` and no Autograd registration of op."""

from collections.abc import Iterator

from porter.ascend.cpp_pieces import pieces
from porter.ascend.file_pieces import FilePieces, Schema
from porter.ascend.hosts import insert_before, last_registration, parameters
from porter.languages.cpp import Code, Function, Unit
from porter.model import Edit, Match, ProjectFacts, Safety, Span

ENDINGS = ("_backward", "_grad", "_bwd")
DEVICE = ("PrivateUse1", "NPU")
SAID = (
    "{} is defined, and {} has no Autograd registration that calls it: its output has no gradient"
)
BELOW = "at::AutoDispatchBelowADInplaceOrView below;"
CALL = 'c10::Dispatcher::singleton().findSchemaOrThrow("{}", "").typed<decltype({})>().call'
BLOCK = """

TORCH_LIBRARY_IMPL({}, Autograd, m) {{
  m.impl("{}", []({}) {{ return {}::apply({}); }});
}}"""


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code, found = unit.code, pieces(unit)
    ascend = facts.ascend
    without = {
        operator.name
        for operator in (ascend.operators if ascend else ())
        if "backward" in operator.lacks and any(p.path == unit.path for p in operator.pieces)
    }
    without -= {f"{i.space}::{i.name}" for i in found.impls if i.key.startswith("Autograd")}
    schemas: dict[str, Schema] = {}
    for schema in found.schemas:
        schemas.setdefault(f"{schema.space}::{schema.name}", schema)
    for name, schema in schemas.items():
        backward = next((name + end for end in ENDINGS if name + end in schemas), "")
        called = ascend is not None and backward in ascend.called
        if backward and name in without and not called:
            at = next(i for i in code.places("def") if code.line(i) == schema.line)
            said = SAID.format(backward.rpartition("::")[2], schema.name)
            edits = _find_registration(code, found, schema, schemas[backward])
            yield Match(code.tokens[at].span, edits, said, None if edits else Safety.MANUAL)


def _find_registration(
    code: Code, found: FilePieces, schema: Schema, backward: Schema
) -> tuple[Edit, ...]:
    """The registration of an autograd function that is there and does call both; it calls them by
    the dispatcher then, which has another one of each for tensors without data."""
    forwards, backwards = _function(code, found, schema), _function(code, found, backward)
    for name in sorted(found.autograd):
        own = {f.name: f for f in code.functions if f.scope.rpartition("::")[2] == name}
        if not {"forward", "backward"} <= set(own) or own["forward"].scope != name:
            continue
        edits = [
            *_find_dispatch(code, own["forward"], forwards, schema),
            *_find_dispatch(code, own["backward"], backwards, backward),
        ]
        given = parameters(code, own["forward"])[1:]
        end = last_registration(code, DEVICE)
        if len(edits) != 3 or end is None or not given:
            continue
        written = [
            code.unit.data[code.tokens[a].start : code.tokens[b].end].decode() for a, b in given
        ]
        names = ", ".join(code.tokens[last].text for _, last in given)
        text = BLOCK.format(schema.space, schema.name, ", ".join(written), name, names)
        place = code.tokens[end].end
        return (*edits, Edit(Span(place, place), code.unit.encode(text)))
    return ()


def _function(code: Code, found: FilePieces, schema: Schema) -> str:
    """The one function that is registered for the device under this name."""
    uses = [
        name
        for impl in found.impls
        if (impl.space, impl.name) == (schema.space, schema.name) and impl.key in DEVICE
        for name in impl.uses
    ]
    own = [f.name for f in code.functions if f.name in uses]
    return own[0] if len(own) == 1 else ""


def _find_dispatch(code: Code, function: Function, name: str, schema: Schema) -> Iterator[Edit]:
    """The one call of a function, by way of the dispatcher; in a forward below autograd."""
    places = [i for i in code.places(name) if function.opening < i < function.closing]
    if len(places) != 1 or code.tokens[places[0] + 1].text != "(":
        return
    at = begin = places[0]
    if function.name == "forward":
        while code.tokens[begin - 1].text not in (";", "{", "}"):
            begin -= 1
        yield insert_before(code, begin, BELOW)
    text = CALL.format(f"{schema.space}::{schema.name}", name)
    yield Edit(code.tokens[at].span, text.encode())
