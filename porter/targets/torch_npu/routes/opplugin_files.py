"""What calls the generator of torch_npu's wheel, beside the entries that it is for."""

from __future__ import annotations

from collections.abc import Sequence

GENERATED = "build/opplugin"
UNIT = f"{GENERATED}/all.cpp"
VERSIONS = "[v2.10, v2.11, v2.12, v2.13]"
ENTRIES = f"""\
# Entries for OpPlugin: schemas, and what computes them.
all_version: {VERSIONS}
official:

custom:
{{entries}}
autograd:

symint:

quant:
"""
DEPRECATED = "deprecated:\n"
DERIVATIVES = f"all_version: {VERSIONS}\nbackward: []\n"
NATIVE = "backend: NPU\ncpp_namespace: at_npu::native\n"
_GENERATE = '''\
"""C++ for the entries of operators.yaml, by the generator of torch_npu's wheel (torchnpugen).

`python generate.py FOLDER` writes it there, and all that has to be compiled into `FOLDER/all.cpp`.
"""

import os
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# By hand: adapters of entries without gen_opapi, and what else they bind.
SOURCES = {sources}
ALL = """{all}"""


def generate(out):
    os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"  # no device is needed
    import torch

    version = torch.__version__.partition("+")[0]
    for folder in ("op_plugin/ops/opapi", "torch_npu/csrc/aten", "torch_npu/utils"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    os.environ["PYTORCH_VERSION"] = version
    os.environ["ACLNN_EXTENSION_SWITCH"] = "TRUE"
    os.environ["ACLNN_EXTENSION_PATH"] = str(out)
    os.environ["PYTORCH_CUSTOM_DERIVATIVES_PATH"] = str(out / "derivatives.yaml")
    os.chdir(out)
    entries, functions = HERE / "operators.yaml", out / "op_plugin_functions.yaml"
    aten, plugin = out / "torch_npu" / "csrc" / "aten", out / "op_plugin"
    run("gen_op_plugin_functions", version=version, output_dir=out, source_yaml=entries)
    run("gen_derivatives", version=version, output_dir=out, source_yaml=HERE / "derivatives.yaml")
    run(
        "gen_op_backend",
        version=version,
        output_dir=plugin,
        source_yaml=functions,
        deprecate_yaml=HERE / "deprecated.yaml",
    )
{structured}    run(
        "gen_backend_stubs",
        output_dir=aten,
        source_yaml=HERE / "native_functions.yaml",
        impl_path=aten,
        op_plugin_impl_path=plugin / "ops",
        op_plugin_yaml_path=functions,
    )
    text = ALL + "".join(f'#include "{{HERE.parent / path}}"\\n' for path in SOURCES)
    (out / "all.cpp").write_text(text)


def run(module, **options):
    sys.argv = [module, *(f"--{{name}}={{value}}" for name, value in options.items())]
    runpy.run_module(f"torchnpugen.{{module}}", run_name="__main__")


if __name__ == "__main__":
    generate(Path(sys.argv[1]).resolve())
'''
_STRUCTURED = """\
    run(
        "struct.gen_struct_opapi",
        output_dir=plugin / "ops" / "opapi",
        native_yaml=functions,
        struct_yaml=entries,
    )
"""
_PARTS = (
    "op_plugin/OpInterfaceEverything.cpp",
    "torch_npu/csrc/aten/CustomRegisterSchema.cpp",
)
_ADAPTERS = "op_plugin/ops/opapi/StructKernelNpuOpApiEverything.cpp"
BUILD = "GeneratedBuild"
CLASS = f'''\
class {BUILD}({{base}}):
    """C++ is generated for the entries for OpPlugin."""

    def run(self):
        subprocess.run([sys.executable, "{{script}}", "{GENERATED}"], check=True)
        super().run()
'''


def generate(sources: Sequence[str], structured: bool) -> str:
    """The script; `structured`: some entries have generated adapters."""
    parts = [*([_ADAPTERS] if structured else []), *_PARTS]
    text = "".join(f'#include "{part}"\n' for part in parts)
    shown = "[" + ", ".join(f'"{source}"' for source in sources) + "]"
    return _GENERATE.format(sources=shown, all=text, structured=_STRUCTURED if structured else "")
