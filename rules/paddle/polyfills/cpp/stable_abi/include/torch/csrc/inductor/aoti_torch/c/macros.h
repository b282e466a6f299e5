#pragma once
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
