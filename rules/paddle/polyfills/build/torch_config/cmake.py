"""CMake finds this unit's package for Torch; the interpreters that it starts find Paddle's proxy.

Run after paddle.enable_compat(). The variables are for the processes that this one starts.
"""

import os

from paddle.compat.proxy import RawOverriddenAttribute, _extend_torch_proxy_overrides

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cmake")
OTHERS = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p not in ("", FOLDER)]

os.environ["PORTER_FRAMEWORK"] = "paddle"
os.environ["PYTHONPATH"] = os.pathsep.join([FOLDER, *OTHERS])
os.environ["Torch_DIR"] = os.path.join(FOLDER, "Torch")
_extend_torch_proxy_overrides({"torch.utils.cmake_prefix_path": RawOverriddenAttribute(FOLDER)})
