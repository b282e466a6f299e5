"""`import torch` in the interpreters that a build starts, on their PYTHONPATH: Paddle's proxy."""

import os
import runpy
import sys

import paddle

sys.modules.pop("torch", None)
paddle.enable_compat()
runpy.run_path(os.path.join(os.path.dirname(os.path.dirname(__file__)), "cmake.py"))
import torch  # noqa: E402, F401
