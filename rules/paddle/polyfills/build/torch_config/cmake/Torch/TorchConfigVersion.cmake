# Finds Paddle, and gives its version, which is also that of its proxy for torch, as Torch's, or the
# one that porter-compat says: whatever version a project asks for. The interpreter asked is the one the project has found or was given.

set(_python python3)
foreach(_candidate "$ENV{PORTER_COMPAT_PYTHON}" "${PYTHON_EXECUTABLE}" "${Python3_EXECUTABLE}" "${Python_EXECUTABLE}")
  if(_candidate)
    set(_python "${_candidate}")
  endif()
endforeach()
execute_process(
  COMMAND "${_python}" -c "import os, sysconfig, paddle
print(os.environ.get('PORTER_TORCH_VERSION', paddle.__version__), os.path.dirname(paddle.__file__), sysconfig.get_paths()['include'],
      int(paddle.is_compiled_with_cuda()), '${_python}', sep=';')"
  OUTPUT_VARIABLE _said
  ERROR_QUIET
  OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE ".*\n" "" _said "${_said}")
list(LENGTH _said _count)
if(_count EQUAL 5)
  list(GET _said 0 PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
else()
  set(PACKAGE_VERSION "none: ${_python} cannot import paddle; set Python_EXECUTABLE")
  set(PACKAGE_VERSION_UNSUITABLE TRUE)
endif()
set(_paddle_said "${_said}" CACHE INTERNAL "of Paddle: version, folder, Python.h, CUDA, python")
