#pragma once
#include <torch/nn/modules/embedding.h>
