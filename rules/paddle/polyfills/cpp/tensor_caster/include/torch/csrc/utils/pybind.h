// torch's header of pybind11 casters, which Paddle lacks.
#pragma once

#if __has_include_next(<torch/csrc/utils/pybind.h>)
#include_next <torch/csrc/utils/pybind.h>
#endif

#include <torch/python.h>
