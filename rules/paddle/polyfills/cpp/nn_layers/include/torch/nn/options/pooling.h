#pragma once
#include <torch/nn/modules/pooling.h>
