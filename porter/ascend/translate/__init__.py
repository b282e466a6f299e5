"""CUDA kernels as Ascend C: what is elementwise is translated, the rest refused with its reason."""
