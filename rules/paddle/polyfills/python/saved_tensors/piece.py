from paddle.autograd.py_layer import PyLayerContext

if not hasattr(PyLayerContext, "saved_tensors"):
    PyLayerContext.saved_tensors = property(
        lambda ctx: tuple(ctx.saved_tensor() or ()), doc="What save_for_backward was given."
    )
