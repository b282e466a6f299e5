"""A torch::autograd::Function whose two sides call operators -> its gradient in the plugin."""

from __future__ import annotations

import re

from porter.targets.torch_npu.routes.syntax import Reader

_OPERATOR = re.compile(r'"\w+::(\w+)"')
_SAVED = re.compile(r"save_for_backward\(\{([\w, ]*)\}\)")
_RETURN = re.compile(r"return \{\w+\.call\(([^;]*)\)\};")
_GRADIENT = """\
def _keep_{name}(context, inputs, result):
    {inputs} = inputs
    context.save_for_backward({saved})


def _backward_{name}(context, *gradients):
    return _custom_ops.{backward}({given})


_autograd.register("{name}", _backward_{name}, setup_context=_keep_{name})
"""


def gradient_of(reader: Reader, first: int, last: int) -> str | None:
    """Python that registers the gradient of the operator that a class differentiates; None where
    its backward is more than one call of an operator."""
    sides: dict[str, tuple[list[str], str]] = {}
    for function in reader.code.functions:
        if first < function.head < last:
            names = [parameter.name for parameter in reader.parameters(function)]
            start = reader.code.tokens[function.opening].start
            body = reader.unit.data[start : reader.code.tokens[function.closing].end].decode()
            sides[function.name] = names, " ".join(body.split())
    if not {"forward", "backward"} <= {*sides}:
        return None
    (_, *inputs), forward = sides["forward"]
    (own, gradients), backward = sides["backward"]
    operators = [_OPERATOR.findall(text) for text in (forward, backward)]
    saved, returned = _SAVED.search(forward), _RETURN.search(backward)
    if saved is None or returned is None or [len(each) for each in operators] != [1, 1]:
        return None
    kept = [name.strip() for name in saved[1].split(",") if name.strip()]
    given = returned[1].replace(f"{own}->get_saved_variables()", "context.saved_tensors")
    given = re.sub(rf"\b{gradients}\[", "gradients[", given)
    plain = re.sub(r"(?:context\.saved_tensors|gradients)\[\d+\]", "", given)
    if not {*kept} <= {*inputs} or plain.strip(", "):
        return None
    return _GRADIENT.format(
        name=operators[0][0],
        inputs=f"({', '.join(inputs)},)" if len(inputs) == 1 else ", ".join(inputs),
        saved=", ".join(kept),
        backward=operators[1][0],
        given=given,
    )
