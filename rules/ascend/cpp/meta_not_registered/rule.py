"""A TORCH_LIBRARY block of which operators have no meta function, neither here nor in Python."""

from collections.abc import Iterator

from porter.ascend.cpp_pieces import pieces
from porter.ascend.file_pieces import FilePieces, Schema
from porter.ascend.hosts import brings_aten, gives_tensor, last_registration, parameters, tensors
from porter.ascend.kernels import body, looks_at_layout
from porter.languages.cpp import Code, Function, Unit
from porter.model import AscendPart, Edit, Match, ProjectFacts, Safety, Span

SHOWN = 4
SAID = "{} without a meta function: torch.compile and torch.export cannot know their shapes: {}"
DEVICE = ("PrivateUse1", "NPU")
LAUNCHES = ("<<<", "ACLRT_LAUNCH_KERNEL")
# What an output is made with: how its shape follows from the one tensor that is given.
LIKE = ("empty_like", "zeros_like", "ones_like")
CONTIGUOUS = ", {}.options(), at::MemoryFormat::Contiguous"
RESHAPING = ("resize_", "squeeze_", "unsqueeze_", "transpose_", "t_", "set_", "as_strided_")
SAME = ("apply_tensor", "apply_tensor_without_format")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code, found = unit.code, pieces(unit)
    lacking = _operators_without_meta(unit, facts) - {
        f"{impl.space}::{impl.name}" for impl in found.impls if impl.key == "Meta"
    }
    for at in code.places_with_prefix("TORCH_LIBRARY"):
        token = code.tokens[at]
        if "IMPL" in token.text:
            continue
        brace = code.pairs.get(at + 1, -2) + 1
        if brace not in code.pairs or code.tokens[brace].text != "{":
            continue
        lines = range(code.line(brace), code.line(code.pairs[brace]) + 1)
        schemas = [s for s in found.schemas if s.line in lines and not s.key]
        schemas = [s for s in schemas if f"{s.space}::{s.name}" in lacking]
        if schemas:
            count = "1 operator" if len(schemas) == 1 else f"{len(schemas)} operators"
            names = [schema.name for schema in schemas]
            some = ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")
            edits = tuple(_infer_functions(code, found, schemas))
            safety = None if edits else Safety.MANUAL
            yield Match(token.span, edits, SAID.format(count, some), safety)


def _operators_without_meta(unit: Unit, facts: ProjectFacts) -> set[str]:
    return {
        operator.name
        for operator in (facts.ascend.operators if facts.ascend else ())
        if "meta function" in operator.lacks
        and any(p.part is AscendPart.DEFINITION and p.path == unit.path for p in operator.pieces)
    }


def _infer_functions(code: Code, found: FilePieces, schemas: list[Schema]) -> Iterator[Edit]:
    """Meta functions of those whose function here shows what its output is like."""
    functions, lines = [], []
    taken = {token.text for token in code.tokens}
    for schema in schemas:
        uses = [
            impl.uses
            for impl in found.impls
            if (impl.space, impl.name) == (schema.space, schema.name) and impl.key in DEVICE
        ]
        own = [f for f in code.functions if uses and f.name in uses[0]]
        name = f"{schema.name.replace('.', '_')}_meta"
        value = _output(code, own[0]) if len(uses) == len(own) == 1 and name not in taken else ""
        given = parameters(code, own[0]) if value else []
        written = [
            code.unit.data[code.tokens[a].start : code.tokens[b].end].decode() for a, b in given
        ]
        short = any(text.split()[-2:-1] == ["Tensor"] for text in written)
        if value and not (short and own[0].scope):  # what its namespace uses is not known outside
            functions.append(f"at::Tensor {name}({', '.join(written)}) {{ return {value}; }}\n")
            lines.append(f'  m.impl("{schema.name}", &{name});\n')
    last = last_registration(code, DEVICE)
    if functions and last is not None:
        place = code.tokens[last].end
        block = f"TORCH_LIBRARY_IMPL({schemas[0].space}, Meta, m) {{\n{''.join(lines)}}}"
        text = f"\n\n{''.join(functions)}\n{block}"
        yield Edit(Span(place, place), code.unit.encode(text))


def _output(code: Code, function: Function) -> str:
    """How to make a tensor of the shape, type and layout of the one that a function returns, where
    it makes one only, and like one that it is given."""
    texts = body(code, function)
    if not gives_tensor(code, function) or set(RESHAPING) & set(texts):
        return ""
    given, made = tensors(code, function), {}
    launches = set(LAUNCHES) & set(texts)
    if launches and not looks_at_layout(texts):
        return ""  # whoever corrects that changes the layout of the output
    for n, text in enumerate(texts):
        if text == "=" and texts[n - 2] in ("Tensor", "auto"):
            made[texts[n - 1]] = texts[n + 1 : texts.index(";", n)]
        elif text == "=" and texts[n - 1] in made:
            return ""
    values = {code.text(*value) for value in _return_values(code, function)}
    returned = values.pop() if len(values) == 1 else ""
    words = made.get(returned, [])
    if len(words) < 4 or words[-3] != "(" or words[-1] != ")":
        return ""
    maker, source, copied = words[-4], words[-2], False
    if made.get(source, [])[1:] == [".", "contiguous", "(", ")"]:
        source, copied = made[source][0], True
    if source not in given:
        return ""
    if maker in LIKE:
        return f"at::{maker}({source}{CONTIGUOUS.format(source) if copied else ''})"
    if maker not in SAME or not brings_aten(code.unit):
        return ""
    return f"at::empty_like({source}{CONTIGUOUS.format(source)})"


def _return_values(code: Code, function: Function) -> Iterator[tuple[int, int]]:
    """What a function returns, without what its lambdas do."""
    at = function.opening
    while at < function.closing:
        text = code.tokens[at].text
        if text == "[" and code.tokens[at - 1].text in ("=", "(", ",", "return"):
            while code.tokens[at].text != "{" and at < function.closing:
                at = code.pairs.get(at, at) + 1
            at = code.pairs.get(at, at)
        elif text == "return":
            end = at
            while code.tokens[end].text != ";" and end < function.closing:
                end = code.pairs.get(end, end) + 1
            yield at + 1, end - 1
        at += 1
