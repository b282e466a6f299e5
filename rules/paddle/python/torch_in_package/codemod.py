"""The guard, above what would import torch."""

from porter.rules.enabling import EnableProxy
from porter.targets.paddle import PROXY


class Guarded(EnableProxy):
    proxy = PROXY
