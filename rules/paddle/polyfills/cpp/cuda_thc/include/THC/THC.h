#pragma once
#include <THC/THCGeneral.h>
