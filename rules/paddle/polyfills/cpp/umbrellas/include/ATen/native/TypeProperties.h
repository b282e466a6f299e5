#pragma once
#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>
