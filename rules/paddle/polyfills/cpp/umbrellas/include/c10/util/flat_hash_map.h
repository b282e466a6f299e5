#pragma once
#include <unordered_map>
