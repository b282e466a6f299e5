#pragma once
#include <torch/nn/modules/pixelshuffle.h>
