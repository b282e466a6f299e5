"""Where torch_npu is installed and its version, without importing it: it needs CANN for that."""

import importlib.metadata
import importlib.util
import json
import sys

spec = importlib.util.find_spec("torch_npu")
if spec is None or not spec.submodule_search_locations:
    sys.exit("torch_npu is not installed")
answer = {
    "folder": spec.submodule_search_locations[0],
    "version": importlib.metadata.version("torch_npu"),
}
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(answer, file)
