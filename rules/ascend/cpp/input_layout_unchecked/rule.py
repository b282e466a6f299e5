"""`k<<<...>>>(x.data_ptr())` in a function that takes x and never looks at its strides, where not
every function of the file that calls it does."""

from collections.abc import Iterator

from porter.ascend.hosts import first_statement, gives_tensor, insert_before
from porter.ascend.kernels import body, looks_at_layout
from porter.languages.cpp import Code, Function, Kind, Unit
from porter.model import Edit, Match, ProjectFacts, Safety

POINTERS = frozenset(("data_ptr", "mutable_data_ptr", "const_data_ptr", "data"))
MAKERS = ("empty", "zeros", "ones", "full", "apply_tensor")
TYPES = ("Tensor", "auto", "&", "*", ">", "const")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None or unit.path.endswith((".cu", ".cuh")):
        return
    code = unit.code
    for function in code.functions:
        texts = body(code, function)
        if "<<<" not in texts and "ACLRT_LAUNCH_KERNEL" not in texts:
            continue
        name = function.full_name.rpartition("::")[2]
        others = [body(code, f) for f in code.functions if f.opening != function.opening]
        callers = [other for other in others if name in other]
        if looks_at_layout(texts) or (callers and all(map(looks_at_layout, callers))):
            continue
        read: dict[str, int] = {}
        for at in range(function.opening, function.closing - 2):
            words = [token.text for token in code.tokens[at : at + 3]]
            if words[1] == "." and words[2] in POINTERS and _is_input(code, function, words[0]):
                read.setdefault(words[0], at)
        for first, at in [*read.items()][:1]:
            edits = _contiguous(code, function, list(read))
            safety = None if edits else Safety.MANUAL
            yield Match(code.tokens[at].span, edits, safety=safety, name=first)


def _is_input(code: Code, function: Function, name: str) -> bool:
    """Whether the function takes a constant tensor of this name."""
    texts = [token.text for token in code.tokens[function.head : function.opening]]
    for n, text in enumerate(texts):
        before = texts[max(n - 6, 0) : n]
        if text == name and "Tensor" in before[-3:] and "const" in before:
            return True
    return False


def _contiguous(code: Code, function: Function, names: list[str]) -> tuple[Edit, ...]:
    """The body with contiguous tensors in place of these; nothing where it may write to one."""
    if not gives_tensor(code, function) or not _gives_its_own(code, function):
        return ()
    start = first_statement(code, function)
    texts = {token.text for token in code.tokens}
    edits, made = [], []
    for name in names:
        new = f"{name}_contiguous"
        made.append(f"const at::Tensor {new} = {name}.contiguous();")
        if new in texts:
            return ()
        for at in range(start, function.closing):
            previous, token = code.tokens[at - 1], code.tokens[at]
            if token.text != name or previous.text in (".", "->", "::"):
                continue
            declared = previous.kind is Kind.NAME or previous.text in ("&", "*", ">")
            if previous.text != "return" and declared:
                return ()  # another one of this name, or it is returned by reference
            edits.append(Edit(token.span, new.encode()))
    return (insert_before(code, start, "\n".join(made)), *edits)


def _gives_its_own(code: Code, function: Function) -> bool:
    """Whether every return gives a tensor that the function made empty or filled: what a kernel
    writes to is that one then, and none that was given."""
    made = set()
    for at in range(function.opening, function.closing):
        if code.tokens[at].text == "=" and code.tokens[at - 2].text in TYPES:
            end = at
            while end < function.closing and code.tokens[end].text not in (";", "("):
                end += 1
            if any(maker in code.tokens[end - 1].text for maker in MAKERS):
                made.add(code.tokens[at - 1].text)
    returned = [
        code.tokens[at + 1].text
        for at in range(function.opening, function.closing)
        if code.tokens[at].text == "return" and code.tokens[at + 2].text == ";"
        and code.tokens[at + 1].kind is Kind.NAME
    ]  # fmt: skip
    return bool(returned) and set(returned) <= made
