#pragma once
#include <ATen/core/ivalue.h>
#include <ATen/core/List.h>
#include <ATen/core/Dict.h>
#include <c10/util/intrusive_ptr.h>
