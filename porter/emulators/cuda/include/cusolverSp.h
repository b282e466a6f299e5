#pragma once
#include "cusolver_common.h"
typedef struct cusolverSpContext *cusolverSpHandle_t;
