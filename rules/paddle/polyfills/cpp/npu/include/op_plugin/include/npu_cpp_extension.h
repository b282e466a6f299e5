#pragma once
#include <npu_cpp_extension.h>
