// What a compiler for kernels knows without an include; host code and kernels are one here.
#pragma once
#include "launch.h"
#include "types.h"
