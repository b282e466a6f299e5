class _UnknownSize(NotImplementedError):
    """A size is asked for that nobody knows before the call."""


class _FakeContext:
    """What a kernel that computes shapes asks for sizes that depend on data."""

    def new_dynamic_size(self, *, min=0, max=None):
        raise _UnknownSize("Paddle has no sizes that stand for those of later calls")

    create_unbacked_symint = new_dynamic_size


def get_ctx():
    """What the kernel of a register_fake asks."""
    return _FakeContext()
