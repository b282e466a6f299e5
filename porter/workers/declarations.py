"""The declarations of C++ headers: where each begins and ends, its name, scope and types."""

import os
import re
from collections import namedtuple

FIELDS = "scope kind name types start end body optional"
Declaration = namedtuple("Declaration", FIELDS, defaults=((),))
Declaration.__doc__ = """`start` is that of its comments; `body` the span within its braces.

`types` are those of the parameters that have to be given, `optional` of the others.
"""

TOKEN = re.compile(
    r"(?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)"
    r"|(?P<directive>(?:(?<=\n)|\A)[ \t]*\#(?:[^\n\\/]|\\\r?\n|\\.|/(?!/))*)"
    r'|(?P<string>R"(\w*)\(.*?\)\4"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\')'
    r"|(?P<name>[A-Za-z_]\w*)|(?P<other>::|->|\[\[|\]\]|[0-9][\w.]*|\S)",
    re.DOTALL,
)
Token = namedtuple("Token", "kind text start end")
PAIRS = {"(": ")", "{": "}", "[": "]", "[[": "]]"}
DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(\w*)")
NOT_TYPES = {"const", "typename", "class", "struct", "std", "at", "c10", "torch", "volatile"}
LIKE = {"OptionalIntArrayRef": "OptionalArrayRef<int64_t>", "IntArrayRef": "ArrayRef<int64_t>"}
NOT_NAMES = {"decltype", "noexcept", "alignas", "__attribute__", "static_assert", "requires"}


def tokens(text):
    found = []
    for match in TOKEN.finditer(text):
        found.append(Token(match.lastgroup or "string", match[0], match.start(), match.end()))
    return found


def closing(code, at):
    """Index of the bracket that closes the one at `at`."""
    depth = 0
    for index in range(at, len(code)):
        if code[index].kind == "other":
            opens, closes = code[index].text in PAIRS, code[index].text in PAIRS.values()
            depth += (opens - closes) * len(code[index].text)  # a[b[i]] ends with one token of two
        if depth <= 0:
            return index
    raise ValueError(f"no bracket closes the {code[at].text!r} at offset {code[at].start}")


def after_angles(code, at):
    """Index after the <...> at `at`."""
    depth = 0
    while at < len(code):
        if code[at].text in PAIRS:
            at = closing(code, at)
        depth += (code[at].text == "<") - (code[at].text == ">")
        at += 1
        if depth == 0:
            break
    return at


def declarations(text):
    """Every declaration at namespace and class scope, outer ones before those within."""
    lexed = tokens(text)
    code = [token for token in lexed if token.kind != "comment"]
    comments = {token.end: token for token in lexed if token.kind == "comment"}
    found = []
    _scope(text, code, comments, 0, len(code), (), found)
    return found


def leading(text, comments, start):
    """Where the comments that stand right above an offset begin."""
    while True:
        before = start
        while before and text[before - 1] in " \t":
            before -= 1
        before -= bool(before and text[before - 1] == "\n")
        comment = comments.get(before)
        line = text.rfind("\n", 0, comment.start) + 1 if comment else 0
        if comment is None or text[line : comment.start].strip():
            return start
        start = comment.start


def _scope(text, code, comments, at, end, scope, found):
    while at < end:
        token, first = code[at], leading(text, comments, code[at].start)
        if token.text in (";", "}") or token.text in ("public", "private", "protected"):
            at += 1 + (token.kind == "name")
        elif token.kind == "directive":
            word, name = DIRECTIVE.match(token.text).groups()
            found.append(Declaration(scope, word, name, None, first, token.end, None))
            at += 1
        else:
            at = _declaration(text, code, comments, at, end, scope, first, found)


def _declaration(text, code, comments, at, end, scope, first, found):
    head = at
    while head < end and (code[head].text in ("template", "[[", "inline", "extern", "friend")):
        if code[head].text == "[[":
            head = closing(code, head)
        head = after_angles(code, head + 1) if code[head].text == "template" else head + 1
    word = code[head].text
    if word == "namespace" or code[head].kind == "string":
        opening = next(i for i in range(head, end) if code[i].text in ("{", ";", "="))
        if code[opening].text == "{":
            close = closing(code, opening)
            names = tuple(t.text for t in code[head + 1 : opening] if t.kind == "name")
            _scope(text, code, comments, opening + 1, close, scope + names, found)
            return close + 1
    if word in ("class", "struct", "union", "enum", "typedef"):
        types = _class(text, code, comments, head, end, scope, first, found)
        if types:
            return types
    return _function(code, at, head, end, scope, first, found)


