"""JUnit XML, as build servers read it: the compared tests, and the parity cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from porter.model import ParityResult, Status
from porter.report.sides import ComparedTest, Side, compare_tests
from porter.run.record import RunRecord

Case = tuple[str, str, str, str, str, str]  # class, name, kind or nothing, type, message, text
_KINDS = {
    Side.SOURCE: "failure",
    **dict.fromkeys((Side.FLAKY, Side.NEITHER, Side.SKIPPED), "skipped"),
}
_SAID = {
    Side.FLAKY: "passes in some runs under the source framework, and fails in others",
    Side.NEITHER: "does not pass under the source framework either",
    Side.SKIPPED: "skipped under both frameworks",
}


def junit(record: RunRecord) -> str:
    """Return one suite for the repository's tests on the target, and one for the parity cases."""
    root = ElementTree.Element("testsuites", name=f"porter {record.target}")
    root.append(_suite("repository tests", map(_test, compare_tests(record))))
    root.append(_suite("porter parity", map(_parity, record.verification.parity)))
    return _text(root)


def junit_of_parity(results: Sequence[ParityResult]) -> str:
    """Return the parity cases alone."""
    return _text(_suite("porter parity", map(_parity, results)))


def _test(one: ComparedTest) -> Case:
    file, _, name = one.name.partition("::")
    raised = one.failure
    place = f"{raised.path}:{raised.line}: {raised.source}" if raised and raised.path else ""
    kind = raised.exception if raised else ""
    message = one.message or _SAID.get(one.side, "")
    return file, name or file, _KINDS.get(one.side, ""), kind, message, place


def _parity(one: ParityResult) -> Case:
    kind = {Status.OK: "", Status.FAILED: "failure"}.get(one.status, "skipped")
    return f"parity.{one.device}", one.case, kind, one.phase, one.message, one.smallest


def _suite(name: str, cases: Iterator[Case]) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=name)
    numbers = {"failure": 0, "skipped": 0}
    for folder, title, kind, type_, message, text in cases:
        case = ElementTree.SubElement(
            suite, "testcase", name=_printable(title), classname=_printable(folder)
        )
        if kind:
            numbers[kind] += 1
            found = ElementTree.SubElement(
                case, kind, type=_printable(type_), message=_printable(message)
            )
            found.text = _printable(text) or None
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(numbers["failure"]))
    suite.set("skipped", str(numbers["skipped"]))
    return suite


def _text(root: ElementTree.Element) -> str:
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _printable(text: str) -> str:
    """Return it without the control characters that XML has no way to write."""
    return "".join(sign for sign in text if sign in "\t\n" or sign.isprintable())
