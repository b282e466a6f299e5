#pragma once
#include "../../emulated_npu/platform.h"
