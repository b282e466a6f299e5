#pragma once
#include <torch/nn/modules/instancenorm.h>
