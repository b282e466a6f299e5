#pragma once
#include <torch/nn/modules/dropout.h>
