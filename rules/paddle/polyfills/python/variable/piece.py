def Variable(data, requires_grad=False):
    """The same values, with or without a gradient of their own."""
    found = data.detach()
    found.stop_gradient = not requires_grad
    return found
