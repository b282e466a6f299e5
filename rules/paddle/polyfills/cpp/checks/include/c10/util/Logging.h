#pragma once
#include <c10/util/Exception.h>
