#pragma once
#include <torch/all.h>
#include <torch/autograd.h>
#include <torch/custom_class.h>
#include <torch/library.h>
#include <ATen/core/op_registration/op_registration.h>
#include <ATen/core/dispatch/Dispatcher.h>
