#pragma once
#include "emulated/paddle.h"
