"""`ascendc_add_library(...)` and `find_package(CANN)`, which texts invent."""

from collections.abc import Iterator

from porter.languages.cmake import Document
from porter.model import Edit, Match, ProjectFacts

LIBRARY = "CANN has no ascendc_add_library: ascendc_library(name STATIC sources...) makes one"
PACKAGE = "CANN brings no package CANN: include(${ASCENDC_CMAKE_DIR}/ascendc.cmake) is its own way"


def check(document: Document, facts: ProjectFacts) -> Iterator[Match]:
    for command in document.calls_to("ascendc_add_library"):
        edit = Edit(command.name_span, b"ascendc_library")
        yield Match(command.span, (edit,), message=LIBRARY)
    own = b"CMAKE_MODULE_PATH" in document.data
    for command in document.calls_to("find_package"):
        if command.arguments and command.arguments[0].value == "CANN" and not own:
            yield Match(command.span, message=PACKAGE)
