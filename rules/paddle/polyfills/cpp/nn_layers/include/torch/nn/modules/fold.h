#pragma once
#include <torch/nn/modules/rearranging.h>
