"""The files of a plugin that are the same whatever its operators are."""

from __future__ import annotations

REGISTRY = """\
// Functions of any file get into the one module of the library:
// PLUGIN_EXTENSION_MODULE(m) { m.def(...); }
#ifndef PLUGIN_MODULE_MODULE_H
#define PLUGIN_MODULE_MODULE_H
#include <functional>
#include <vector>

#include <pybind11/pybind11.h>

using Registration = std::function<void(pybind11::module_ &)>;

inline std::vector<Registration> &Registrations() {
    static std::vector<Registration> all;
    return all;
}

struct Registrar {
    explicit Registrar(const Registration &function) { Registrations().push_back(function); }
};

#define JOIN_WORDS(a, b) a##b
#define JOIN(a, b) JOIN_WORDS(a, b)
#define PLUGIN_EXTENSION_MODULE(m)                                                      \\
    static void JOIN(register_at_, __LINE__)(pybind11::module_ &);                      \\
    static const Registrar JOIN(registrar_at_, __LINE__)(JOIN(register_at_, __LINE__)); \\
    static void JOIN(register_at_, __LINE__)(pybind11::module_ & m)

#endif  // PLUGIN_MODULE_MODULE_H
"""
LAUNCH = """\
// What the operators of this plugin share: runs in the framework's queue, checks, types.
#ifndef PLUGIN_MODULE_LAUNCH_H
#define PLUGIN_MODULE_LAUNCH_H
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ms_extension/api.h"

// Runs a function where the framework runs kernels: in its queue, when the outputs have memory.
class LaunchRunner : public ms::pynative::PyboostRunner {
public:
    using PyboostRunner::PyboostRunner;
    void LaunchKernel() override { this->launch(stream()); }
    std::function<void(void *)> launch;
};

inline void RunOnStream(const std::string &name, const std::vector<ms::Tensor> &inputs,
                        const std::vector<ms::Tensor> &outputs,
                        std::function<void(void *)> launch) {
    auto runner = std::make_shared<LaunchRunner>(name);
    runner->launch = std::move(launch);
    runner->Run(inputs, outputs);
}

inline void RunLaunch(const std::string &name, const std::vector<ms::Tensor> &inputs,
                      const std::vector<ms::Tensor> &outputs, std::function<void()> launch) {
    RunOnStream(name, inputs, outputs, [launch = std::move(launch)](void *) { launch(); });
}

template <typename... Parts>
void RequireThat(bool holds, const Parts &... parts) {
    if (!holds) {
        std::ostringstream said;
        (said << ... << parts);
        throw std::runtime_error(said.str());
    }
}

inline bool IsFloatingPoint(const ms::Tensor &tensor) {
    const auto type = tensor.data_type();
    return type == ms::TypeId::kNumberTypeFloat16 || type == ms::TypeId::kNumberTypeBFloat16 ||
           type == ms::TypeId::kNumberTypeFloat32 || type == ms::TypeId::kNumberTypeFloat64;
}

#define DISPATCH_TYPE(type, kind, ...)  \\
    case ms::TypeId::kNumberType##type: { \\
        using scalar_t = kind;            \\
        __VA_ARGS__();                    \\
        break;                            \\
    }
#define DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                               \\
    switch (TYPE) {                                                            \\
        DISPATCH_TYPE(Float32, float, __VA_ARGS__)                             \\
        DISPATCH_TYPE(Float64, double, __VA_ARGS__)                            \\
        default: throw std::runtime_error(NAME ": not for tensors of this type"); \\
    }
#define DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                    \\
    switch (TYPE) {                                                            \\
        DISPATCH_TYPE(Float32, float, __VA_ARGS__)                             \\
        DISPATCH_TYPE(Float64, double, __VA_ARGS__)                            \\
        DISPATCH_TYPE(UInt8, uint8_t, __VA_ARGS__)                             \\
        DISPATCH_TYPE(Int8, int8_t, __VA_ARGS__)                               \\
        DISPATCH_TYPE(Int16, int16_t, __VA_ARGS__)                             \\
        DISPATCH_TYPE(Int32, int32_t, __VA_ARGS__)                             \\
        DISPATCH_TYPE(Int64, int64_t, __VA_ARGS__)                             \\
        default: throw std::runtime_error(NAME ": not for tensors of this type"); \\
    }

#endif  // PLUGIN_MODULE_LAUNCH_H
"""
MODULE = """\
#include "module/module.h"

PYBIND11_MODULE(MS_EXTENSION_NAME, m) {
    for (const Registration &function : Registrations()) {
        function(m);
    }
}
"""
BUILD = """\
{imports}from pathlib import Path

import mindspore
from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

CSRC = Path(__file__).parent.absolute() / "csrc"


class Build(build_ext):
    \"\"\"CustomOpBuilder makes the library, which gets the name of a Python module here.\"\"\"

    def build_extension(self, extension):
        library = Path(self.get_ext_fullpath(extension.name)).absolute()
{kernels}        built = mindspore.ops.CustomOpBuilder(
            name="_C_ops",
            sources=[str(source) for source in sorted(CSRC.glob("module/*.cpp"))],
            backend="{backend}",
            cflags=f"-I{{CSRC}}",
{ldflags}            build_dir=str(Path(self.build_temp).absolute()),
        ).build()
        library.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built, library)


setup(
    name="{distribution}",
    version="0.1",
    packages=find_packages(include=["{package}"]),
    install_requires=["mindspore", "numpy<2"],
    ext_modules=[Extension("{package}._C_ops", sources=[])],
    cmdclass={{"build_ext": Build}},
)
"""
# Where there are kernels: their library beside the one that calls them.
IMPORTS = "import os\nimport shutil\nimport subprocess\n"
KERNELS = """\
        library.parent.mkdir(parents=True, exist_ok=True)
        kernels = [str(source) for source in sorted(CSRC.glob("ascendc/*.asc"))]
        output = library.parent / "lib{package}_kernels.so"
        chip = os.environ.get("NPU_ARCH", "{architecture}")
        flags = [f"--npu-arch={{chip}}", "-std=c++17", "-shared", "-fPIC", "-o", str(output)]
        subprocess.run(["bisheng", "-x", "asc", *kernels, *flags], check=True)
"""
LDFLAGS = """\
            ldflags=f"-L{{library.parent}} -l{package}_kernels -Wl,-rpath,'$$ORIGIN'",
"""
OPERATORS = """\
import mindspore


def _with_memory(result):
    \"\"\"An empty result that no run was needed for has none, and operators ask for it.\"\"\"
    if isinstance(result, (list, tuple)):
        return type(result)(_with_memory(each) for each in result)
    if isinstance(result, mindspore.Tensor) and result.size == 0:
        return mindspore.mint.zeros(result.shape, dtype=result.dtype)
    return result
"""
WRAPPER = """\
def {name}({parameters}):
    from {package} import _C_ops

    return _with_memory(_C_ops.{name}({given}))
"""
# On the CPU of MindSpore 2.10 its own operators compute before a run that is queued (18 of 20 times
# `f(x) + 0` was wrong), and asnumpy() waits for that.
WAITING_WRAPPER = """\
def {name}({parameters}):
    from {package} import _C_ops

    result = _with_memory(_C_ops.{name}({given}))
    {waited}.asnumpy()  # MindSpore's own operators do not wait for this one on a CPU
    return result
"""
AUTOGRAD = """\
\"\"\"Gradients as torch's code registers them, in the bprop of MindSpore's cells.\"\"\"

import functools
import inspect

import mindspore

from {package} import _custom_ops


class Context:
    \"\"\"What a forward keeps for its backward.\"\"\"

    saved_tensors = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors):
        \"\"\"MindSpore asks for the gradients of what is used only.\"\"\"


class Call(mindspore.nn.Cell):
    \"\"\"One call: `forward(context, ...)` and `backward(context, gradients...)`.\"\"\"

    def __init__(self, forward, backward):
        super().__init__()
        self.forward = forward
        self.backward = backward
        self.context = Context()

    def construct(self, *args):
        return self.forward(self.context, *args)

    def bprop(self, *args):
        gradients = args[-1] if isinstance(args[-1], tuple) else args[-1:]
        found = self.backward(self.context, *gradients)
        return found if isinstance(found, tuple) else (found,)


class Function:
    \"\"\"What has `forward` and `backward` as static methods.\"\"\"

    @classmethod
    def apply(cls, *args):
        return Call(cls.forward, cls.backward)(*args)


def register(name, backward, *, setup_context=None):
    \"\"\"Differentiate an operator of the plugin, if it is one.\"\"\"
    name = name.rpartition("::")[2]
    operator = getattr(_custom_ops, name, None)
    if operator is None:
        return

    def forward(context, *args):
        result = operator(*args)
        if setup_context is not None:
            setup_context(context, args, result)
        return result

    @functools.wraps(operator)
    def call(*args, **named):
        given = inspect.signature(operator).bind(*args, **named)
        given.apply_defaults()
        return Call(forward, backward)(*given.args)

    setattr(_custom_ops, name, call)
"""
