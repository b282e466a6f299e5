"""One flag more, `-DCURRENT_VERSION=...`, for the compiler."""

from collections.abc import Mapping

import libcst as cst
from libcst import matchers as m

from porter.rules.rewrite import RewriteCall, prepend_elements

FLAG = '"-DCURRENT_VERSION=V{}R{}".format(*torch.__version__.split(".")[:2])'
FLAGS = m.Arg(keyword=m.Name("extra_compile_args"))


class VersionFlag(RewriteCall):
    DESCRIPTION = "Define CURRENT_VERSION for the headers of op_plugin."

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        flag = cst.parse_expression(FLAG)
        args = [*call.args]
        for index, argument in enumerate(args):
            if m.matches(argument, FLAGS):
                flags = prepend_elements(cst.ensure_type(argument.value, cst.List), [flag])
                args[index] = argument.with_changes(value=flags)
                return call.with_changes(args=args)
        first = next(i for i, argument in enumerate(args) if argument.keyword is not None)
        (given,) = cst.ensure_type(self.expression("f(extra_compile_args=[])"), cst.Call).args
        flags = cst.List((cst.Element(flag),))
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        args[first:first] = [given.with_changes(value=flags, comma=comma)]
        return call.with_changes(args=args)
