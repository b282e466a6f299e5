#pragma once
#include <ATen/Parallel.h>
