"""CUDA sources as Ascend C: what is right is translated, the rest refused with its reason."""

from porter.targets.torch_npu.translate.sources import Refused, Translation, translate

__all__ = ["Refused", "Translation", "translate"]
