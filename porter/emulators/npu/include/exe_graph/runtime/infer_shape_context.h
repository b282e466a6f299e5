// The host side of operators is in one header here.
#pragma once
#include "../../emulated_npu/operators.h"
