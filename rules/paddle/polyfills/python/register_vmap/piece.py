def register_vmap(op, func=None, /, *, lib=None):
    """The rule itself: operators are called for one entry of a batch after the other."""
    return func if func is not None else lambda func: func
