# Paddle in the place of Torch, for find_package(Torch): written by porter.
#
# Sets what torch's own package sets: TORCH_FOUND, TORCH_INSTALL_PREFIX, TORCH_INCLUDE_DIRS,
# TORCH_LIBRARIES, TORCH_CXX_FLAGS and the targets torch, torch_library, torch_cpu, torch_cuda,
# torch_python, c10, c10_cuda. TorchConfigVersion.cmake, beside it, has found Paddle.

list(GET _paddle_said 1 _paddle)
list(GET _paddle_said 2 _paddle_python_include)
list(GET _paddle_said 3 _paddle_cuda)
list(GET _paddle_said 4 _paddle_python)

get_filename_component(_paddle_unit "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(_paddle_compat "${_paddle}/include/paddle/phi/api/include/compat")
set(TORCH_INCLUDE_DIRS
    "${_paddle}/include" "${_paddle}/include/third_party" "${_paddle_compat}"
    "${_paddle_compat}/torch/csrc/api/include" "${_paddle_python_include}")
set(TORCH_INSTALL_PREFIX "${CMAKE_CURRENT_BINARY_DIR}/porter_torch")
if(EXISTS "${_paddle_unit}/headers.py")
  # not as a script: modules beside it have names of Python's own
  execute_process(
    COMMAND "${_paddle_python}" -c "import runpy, sys
print(runpy.run_path(sys.argv[1])['merged'](*sys.argv[2:]))"
            "${_paddle_unit}/headers.py" "${_paddle_unit}/include" "${_paddle_compat}"
            "${TORCH_INSTALL_PREFIX}/include"
    OUTPUT_VARIABLE _paddle_headers OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE _paddle_failed)
  if(_paddle_failed)
    message(FATAL_ERROR "${_paddle_unit}/headers.py failed")
  endif()
  string(REGEX REPLACE ".*\n" "" _paddle_headers "${_paddle_headers}")
  list(PREPEND TORCH_INCLUDE_DIRS "${_paddle_headers}")
endif()

# Libraries that are looked for by name in torch's folder: all are in Paddle's one.
file(MAKE_DIRECTORY "${TORCH_INSTALL_PREFIX}/lib")
foreach(_name torch torch_cpu torch_python c10)
  file(CREATE_LINK "${_paddle}/base/libpaddle.so" "${TORCH_INSTALL_PREFIX}/lib/lib${_name}.so"
       SYMBOLIC)
endforeach()
set(TORCH_LIBRARY "${TORCH_INSTALL_PREFIX}/lib/libtorch.so" CACHE FILEPATH "as torch sets it")

file(GLOB _paddle_libraries "${_paddle}/base/libpaddle.so" "${_paddle}/libs/libphi*.so"
     "${_paddle}/libs/libcommon.so")
set(_paddle_definitions PADDLE_WITH_CUSTOM_KERNEL _GLIBCXX_USE_CXX11_ABI=1)
set(_paddle_targets torch torch_library torch_cpu torch_cpu_library torch_python c10)
if(_paddle_cuda)
  find_package(CUDAToolkit REQUIRED)
  list(APPEND _paddle_definitions PADDLE_WITH_CUDA EIGEN_USE_GPU)
  # Some functions in Paddle's CUDA headers are not inline: every object has them.
  list(APPEND _paddle_libraries CUDA::cudart -Wl,-z,muldefs)
  list(APPEND _paddle_targets torch_cuda torch_cuda_library c10_cuda)
endif()
set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI=1")
foreach(_name ${_paddle_targets})
  if(NOT TARGET ${_name})
    add_library(${_name} INTERFACE IMPORTED)
    set_target_properties(
      ${_name} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${TORCH_INCLUDE_DIRS}"
      INTERFACE_COMPILE_DEFINITIONS "${_paddle_definitions}"
      INTERFACE_COMPILE_FEATURES cxx_std_17
      INTERFACE_LINK_LIBRARIES "${_paddle_libraries}")
  endif()
endforeach()
set(TORCH_LIBRARIES torch)
set(TORCH_FOUND TRUE)
