#pragma once
#include <c10/util/SmallVector.h>
