import collections.abc
import inspect
import types
import typing

import paddle

# what a schema calls a type, and which forms of it there are: [], ?[] and []?
_SCHEMA_TYPES = {
    paddle.Tensor: ("Tensor", ("[]", "?[]")),
    int: ("SymInt", ("[]", "[]?")),
    float: ("float", ("[]", "[]?")),
    bool: ("bool", ("[]", "[]?")),
    str: ("str", ()),
    paddle.dtype: ("ScalarType", ()),
    paddle.device.Device: ("Device", ()),
}


def infer_schema(prototype_function, /, *, mutates_args, op_name=None, tags=()):
    """The schema of a function with type hints, as "(Tensor x, float factor=1.0) -> Tensor"."""
    signature = inspect.signature(prototype_function)
    if any(str(tag) in ("Tag.out", "Tag.inplace") for tag in tags or ()):
        raise NotImplementedError("infer_schema under Paddle takes neither Tag.out nor Tag.inplace")

    def refuse(what):
        raise ValueError(f"infer_schema(func): {what} Got func with signature {signature})")

    def real(annotation):
        """An annotation with what stands in quotes looked up."""
        if isinstance(annotation, str):
            try:
                return eval(annotation, prototype_function.__globals__)
            except Exception as error:
                refuse(f"Unsupported type annotation {annotation}. It is not a type. ({error})")
        args = typing.get_args(annotation)
        if any(isinstance(each, str) for each in args):
            return types.GenericAlias(typing.get_origin(annotation), tuple(map(real, args)))
        return annotation

    if isinstance(mutates_args, str) and mutates_args != "unknown":
        raise ValueError("mutates_args must be a sequence of names, or the string 'unknown'")
    written_to = None if isinstance(mutates_args, str) else set(mutates_args)
    unseen, params = set(written_to or ()), []
    for number, (name, param) in enumerate(signature.parameters.items()):
        if param.kind not in (param.POSITIONAL_OR_KEYWORD, param.KEYWORD_ONLY):
            refuse("We do not support positional-only args, varargs, or varkwargs.")
        if param.kind is param.KEYWORD_ONLY and "*" not in params:
            params.append("*")
        if param.annotation is param.empty:
            refuse(f"Parameter {name} must have a type annotation.")
        kind = _schema_type(real(param.annotation))
        if kind is None:
            refuse(f"Parameter {name} has unsupported type {param.annotation}.")
        if name in unseen and not kind.startswith("Tensor"):
            refuse(f"Parameter {name} is in mutates_args but only Tensors can be mutated.")
        if kind.startswith("Tensor") and (written_to is None or name in unseen):
            kind = f"Tensor(a{number}!){kind[6:]}"
        unseen.discard(name)
        params.append(f"{kind} {name}")
        if param.default is not param.empty:
            params[-1] += f"={_default_text(param.default) or refuse(f'the default of {name}.')}"
    if unseen:
        refuse(f"{unseen} in mutates_args were not found in the custom op's signature.")
    if signature.return_annotation is signature.empty:
        refuse("No return type annotation was provided. Please add one.")
    result = _result_kind(real(signature.return_annotation))
    if result is None:
        refuse(f"Return has unsupported type {signature.return_annotation}.")
    return f"{op_name or ''}({', '.join(params)}) -> {result}"


def _schema_type(annotation):
    """What a schema calls the type of a parameter; None if there is no such."""
    if isinstance(annotation, type) and not typing.get_args(annotation):
        known = [_SCHEMA_TYPES[each] for each in annotation.__mro__ if each in _SCHEMA_TYPES]
        same = annotation in _SCHEMA_TYPES or (known and known[0][0] == "Device")
        return known[0][0] if same else None
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        if set(args) - {type(None)} == {int, float, bool}:
            return "Scalar?" if type(None) in args else "Scalar"
        inner = [each for each in args if each is not type(None)]
        kind = _schema_type(inner[0]) if len(inner) == 1 and len(args) == 2 else None
        if kind is None or (kind.endswith("]") and "[]?" not in _forms(kind)):
            return None
        return f"{kind}?" if not kind.endswith("?]") and "?[" not in kind else None
    if origin not in (list, collections.abc.Sequence) or len(args) != 1:
        return None
    kind = _schema_type(args[0])
    if kind is None or kind.endswith("]"):
        return None
    form = "?[]" if kind.endswith("?") else "[]"
    return f"{kind}[]" if kind == "Scalar" or form in _forms(kind) else None


def _forms(kind):
    plain = kind.rstrip("[]?")
    return next((forms for name, forms in _SCHEMA_TYPES.values() if name == plain), ())


def _result_kind(annotation):
    if annotation is None:
        return "()"
    if typing.get_origin(annotation) is tuple:
        kinds = [_result_kind(each) for each in typing.get_args(annotation)]
        odd = any(kind is None or kind.startswith("(") for kind in kinds)
        inside = ", ".join(map(str, kinds))
        return None if odd else f"(({inside}))" if len(kinds) == 1 else f"({inside})"
    kind = _schema_type(annotation)
    plain = typing.get_origin(annotation) is not collections.abc.Sequence
    kinds = ("Tensor", "Tensor[]", "SymInt", "float", "bool", "Scalar")
    return kind if plain and kind in kinds else None


def _default_text(default):
    """A default as a schema has it; "" if it can have none of the kind."""
    if default is None or isinstance(default, (int, float)):
        return str(default)
    if isinstance(default, (str, paddle.device.Device)):
        return f'"{default}"'
    return str(default).rpartition(".")[2] if isinstance(default, paddle.dtype) else ""
