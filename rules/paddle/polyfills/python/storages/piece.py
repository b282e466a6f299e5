import paddle


class _Freed(dict):
    """By dtype and place, an element whose memory stands for all elements of a freed storage."""


_freed = _Freed()


def _is_freed(tensor):
    held = _freed.get((tensor.dtype, str(tensor.place)))
    return held is not None and held.data_ptr() == tensor.data_ptr()


def _put_in_memory(tensor, view):
    """Make the elements of a tensor those of a view of other memory, which Paddle's set_ copies if it has gaps."""
    tensor.get_tensor()._share_data_with(view.get_tensor())
    tensor._bump_inplace_version()


class _Storage:
    """The memory of a tensor and of all its views; or some bytes of another one, which a tensor is a view of."""

    def __init__(self, tensor, is_part=False):
        self._tensor, self._is_part = tensor, is_part
        self.device = tensor.device

    def data_ptr(self):
        return self._tensor.data_ptr() - (0 if self._is_part else self._tensor.offset)

    def element_size(self):
        return 1

    def nbytes(self):
        base = self._base()
        return 0 if _is_freed(base) else base.size * base.element_size()

    def size(self):
        return self.nbytes() // self.element_size()

    def resize_(self, size):
        """Free it, or allocate it again, with any values."""
        if self._is_part:
            raise RuntimeError("Trying to resize storage that is not resizable")
        base, asked = self._base(), size * self.element_size()
        if asked == self.nbytes():
            return self
        if asked == 0:
            key = base.dtype, str(base.place)
            held = _freed.setdefault(key, paddle.empty([1], base.dtype, device=base.place))
            _put_in_memory(base, paddle.as_strided(held, base.shape, [0] * base.dim()))
        elif asked == base.size * base.element_size():  # freed, as it has another size
            _put_in_memory(base, paddle.empty(base.shape, base.dtype, device=base.place))
        else:
            raise NotImplementedError("Under Paddle, a storage is as large as its tensor, or freed")
        return self

    def __len__(self):
        return self.size()

    def __sizeof__(self):
        return object.__sizeof__(self) + self.nbytes()

    def _base(self):
        """The tensor that is all of it, which is noted in its views."""
        if self._is_part:
            return self._tensor
        noted = self._tensor.__dict__.get("_view_of")
        base = noted[0] if noted else self._tensor
        if not _is_freed(base) and (base.offset or not base.is_contiguous()):
            count = base._holder_size() // base.element_size()  # of a view that was not noted: of no gradients
            return paddle.as_strided(base.detach(), [count], [1], 0)
        return base

    def _whole(self):
        """All of it, in one dimension."""
        return self._base().detach().view([-1])

    def _bytes(self):
        return self._whole().view(paddle.uint8)

    def __getitem__(self, at):
        """A byte, or the memory of some of them."""
        if not isinstance(at, slice):
            return self._element(self._bytes(), at)
        start, stop, step = at.indices(self.size())
        if step != 1:
            raise RuntimeError(f"Trying to slice with a step of {step}, but only a step of 1 is supported")
        return _Storage(self._bytes()[start:stop], is_part=True)

    def _element(self, elements, at):
        if not -elements.size <= at < elements.size:
            raise IndexError(f"index {at} out of range for storage of size {elements.size}")
        return elements[at].item()

    def tolist(self):
        return self._bytes().tolist()

    def untyped(self):
        return self

    def _untyped(self):
        return self.untyped()


class _TypedStorage(_Storage):
    def __init__(self, tensor):
        super().__init__(tensor)
        self.dtype = tensor.dtype

    def element_size(self):
        return self._tensor.element_size()

    def __getitem__(self, at):
        if isinstance(at, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return self._element(self._whole(), at)

    def tolist(self):
        return self._whole().tolist()

    def untyped(self):
        return _Storage(self._tensor)
