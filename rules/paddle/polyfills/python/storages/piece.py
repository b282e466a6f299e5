class _Storage:
    """The memory of a tensor and of all its views; how much it is Paddle does not tell."""

    def __init__(self, tensor):
        self._tensor = tensor
        self.device = tensor.device

    def data_ptr(self):
        return self._tensor.data_ptr() - self._tensor.offset

    def element_size(self):
        return 1

    def _whole(self):
        """All of it, in one dimension."""
        tensor = self._tensor.detach()
        if tensor.offset or not tensor.is_contiguous():
            raise NotImplementedError("Paddle does not tell how much memory a view is of")
        return tensor.view([-1])


class _TypedStorage(_Storage):
    def __init__(self, tensor):
        super().__init__(tensor)
        self.dtype = tensor.dtype

    def element_size(self):
        return self._tensor.element_size()
