#pragma once
#include <c10/cuda/PhiloxCudaState.h>