def _class(text, code, comments, head, end, scope, first, found):
    at = head + 1 + (code[head].text == "enum" and code[head + 1].text in ("class", "struct"))
    if at < end and code[at].text == "[[":
        at = closing(code, at) + 1
    if at + 1 < end and code[at].kind == "name" and code[at + 1].text == "(":
        at = closing(code, at + 1) + 1  # a macro or alignas
    named = [i for i in range(at, min(at + 6, end)) if code[i].kind == "name"]
    if code[head].text == "typedef" or not named:
        return None
    stop = at
    while stop < end and code[stop].text not in ("{", ";", "("):
        stop = after_angles(code, stop) if code[stop].text == "<" else stop + 1
    if stop >= end or code[stop].text == "(":
        return None
    bases = [i for i in range(at, stop) if code[i].text == ":"]
    angle = next((i for i in range(at, stop) if code[i].text == "<"), stop)
    names = [code[i].text for i in range(at, min([*bases[:1], angle])) if code[i].kind == "name"]
    name = [text for text in names if text != "final"][-1]  # macros may stand before it
    types = [t.text for t in code[bases[0] : stop] if t.kind == "name"] if bases else []
    if code[stop].text == ";":
        found.append(Declaration(scope, "forward", name, None, first, code[stop].end, None))
        return stop + 1
    close = closing(code, stop)
    finish = next((i for i in range(close, end) if code[i].text == ";"), close)
    kind = "enum" if code[head].text == "enum" else "class"
    body = (code[stop].end, code[close].start)
    found.append(Declaration(scope, kind, name, types, first, code[finish].end, body))
    if kind == "class":
        _scope(text, code, comments, stop + 1, close, (*scope, name), found)
    return finish + 1


def _function(code, start, head, end, scope, first, found):
    name, types, optional, at = "", None, (), head
    stops = (";", "}") if code[head].text == "typedef" else (";", "{", "}")
    while at < end and code[at].text not in stops:
        text = code[at].text
        if text == "operator" and not name:
            stop = at + 1
            while code[stop].text != "(" or (stop == at + 1 and code[stop + 1].text == ")"):
                stop += 1 + (code[stop].text == "(")
            name = "operator" + "".join(t.text for t in code[at + 1 : stop])
            at = stop
            continue
        if text == "(":
            close = closing(code, at)
            if types is None and (name or code[at - 1].text not in NOT_NAMES):
                name = name or code[at - 1].text
                types, optional = parameters(code[at + 1 : close])
                if close + 1 < end and code[close + 1].text == "const":
                    types = (*types, "const")
            at = close
        elif text == "<" and types is None and code[at - 1].kind == "name":
            at = after_angles(code, at) - 1
        elif text == "=":
            if types is None:
                name = name or code[at - 1].text
            while at + 1 < end and code[at + 1].text != ";":
                at = closing(code, at + 1) if code[at + 1].text in PAIRS else at + 1
        elif text == ":" and types is not None:  # what a constructor initializes
            while code[at + 1].text not in ("(", "{"):
                at += 1
            at = closing(code, at + 1)
            while code[at + 1].text == ",":
                while code[at + 1].text not in ("(", "{"):
                    at += 1
                at = closing(code, at + 1)
        elif text in PAIRS:
            at = closing(code, at)
        at += 1
    if at < end and code[at].text == "{":
        at = closing(code, at)
        if types is None and at + 1 < end and code[at + 1].text == ";":
            at += 1
    at = min(at, end - 1)
    if not name and at > head:
        name = code[at - 1].text
    kind = "using" if code[head].text in ("using", "typedef") else "function"
    kind = "variable" if kind == "function" and types is None else kind
    if code[start].text == "friend":
        kind = "friend"
    if code[start].text == "template" and types is not None:
        types = ("<>", *types)
    found.append(Declaration(scope, kind, name, types, first, code[at].end, None, optional))
    return at + 1


def parameters(code):
    """Types of the parameters that have to be given, and of the others, spelled in one way."""
    required, optional, item, depth = [], [], [], 0
    for token in [*code, Token("other", ",", 0, 0)]:
        depth += (token.text in ("(", "{", "[", "<")) - (token.text in (")", "}", "]", ">"))
        if token.text != "," or depth:
            item.append(token)
            continue
        texts = [t.text for t in item]
        if "=" in texts:
            optional.append(spelling(item[: texts.index("=")]))
        elif item and texts != ["void"]:
            required.append(spelling(item))
        item = []
    return tuple(required), tuple(optional)


def spelling(item):
    if len(item) > 1 and item[-1].kind == "name" and item[-2].text != "::":
        kept = [t.text for t in item if t.text not in NOT_TYPES]
        item = item[:-1] if len(kept) > 1 else item  # without the parameter's own name
    texts = [t.text for t in item if t.text not in NOT_TYPES and t.text not in ("&", "::")]
    return "".join(LIKE.get(text, text) for text in texts)


def scan(folder):
    """What the headers below a folder declare: keys, and which classes derive from which."""
    keys, bases = set(), {}
    for path in walk(folder):
        for item in declarations(read(os.path.join(folder, path))):
            keys |= keys_of(item)
            if item.kind == "class":
                bases.setdefault((*item.scope, item.name), set()).update(item.types)
    return keys, bases


def key(item):
    if item.kind == "define":
        return ("define", item.name)
    return (*item.scope, item.name, item.types if item.kind in ("function", "friend") else None)


def keys_of(item):
    """A key for each number of arguments that it can be called with: two that share one clash."""
    if item.types is None or item.kind not in ("function", "friend"):
        return {key(item)}
    end = len(item.types) - (item.types[-1:] == ("const",))
    front, back = item.types[:end], item.types[end:]
    return {
        (*item.scope, item.name, (*front, *item.optional[:count], *back))
        for count in range(len(item.optional) + 1)
    }


def walk(folder):
    for base, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith((".h", ".hpp", ".cuh")):
                yield os.path.relpath(os.path.join(base, name), folder).replace(os.sep, "/")


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read().replace("\r\n", "\n")
