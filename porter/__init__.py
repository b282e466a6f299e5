"""porter: port PyTorch operator repositories to other frameworks, and prove it."""

__version__ = "0.1.0"
DISTRIBUTION = "porter-ops"  # on PyPI, where `porter` is another project
