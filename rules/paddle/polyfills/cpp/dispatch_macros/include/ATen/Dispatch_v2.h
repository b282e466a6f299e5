#pragma once
#include <ATen/Dispatch.h>

#define AT_WRAP(...) __VA_ARGS__

#define AT_EXPAND(X) X

#define AT_FLOATING_TYPES ::c10::kDouble, ::c10::kFloat

#define AT_COMPLEX_TYPES ::c10::kComplexDouble, ::c10::kComplexFloat

#define AT_INTEGRAL_TYPES ::c10::kByte, ::c10::kChar, ::c10::kInt, ::c10::kLong, ::c10::kShort

#define AT_BAREBONES_UNSIGNED_TYPES ::c10::kUInt16, ::c10::kUInt32, ::c10::kUInt64

#define AT_INTEGRAL_TYPES_V2 AT_EXPAND(AT_INTEGRAL_TYPES), AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES)

#define AT_FLOAT8_TYPES ::c10::kFloat8_e5m2, ::c10::kFloat8_e4m3fn

#define AT_ALL_TYPES AT_EXPAND(AT_INTEGRAL_TYPES), AT_EXPAND(AT_FLOATING_TYPES)

#define AT_ALL_TYPES_AND_COMPLEX AT_EXPAND(AT_ALL_TYPES), AT_EXPAND(AT_COMPLEX_TYPES)

// A case for each type: each round of scanning gives one more.
#define PORTER_CASES(BODY, TYPE, ...)                                \
  AT_DISPATCH_CASE(TYPE, PORTER_UNWRAP BODY)                         \
  __VA_OPT__(PORTER_CASES_AGAIN PORTER_NOTHING()()(BODY, __VA_ARGS__))

#define PORTER_CASES_AGAIN() PORTER_CASES

#define PORTER_NOTHING()

#define PORTER_UNWRAP(...) __VA_ARGS__

#define PORTER_SCAN4(...) PORTER_SCAN2(PORTER_SCAN2(PORTER_SCAN2(__VA_ARGS__)))

#define PORTER_SCAN2(...) PORTER_SCAN1(PORTER_SCAN1(PORTER_SCAN1(__VA_ARGS__)))

#define PORTER_SCAN1(...) PORTER_SCAN0(PORTER_SCAN0(PORTER_SCAN0(__VA_ARGS__)))

#define PORTER_SCAN0(...) PORTER_SCAN(PORTER_SCAN(PORTER_SCAN(__VA_ARGS__)))

#define PORTER_SCAN(...) __VA_ARGS__

#define AT_DISPATCH_V2(TYPE, NAME, BODY, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, PORTER_SCAN4(PORTER_CASES((BODY), __VA_ARGS__)))
