"""Names of the standard library that no header which is included is known to declare."""

from collections.abc import Iterator

from porter.languages.cpp import HEADERS, Unit
from porter.languages.cpp_tokens import first_includes
from porter.model import Match, ProjectFacts, Span
from porter.rules.includes import add_include

_STREAMS = "iomanip iostream fstream condition_variable future complex iterator regex filesystem"
_HASHED = "memory functional mutex thread map unordered_map unordered_set condition_variable future"
# Header, names, and the other headers that give all of them: g++ 12's libstdc++, compiled each
# alone as C++17.
_NAMES = (
    ("memory", "unique_ptr make_unique", "thread condition_variable future regex filesystem"),
    ("memory", "shared_ptr make_shared", "condition_variable future regex filesystem"),
    ("functional", "function", "future regex"),
    (
        "limits",
        "numeric_limits",
        "mutex thread cmath random chrono condition_variable future complex valarray filesystem "
        "shared_mutex math.h",
    ),
    (
        "stdexcept",
        "runtime_error logic_error invalid_argument out_of_range",
        f"mutex sstream shared_mutex {_STREAMS}",
    ),
    ("algorithm", "sort transform reverse min_element max_element", "functional valarray regex"),
    ("numeric", "accumulate iota", "random"),
    ("mutex", "mutex lock_guard", "condition_variable future shared_mutex"),
    ("mutex", "unique_lock", "condition_variable future"),
    ("thread", "thread", "future"),
    ("array", "array", f"{_HASHED} tuple regex filesystem"),
    ("tuple", "make_tuple tie", f"{_HASHED} regex filesystem"),
    ("optional", "optional nullopt", ""),
    (
        "sstream",
        "stringstream ostringstream istringstream",
        f"memory stdexcept string mutex thread bitset random string_view shared_mutex {_STREAMS}",
    ),
    ("iostream", "cout cerr", ""),
    ("iomanip", "setw setprecision", "filesystem"),
    ("map", "map", "regex"),
    ("set", "set", ""),
    ("unordered_map", "unordered_map", "functional"),
    ("unordered_set", "unordered_set", ""),
    ("vector", "vector", "functional queue random regex"),
    ("deque", "deque", "queue stack regex"),
    ("list", "list", ""),
    ("atomic", "atomic", "memory future"),
    ("cstring", "memcpy memset strlen", "string.h"),
    (
        "string",
        "string to_string",
        f"stdexcept mutex sstream bitset random shared_mutex {_STREAMS}",
    ),
)
_HEADERS = {
    f"std::{name}": (header, frozenset((header, *givers.split())))
    for header, names, givers in _NAMES
    for name in names.split()
}
_OTHERS = (
    "any cassert cctype cfloat chrono climits cmath codecvt complex csignal cstdarg cstddef "
    "cstdint cstdio cstdlib ctime exception filesystem future initializer_list iosfwd istream "
    "iterator locale new ostream queue random ratio regex shared_mutex stack string_view "
    "system_error type_traits typeindex typeinfo utility valarray variant assert.h ctype.h "
    "errno.h float.h limits.h math.h stddef.h stdint.h stdio.h stdlib.h string.h time.h"
)
# Of these it is known what they bring; any other header may bring everything.
_KNOWN = {*_OTHERS.split(), *(header for header, _ in _HEADERS.values())}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    refused = {name for path, name in facts.undeclared if path == unit.path}
    if not refused and (unit.path.endswith(HEADERS) or first_includes(unit.data) - _KNOWN):
        return  # before the tokens of all files are read
    included = {header for header, _ in unit.includes}
    # A header may rely on what its includers include first.
    alone = bool(included) and not included - _KNOWN and not unit.path.endswith(HEADERS)
    added: set[str] = set()
    for name, first, last in unit.full_names():
        header, givers = _HEADERS.get(name, ("", frozenset()))
        unknown = name in refused and header not in included
        unknown |= alone and not givers & included
        if header and header not in added and unknown:
            added.add(header)
            span = Span(unit.tokens[first].span.start, unit.tokens[last].span.end)
            yield Match(span, add_include(unit, header, beside=("",)), name=name)
