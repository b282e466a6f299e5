import contextlib
import fcntl
import importlib.util
import os
import runpy
import shlex
import subprocess
import sys
import sysconfig

import paddle

_HERE = os.path.dirname(os.path.abspath(__file__))
_BINDING = "#include <torch/extension.h>\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{\n{}\n}}\n"


def load(
    name,
    sources,
    extra_cflags=None,
    extra_cuda_cflags=None,
    extra_sycl_cflags=None,
    extra_ldflags=None,
    extra_include_paths=None,
    build_directory=None,
    verbose=False,
    with_cuda=None,
    with_sycl=None,
    is_python_module=True,
    is_standalone=False,
    keep_intermediates=True,
):
    """torch's load(): compile the sources to one library, and import or load it."""
    if is_standalone or with_sycl:
        raise NotImplementedError("load() under Paddle builds CPU and CUDA libraries only")
    sources = [sources] if isinstance(sources, str) else [os.fspath(each) for each in sources]
    folder = build_directory or _folder(name)
    os.makedirs(folder, exist_ok=True)
    cuda = any(each.endswith(".cu") for each in sources) if with_cuda is None else with_cuda
    with open(os.path.join(folder, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several processes load one extension at once
        common = _common(name, folder, extra_include_paths or (), cuda)
        objects = []
        for number, source in enumerate(sources):
            own = (extra_cuda_cflags if source.endswith(".cu") else extra_cflags) or ()
            out = os.path.join(folder, f"{number}.o")
            _run([*_compiler(source, cuda), *common, *own, "-c", source, "-o", out], out, verbose)
            objects.append(out)
        library = os.path.join(folder, f"{name}.so")
        flags = extra_ldflags or ()
        _run([*_cxx(), "-shared", *objects, *_libraries(cuda), *flags, "-o", library], library, verbose)
    if not is_python_module:
        return paddle.utils.cpp_extension.load_op_meta_info_and_register_op(library)
    spec = importlib.util.spec_from_file_location(name, library)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    return module


def load_inline(
    name,
    cpp_sources,
    cuda_sources=None,
    sycl_sources=None,
    functions=None,
    with_pytorch_error_handling=True,
    use_pch=False,
    no_implicit_headers=False,
    **options,
):
    """torch's load_inline(): the same for sources given as text."""
    folder = options.setdefault("build_directory", None) or _folder(name)
    options["build_directory"] = folder
    os.makedirs(folder, exist_ok=True)
    head = "" if no_implicit_headers else "#include <torch/extension.h>\n"
    texts = {"main.cpp": [head, *_listed(cpp_sources)]}
    if isinstance(functions, str):
        functions = [functions]
    if functions:
        named = functions.items() if isinstance(functions, dict) else [(f, f) for f in functions]
        lines = "\n".join(f'  m.def("{each}", &{each}, "{text}");' for each, text in named)
        texts["main.cpp"].append(_BINDING.format(lines))
    if cuda_sources:
        head = "" if no_implicit_headers else "#include <torch/types.h>\n#include <cuda.h>\n"
        texts["cuda.cu"] = [head, "#include <cuda_runtime.h>\n", *_listed(cuda_sources)]
    paths = []
    for file, parts in texts.items():
        path = os.path.join(folder, file)
        paths.append(path)
        if _read(path) != "\n".join(parts):
            with open(path, "w") as new:
                new.write("\n".join(parts))
    return load(name, paths, **options)


def _listed(sources):
    return [sources] if isinstance(sources, str) else list(sources or ())


def _folder(name):
    root = os.environ.get("TORCH_EXTENSIONS_DIR") or os.path.expanduser("~/.cache/paddle_extensions")
    version = f"{sys.implementation.cache_tag}-{paddle.__version__}"
    return os.path.join(root, version, name)


def _common(name, folder, includes, cuda):
    """What every unit is compiled with; the unit's headers come first."""
    include = paddle.sysconfig.get_include()
    compat = f"{include}/paddle/phi/api/include/compat"
    folders = [include, f"{include}/third_party", compat, f"{compat}/torch/csrc/api/include"]
    if os.path.isfile(os.path.join(_HERE, "headers.py")):
        place = os.path.join(folder, "porter_compat")
        merged = runpy.run_path(os.path.join(_HERE, "headers.py"))["merged"]
        folders.insert(0, merged(os.path.join(_HERE, "include"), compat, place))
    folders.append(sysconfig.get_paths()["include"])
    flags = [f"-I{each}" for each in (folders[0], *includes, *folders[1:])]
    flags += [f"-DTORCH_EXTENSION_NAME={name}", "-DPADDLE_WITH_CUSTOM_KERNEL", "-std=c++17", "-O2"]
    if cuda:
        home = paddle.utils.cpp_extension.CUDA_HOME
        flags += ["-DPADDLE_WITH_CUDA", "-DEIGEN_USE_GPU", f"-I{home}/include"]
    return [*flags, "-D_GLIBCXX_USE_CXX11_ABI=1"]


def _compiler(source, cuda):
    if not source.endswith(".cu"):
        return [*_cxx(), "-fPIC"]
    if not cuda or not paddle.is_compiled_with_cuda():
        raise RuntimeError(f"{source} is a CUDA source, and this Paddle is built for the CPU only")
    nvcc = os.path.join(paddle.utils.cpp_extension.CUDA_HOME, "bin", "nvcc")
    return [nvcc, "-Xcompiler", "-fPIC", "--expt-relaxed-constexpr", *_architecture()]


def _architecture():
    major, minor = paddle.device.cuda.get_device_capability()
    return ["-gencode", f"arch=compute_{major}{minor},code=sm_{major}{minor}"]


def _cxx():
    return shlex.split(os.environ.get("CXX", "g++"))


def _libraries(cuda):
    root = os.path.dirname(paddle.__file__)
    found = [os.path.join(root, "base", "libpaddle.so")]
    libraries = os.path.join(root, "libs")
    found += [os.path.join(libraries, f) for f in ("libphi.so", "libphi_core.so", "libcommon.so")]
    found = [each for each in found if os.path.isfile(each)]
    home = paddle.utils.cpp_extension.CUDA_HOME
    return [*found, *([f"-L{home}/lib64", "-lcudart"] if cuda else [])]


def _run(command, out, verbose):
    """Run a compiler, unless what it makes is there, of the same command and no older input."""
    listed, stamp = f"{out}.d", f"{out}.command"
    if out.endswith(".o"):
        command = [*command, "-MMD", "-MF", listed]
    if _read(stamp) == repr(command) and os.path.exists(out):
        inputs = _read(listed).replace("\\\n", " ").partition(":")[2].split()
        inputs += [each for each in command if each.endswith(".o") and each != out]
        made = os.path.getmtime(out)
        if all(os.path.exists(each) and os.path.getmtime(each) <= made for each in inputs):
            return
    if verbose:
        print(shlex.join(command), flush=True)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"Error building extension: {shlex.join(command)}\n{done.stderr}")
    with open(stamp, "w") as new:
        new.write(repr(command))


def _read(path):
    with contextlib.suppress(FileNotFoundError), open(path) as file:
        return file.read()
    return ""
