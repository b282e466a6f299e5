#pragma once
#include <ATen/DeviceGuard.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <porter_compat/aclnn.h>
#include <torch_npu/csrc/core/npu/NPUGuard.h>
#include <torch_npu/csrc/core/npu/NPUStream.h>
#include <torch_npu/csrc/framework/OpCommand.h>
#include <torch_npu/csrc/framework/utils/OpPreparation.h>

#define EXEC_NPU_CMD_EXT(aclnn_api, ...) \
  at_npu::native::compat_detail::call_aclnn(#aclnn_api, __VA_ARGS__)
