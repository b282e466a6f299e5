"""`case kNumberTypeFloat16: run<float>(x)`, `if (type == kNumberTypeFloat16) { return ACL_BF16; }`
and `{kNumberTypeFloat16, Type::BF16}` in a table:
the type that stands beside a TypeId, where it is one, written in one of the ways below."""

from collections.abc import Iterator, Mapping

from porter.languages.cpp import Code, Kind, Token, Unit
from porter.model import Edit, Match, ProjectFacts

# What means each TypeId in one way of writing types, the most usual name first.
ANYWHERE: Mapping[str, tuple[str, ...]] = {
    "Float32": ("float", "float32_t"),
    "Float64": ("double",),
    "Int8": ("int8_t",),
    "UInt8": ("uint8_t",),
    "Int16": ("int16_t",),
    "UInt16": ("uint16_t",),
    "Int32": ("int32_t", "int"),
    "UInt32": ("uint32_t",),
    "Int64": ("int64_t",),
    "UInt64": ("uint64_t",),
    "Bool": ("bool",),
}
ASCEND_C = {"Float16": ("half",), "BFloat16": ("bfloat16_t",)}
HOST = {"Float16": ("float16",), "BFloat16": ("bfloat16",)}
ACL = {
    **{"Float16": ("ACL_FLOAT16",), "BFloat16": ("ACL_BF16",), "Float32": ("ACL_FLOAT",)},
    **{"Float64": ("ACL_DOUBLE",)},
    **{kind: (f"ACL_{kind.upper()}",) for kind in ANYWHERE if not kind.startswith("Float")},
}
GRAPH = {
    **{"Float16": ("DT_FLOAT16",), "BFloat16": ("DT_BF16",), "Float32": ("DT_FLOAT",)},
    **{"Float64": ("DT_DOUBLE",)},
    **{kind: (f"DT_{kind.upper()}",) for kind in ANYWHERE if not kind.startswith("Float")},
}
SHORT = {
    **{"Float16": ("FP16",), "BFloat16": ("BF16",), "Float32": ("FP32",), "Float64": ("FP64",)},
    **{kind: (kind.upper(),) for kind in ANYWHERE if not kind.startswith(("Float", "Bool"))},
}
WAYS = (ANYWHERE, ASCEND_C, HOST, ACL, GRAPH, SHORT)
KINDS = {*ANYWHERE, *HOST}
MEANING = {name: (way, kind) for way in WAYS for kind, names in way.items() for name in names}
PREFIX = "kNumberType"
# Types of one size and no arithmetic of their own are what bytes are moved as.
BYTES = {"Bool": ("UInt8", "Int8"), "Float16": ("UInt16",), "BFloat16": ("UInt16",)}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None:
        return
    code = unit.code
    for at in code.places_with_prefix(PREFIX):
        kind = code.tokens[at].text.removeprefix(PREFIX)
        if kind not in KINDS:
            continue
        beside = [*_types_in_same_case(code, at)]
        types = {token.text for token in beside}
        if len(types) != 1:
            continue
        token = beside[0]
        way, other = MEANING[token.text]
        if other == kind or other in BYTES.get(kind, ()):
            continue
        # 16 bits are called one thing on the host and another in a kernel: which, is seen nowhere
        names = way.get(kind) or (ANYWHERE.get(kind) if way in (ASCEND_C, HOST) else None)
        edits = tuple(Edit(t.span, names[0].encode()) for t in beside) if names else ()
        yield Match(token.span, edits, name=token.text)


def _types_in_same_case(code: Code, at: int) -> Iterator[Token]:
    """The types in the same case of a `switch` or branch of an `if`, or the other element of the
    same pair."""
    start = at
    while code.tokens[start - 1].text in ("::", "TypeId", "ms", "mindspore"):
        start -= 1
    before = code.tokens[start - 1].text
    if before == "case" and code.tokens[at + 1].text == ":":
        end = at + 2
        while end < len(code.tokens) and code.tokens[end].text not in ("case", "default", "}"):
            end += 1
        if _falls_here(code, start - 1):
            return
        yield from _types(code, at + 2, end)
    elif before == "==" and code.tokens[at + 1].text == ")":
        opening = next((o for o in range(at, 0, -1) if code.pairs.get(o) == at + 1), at)
        condition = {token.text for token in code.tokens[opening:at]}
        if code.tokens[opening - 1].text == "if" and not condition & {"&&", "||", "!"}:
            end = code.pairs.get(at + 2, at + 2)
            while code.tokens[at + 2].text != "{" and code.tokens[end].text != ";":
                end += 1
            yield from _types(code, at + 2, end)
    elif before == "{" and code.tokens[at + 1].text == ",":
        given = code.arguments(start - 1)
        if len(given) == 2:
            yield from _types(code, given[1][0], given[1][1] + 1)


def _falls_here(code: Code, case: int) -> bool:
    """Whether the case before leads into this one, which is then of several types."""
    return code.tokens[case - 1].text == ":" and PREFIX in code.tokens[case - 2].text


def _types(code: Code, first: int, last: int) -> Iterator[Token]:
    """Types as template arguments, in casts and pointers, and constants of a kind of them."""
    for index in range(first, last):
        token = code.tokens[index]
        if token.kind is not Kind.NAME or token.text not in MEANING:
            continue
        constant = token.text.isupper()
        following, before = code.tokens[index + 1].text, code.tokens[index - 1].text
        if constant or (before == "<" and following in (">", "*", ",")):
            yield token
