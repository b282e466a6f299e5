#pragma once

namespace c10 {

using SymBool = bool;

}  // namespace c10
