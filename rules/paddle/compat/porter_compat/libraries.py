"""torch.ops.load_library under Paddle, also for libraries that are linked with torch's."""

from __future__ import annotations

import os


def offer() -> None:
    """Have such libraries loaded; what they need is imported when the first one is."""
    import paddle

    kind = type(paddle.ops)
    theirs = kind.load_library

    def load_library(self: object, path: str | os.PathLike[str]) -> None:
        from porter_compat import stable_abi

        if kind.load_library is load_library:
            kind.load_library = theirs
        stable_abi.serve()
        kind.load_library(self, path)

    kind.load_library = load_library
