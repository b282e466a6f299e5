#pragma once
#include <c10/core/Symfloat.h>
