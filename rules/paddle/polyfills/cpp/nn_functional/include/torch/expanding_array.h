#pragma once
#include <torch/nn/functional.h>
