import functools
import inspect
import sys
import warnings


def _wrap_generator(ctx_factory, func):
    """A generator each of whose steps is in a context, while what uses it is not."""

    @functools.wraps(func)
    def generator_context(*args, **kwargs):
        generator = func(*args, **kwargs)
        step, given = generator.send, None
        while True:
            try:
                with ctx_factory():
                    found = step(given)
            except StopIteration as stop:
                return stop.value
            try:
                given = yield found
                step = generator.send
            except GeneratorExit:
                with ctx_factory():
                    generator.close()
                raise
            except BaseException:  # noqa: BLE001 - thrown into the generator, which may take it
                step, given = generator.throw, sys.exc_info()[1]

    return generator_context


def context_decorator(ctx, func):
    """A function in a context: one that enters again each time, or what makes one for each call."""
    if callable(ctx) and hasattr(ctx, "__enter__"):
        raise AssertionError(
            f"Passed in {ctx} is both callable and also a valid context manager (has __enter__), making it ambiguous which"
            " interface to use.  If you intended to pass a context manager factory, rewrite your call as"
            " context_decorator(lambda: ctx()); if you intended to pass a context manager directly, rewrite your call as"
            " context_decorator(lambda: ctx)"
        )
    factory = ctx if callable(ctx) else lambda: ctx
    if inspect.isclass(func):
        raise RuntimeError(
            "Cannot decorate classes; it is ambiguous whether or not only the constructor or all methods should have the"
            " context manager applied; additionally, decorating a class at definition-site will prevent use of the"
            " identifier as a conventional type.  To specify which methods to decorate, decorate each of them individually."
        )
    if inspect.isgeneratorfunction(func):
        return _wrap_generator(factory, func)

    @functools.wraps(func)
    def decorate_context(*args, **kwargs):
        with factory():
            return func(*args, **kwargs)

    return decorate_context


class _DecoratorContextManager:
    """A context that is a decorator as well."""

    def __call__(self, orig_func):
        if inspect.isclass(orig_func):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions"
                " or methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__`"
                " method and nothing else.",
                FutureWarning,
                stacklevel=2,
            )
            return context_decorator(self.clone, lambda *args, **kwargs: orig_func(*args, **kwargs))
        return context_decorator(self.clone, orig_func)

    def __enter__(self):
        raise NotImplementedError

    def __exit__(self, exc_type, exc_value, traceback):
        raise NotImplementedError

    def clone(self):
        return self.__class__()


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """One that is a decorator without a call, too."""

    def __new__(cls, orig_func=None):
        return super().__new__(cls) if orig_func is None else cls()(orig_func)
