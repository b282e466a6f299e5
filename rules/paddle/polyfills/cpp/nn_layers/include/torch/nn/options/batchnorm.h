#pragma once
#include <torch/nn/modules/batchnorm.h>
