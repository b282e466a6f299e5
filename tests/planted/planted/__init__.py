"""A package whose port to Paddle went wrong in every layer."""

import sys

if hasattr(sys.modules.get("paddle"), "enable_compat"):
    from . import _porter_compat  # noqa: F401
