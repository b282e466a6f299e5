#pragma once
#include <c10/cuda/CUDAFunctions.h>
