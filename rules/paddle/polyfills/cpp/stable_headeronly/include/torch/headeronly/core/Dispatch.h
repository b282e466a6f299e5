#pragma once
#include <ATen/Dispatch.h>

#define THO_DISPATCH_SWITCH(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, __VA_ARGS__)

#define THO_DISPATCH_CASE(TYPE, ...) AT_DISPATCH_CASE(TYPE, __VA_ARGS__)
