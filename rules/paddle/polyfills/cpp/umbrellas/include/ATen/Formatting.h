#pragma once
#include <ATen/core/Formatting.h>
#include <ATen/core/TensorBody.h>
