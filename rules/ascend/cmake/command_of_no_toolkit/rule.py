"""`ascendc_add_library(...)` and `find_package(CANN)`, which texts invent."""

from collections.abc import Iterator

from porter.languages.cmake import Document
from porter.model import Edit, Match, ProjectFacts, Safety

LIBRARY = "CANN has no ascendc_add_library: ascendc_library(name STATIC sources...) makes one"
PACKAGE = "CANN brings no package CANN: include(${ASCENDC_CMAKE_DIR}/ascendc.cmake) is its own way"
# Both places that releases of the toolkit have it at; -DASCENDC_CMAKE_DIR=... says another one.
INCLUDE = """\
find_path(ASCENDC_CMAKE_DIR ascendc.cmake PATHS $ENV{ASCEND_HOME_PATH}
          PATH_SUFFIXES compiler/tikcpp/ascendc_kernel_cmake tools/tikcpp/ascendc_kernel_cmake)
include(${ASCENDC_CMAKE_DIR}/ascendc.cmake)"""


def check(document: Document, facts: ProjectFacts) -> Iterator[Match]:
    for command in document.calls_to("ascendc_add_library"):
        edit = Edit(command.name_span, b"ascendc_library")
        yield Match(command.span, (edit,), message=LIBRARY)
    own = b"CMAKE_MODULE_PATH" in document.data
    used = b"CANN_" in document.data or b"CANN::" in document.data  # what the package would give
    for command in document.calls_to("find_package"):
        if command.arguments and command.arguments[0].value == "CANN" and not own:
            edits = () if used else (Edit(command.span, document.encode(INCLUDE)),)
            yield Match(command.span, edits, PACKAGE, Safety.MANUAL if used else None)
