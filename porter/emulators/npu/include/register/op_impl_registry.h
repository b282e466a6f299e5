// The host side of operators is in one header here.
// IMPL_OP registrations are for graphs, which are not emulated.
#pragma once
#include "../emulated_npu/operators.h"
