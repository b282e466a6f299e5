"""Accelerators on a CPU: CUDA, Ascend NPUs, Triton."""
