def compile(
    model=None,
    *,
    fullgraph=False,
    dynamic=None,
    backend="inductor",
    mode=None,
    options=None,
    disable=False,
    **rest,
):
    """The function or module itself: nothing is compiled."""
    _note("torch.compile")
    return model if model is not None else lambda model: compile(model)
