"""How `import torch` comes to mean a target."""

from __future__ import annotations

from dataclasses import dataclass

from porter.model import Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """The statements that make `import torch` mean a framework, and the modules that they use."""

    dual: str  # where that is asked for
    fork: str  # in a tree that is for the framework only
    imports: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """How Python code makes `import torch` mean the framework, and how it asks whether it does."""

    title: str  # the framework's name in a sentence
    package: str  # what has to be imported for it
    enable: str  # the call that enables it
    enablers: frozenset[str]  # last words of the calls that decide about it
    vendored: Guard  # with that call
    active: str  # an expression that is true where it can be enabled; it uses `sys`
    completed: Guard | None = None  # with the package that completes it
    completion: str = ""  # that package, as it is imported

    def guard(self, form: Form) -> Guard:
        """What enables it in a port of this form."""
        return self.completed if self.completed and not form.is_vendored else self.vendored
