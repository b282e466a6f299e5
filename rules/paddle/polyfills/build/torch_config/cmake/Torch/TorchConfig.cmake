# Paddle in the place of Torch, for find_package(Torch): written by porter.
#
# Sets what torch's own package sets: TORCH_FOUND, TORCH_INSTALL_PREFIX, TORCH_INCLUDE_DIRS,
# TORCH_LIBRARIES, TORCH_CXX_FLAGS, Torch_VERSION, and the targets torch, torch_library, torch_cpu,
# torch_cuda, torch_python, c10, c10_cuda. The interpreter asked is the one that the project found
# or was given (Python_EXECUTABLE, Python3_EXECUTABLE, PYTHON_EXECUTABLE), else `python3`.

foreach(_candidate "${Python_EXECUTABLE}" "${Python3_EXECUTABLE}" "${PYTHON_EXECUTABLE}" python3)
  if(_candidate)
    set(_paddle_python "${_candidate}")
    break()
  endif()
endforeach()

get_filename_component(_paddle_unit "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
execute_process(
  COMMAND "${_paddle_python}" -c "import os, sysconfig, paddle
print(paddle.__version__, os.path.dirname(paddle.__file__), sysconfig.get_paths()['include'],
      int(paddle.is_compiled_with_cuda()), sep=';')"
  OUTPUT_VARIABLE _paddle_said
  RESULT_VARIABLE _paddle_failed
  ERROR_QUIET
  OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE ".*\n" "" _paddle_said "${_paddle_said}")
if(_paddle_failed)
  set(Torch_FOUND FALSE)
  set(Torch_NOT_FOUND_MESSAGE "${_paddle_python} cannot import paddle: set Python_EXECUTABLE")
  return()
endif()
list(GET _paddle_said 0 Torch_VERSION)
list(GET _paddle_said 1 TORCH_INSTALL_PREFIX)
list(GET _paddle_said 2 _paddle_python_include)
list(GET _paddle_said 3 _paddle_cuda)

set(_paddle_include "${TORCH_INSTALL_PREFIX}/include")
set(_paddle_compat "${_paddle_include}/paddle/phi/api/include/compat")
set(TORCH_INCLUDE_DIRS
    "${_paddle_include}" "${_paddle_include}/third_party" "${_paddle_compat}"
    "${_paddle_compat}/torch/csrc/api/include" "${_paddle_python_include}")
if(EXISTS "${_paddle_unit}/headers.py")
  set(_paddle_merged "${CMAKE_CURRENT_BINARY_DIR}/porter_compat")
  execute_process(
    COMMAND "${_paddle_python}" "${_paddle_unit}/headers.py" "${_paddle_merged}"
            "${_paddle_unit}/include" "${_paddle_compat}"
    RESULT_VARIABLE _paddle_failed)
  if(_paddle_failed)
    message(FATAL_ERROR "${_paddle_unit}/headers.py failed")
  endif()
  list(PREPEND TORCH_INCLUDE_DIRS "${_paddle_merged}")
endif()

file(GLOB _paddle_libraries "${TORCH_INSTALL_PREFIX}/base/libpaddle.so"
     "${TORCH_INSTALL_PREFIX}/libs/libphi*.so" "${TORCH_INSTALL_PREFIX}/libs/libcommon.so")
set(_paddle_definitions PADDLE_WITH_CUSTOM_KERNEL _GLIBCXX_USE_CXX11_ABI=1)
if(_paddle_cuda)
  find_package(CUDAToolkit REQUIRED)
  list(APPEND _paddle_definitions PADDLE_WITH_CUDA EIGEN_USE_GPU)
  # Some functions in Paddle's CUDA headers are not inline: every object has them.
  list(APPEND _paddle_libraries CUDA::cudart -Wl,-z,muldefs)
endif()
set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI=1")
foreach(_name torch torch_library torch_cpu torch_cpu_library torch_python c10)
  if(NOT TARGET ${_name})
    add_library(${_name} INTERFACE IMPORTED)
    set_target_properties(
      ${_name} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${TORCH_INCLUDE_DIRS}"
      INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ""
      INTERFACE_COMPILE_DEFINITIONS "${_paddle_definitions}"
      INTERFACE_COMPILE_FEATURES cxx_std_17
      INTERFACE_LINK_LIBRARIES "${_paddle_libraries}")
  endif()
endforeach()
if(_paddle_cuda)
  foreach(_name torch_cuda torch_cuda_library c10_cuda)
    if(NOT TARGET ${_name})
      add_library(${_name} INTERFACE IMPORTED)
      set_target_properties(${_name} PROPERTIES INTERFACE_LINK_LIBRARIES torch)
    endif()
  endforeach()
endif()
set(TORCH_LIBRARIES torch)
# Looked for by name in extensions with Python bindings; Paddle has them in its one library.
list(GET _paddle_libraries 0 _paddle_first)
set(TORCH_PYTHON_LIBRARY "${_paddle_first}" CACHE FILEPATH "what binds torch to Python")
set(TORCH_LIBRARY "${_paddle_first}" CACHE FILEPATH "the library of torch")
set(C10_LIBRARY "${_paddle_first}" CACHE FILEPATH "the library of c10")
set(Torch_FOUND TRUE)
set(TORCH_FOUND TRUE)
