#pragma once
#include <ATen/core/ivalue.h>
