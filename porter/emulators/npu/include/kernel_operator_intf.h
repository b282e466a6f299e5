// The whole API is in one header here.
#pragma once
#include "kernel_operator.h"
