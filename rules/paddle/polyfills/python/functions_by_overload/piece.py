import typing


def boolean_dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name):
    """One of two functions, by the value of an argument."""

    def fn(*args, **kwargs):
        asked = kwargs.get(arg_name, args[arg_index] if arg_index < len(args) else default)
        return (if_true if asked else if_false)(*args, **kwargs)

    if if_true.__doc__ is None and if_false.__doc__ is not None:
        fn.__doc__ = if_false.__doc__
        if_true.__doc__ = if_false.__doc__
    elif if_false.__doc__ is None and if_true.__doc__ is not None:
        fn.__doc__ = if_true.__doc__
        if_false.__doc__ = if_true.__doc__
    elif if_true.__doc__ is not None:
        raise RuntimeError("only one function can have a docstring")
    if module_name is not None:
        fn.__module__ = module_name
    if func_name is not None:
        fn.__name__ = func_name
    return fn


def _copy_to_script_wrapper(fn):
    """The function itself: TorchScript would take it over to the class that it makes."""
    fn._torchscript_copy_to_script_wrapper = True
    return fn


def is_optional(ann):
    """Whether an annotation is Optional."""
    if ann is typing.Optional:
        raise RuntimeError("Attempted to use Optional without a contained type. Please add a contained type, e.g. Optional[int]")
    return type(None) in typing.get_args(ann) and len(typing.get_args(ann)) == 2


def is_list(ann):
    if ann is typing.List:
        raise RuntimeError("Attempted to use List without a contained type. Please add a contained type, e.g. List[int]")
    return typing.get_origin(ann) is list


def is_tuple(ann):
    if ann is typing.Tuple:
        raise RuntimeError("Attempted to use Tuple without a contained type. Please add a contained type, e.g. Tuple[int]")
    return typing.get_origin(ann) is tuple


def is_dict(ann):
    if ann is typing.Dict:
        raise RuntimeError("Attempted to use Dict without contained types. Please add contained type, e.g. Dict[int, int]")
    return typing.get_origin(ann) is dict
