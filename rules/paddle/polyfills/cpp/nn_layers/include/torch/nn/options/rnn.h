#pragma once
#include <torch/nn/modules/rnn.h>
