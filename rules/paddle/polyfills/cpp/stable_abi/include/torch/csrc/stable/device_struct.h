#pragma once
#include <torch/csrc/stable/device.h>
