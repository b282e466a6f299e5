// Functions of newer standard libraries of C++ than the installed one may be. torch's libraries
// have them (its compiler puts them into each library), and wheels find them there.
#include "abi.h"

#include <cstring>
#include <ios>
#include <iostream>

// std::string's replacing of characters by some that are its own, in the memory that it has:
// `length` characters at `place` become `count` from `source`, and `rest` follow.
extern "C" VISIBLE void shim_replace_cold(void*, char* place, size_t length,
                                             const char* source, size_t count, size_t rest)
    asm("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE15_M_replace_coldEPcmPKcmm");

void shim_replace_cold(void*, char* place, size_t length, const char* source, size_t count,
                       size_t rest) {
  const std::vector<char> copy(source, source + count);
  std::memmove(place + count, place + length, rest);
  if (count) std::memcpy(place, copy.data(), count);
}

// Makes std::cout and its like ready.
extern "C" VISIBLE void shim_library_init() asm("_ZSt21ios_base_library_initv");

void shim_library_init() { static std::ios_base::Init once; }
