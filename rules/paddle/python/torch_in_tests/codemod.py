"""The guard, above what would import torch."""

from porter.rules.enabling import EnableProxy


class Guarded(EnableProxy):
    pass
