"""Production kernels of real repositories, unchanged, on the emulated NPU: each against a
reference of ours.

`python -m tests.ascend_production TREE... [--only NAME]` prints a table and ends with 1 where a
case fails. A module here has the cases of one kernel or of kernels with one meaning: how the
repository's host code launches them, and what the operator means. Nothing of the repositories is
here; their files are read from TREE.
"""
