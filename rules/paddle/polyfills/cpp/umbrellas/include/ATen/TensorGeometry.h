#pragma once
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
