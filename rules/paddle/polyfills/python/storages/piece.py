class _Storage:
    """The memory of a tensor and of all its views."""

    def __init__(self, tensor):
        self._tensor = tensor
        self.device = tensor.device

    def data_ptr(self):
        return self._tensor.data_ptr() - self._tensor.offset

    def element_size(self):
        return 1

    def nbytes(self):
        base = self._base()
        return base.size * base.element_size()

    def size(self):
        """How many elements; Paddle gives none of it back, so it stays the same."""
        return self.nbytes() // self.element_size()

    def __len__(self):
        return self.size()

    def _base(self):
        """The tensor that is all of it, which is noted in its views."""
        noted = self._tensor.__dict__.get("_view_of")
        base = noted[0] if noted else self._tensor
        if base.offset or not base.is_contiguous():
            raise NotImplementedError("Paddle does not tell how much memory a view is of")
        return base

    def _whole(self):
        """All of it, in one dimension."""
        return self._base().detach().view([-1])


class _TypedStorage(_Storage):
    def __init__(self, tensor):
        super().__init__(tensor)
        self.dtype = tensor.dtype

    def element_size(self):
        return self._tensor.element_size()
