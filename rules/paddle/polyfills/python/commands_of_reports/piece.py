import locale
import platform
import re
import subprocess
import sys


def run(command):
    """The exit status, the output and the errors of a command: a line for a shell, or a list of arguments."""
    done = subprocess.run(command, capture_output=True, shell=isinstance(command, str))
    encoding = locale.getpreferredencoding()
    return done.returncode, done.stdout.decode(encoding).strip(), done.stderr.decode(encoding).strip()


def run_and_read_all(run_lambda, command):
    """The output of a command, or None where it failed."""
    status, out, _ = run_lambda(command)
    return None if status else out


def run_and_parse_first_match(run_lambda, command, regex):
    """The first group of the expression's first match in the output of a command, or None."""
    out = run_and_read_all(run_lambda, command)
    match = None if out is None else re.search(regex, out)
    return None if match is None else match.group(1)


def run_and_return_first_line(run_lambda, command):
    """The first line of a command's output, or None where it failed."""
    out = run_and_read_all(run_lambda, command)
    return None if out is None else out.split("\n")[0]


def get_gcc_version(run_lambda):
    return run_and_parse_first_match(run_lambda, "gcc --version", r"gcc (.*)")


def get_clang_version(run_lambda):
    return run_and_parse_first_match(run_lambda, "clang --version", r"clang version (.*)")


def get_cmake_version(run_lambda):
    return run_and_parse_first_match(run_lambda, "cmake --version", r"cmake (.*)")


def get_nvidia_smi():
    return "nvidia-smi"


def get_nvidia_driver_version(run_lambda):
    return run_and_parse_first_match(run_lambda, get_nvidia_smi(), r"Driver Version: (.*?) ")


def get_gpu_info(run_lambda):
    """The GPUs that the driver lists, without their identifiers, or None."""
    out = run_and_read_all(run_lambda, f"{get_nvidia_smi()} -L")
    return None if out is None else re.sub(r" \(UUID: .+?\)", "", out)


def get_running_cuda_version(run_lambda):
    return run_and_parse_first_match(run_lambda, "nvcc --version", r"release .+ V(.*)")


def get_cpu_info(run_lambda):
    """What lscpu prints, or why it did not."""
    if get_platform() != "linux":
        return ""
    status, out, errors = run_lambda("lscpu")
    return errors if status else out


def get_platform():
    """The platform's name without a version."""
    known = (name for name in ("linux", "win32", "cygwin", "darwin") if sys.platform.startswith(name))
    return next(known, sys.platform)


def get_lsb_version(run_lambda):
    return run_and_parse_first_match(run_lambda, "lsb_release -a", r"Description:\t(.*)")


def check_release_file(run_lambda):
    return run_and_parse_first_match(run_lambda, "cat /etc/*-release", r'PRETTY_NAME="(.*)"')


def get_os(run_lambda):
    """The name of the system, and the machine's kind in brackets."""
    if get_platform() != "linux":
        return get_platform()
    found = get_lsb_version(run_lambda) or check_release_file(run_lambda) or get_platform()
    return f"{found} ({platform.machine()})"


def get_python_platform():
    return platform.platform()


def get_libc_version():
    return "-".join(platform.libc_ver()) if get_platform() == "linux" else "N/A"
