// c10::List and c10::Dict, which an IValue can be made of.
#pragma once

namespace c10 {

template <class T>
class List;

template <class Key, class Value>
class Dict;

}  // namespace c10
