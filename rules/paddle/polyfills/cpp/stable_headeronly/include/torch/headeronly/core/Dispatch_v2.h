#pragma once
#include <ATen/Dispatch_v2.h>

#define THO_DISPATCH_V2(TYPE, NAME, BODY, ...) AT_DISPATCH_V2(TYPE, NAME, AT_WRAP(BODY), __VA_ARGS__)
