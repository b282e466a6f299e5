#pragma once
#include <torch/nn/modules/upsampling.h>
