#pragma once
#include <ATen/Context.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Logging.h>
