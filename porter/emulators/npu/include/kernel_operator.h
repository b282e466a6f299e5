// The Ascend C vector API on a CPU: written from its public documentation and from kernels that use it.
#pragma once
#include "emulated_npu/system.h"
