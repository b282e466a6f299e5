#pragma once
#include <torch/headeronly/util/Exception.h>

#ifndef TORCH_ERROR_CODE_CHECK
#define TORCH_ERROR_CODE_CHECK(call)                                                       \
  ((call) == 0 ? void(0)                                                                   \
               : ::torch::headeronly::compat_detail::fail("", __FILE__, __LINE__, #call " failed"))
#endif
