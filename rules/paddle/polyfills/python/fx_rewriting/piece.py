from dataclasses import dataclass
from typing import Any, NamedTuple

import paddle

from .fx_graphs import _FxGraph
from .fx_modules import GraphModule, _copy_attr
from .fx_nodes import _FxNode, _found
from .fx_tracing import symbolic_trace


class Match(NamedTuple):
    """Where a pattern was found: the result of the pattern, and the node for each of its nodes."""

    anchor: Any
    nodes_map: dict


@dataclass
class ReplacedPatterns:
    anchor: Any
    nodes_map: dict
    replacements: list


def _graph_of(pattern):
    if isinstance(pattern, _FxGraph):
        return pattern
    return pattern.graph if isinstance(pattern, GraphModule) else symbolic_trace(pattern).graph


class _Matcher:
    """Looks for the nodes of a pattern in a graph."""

    def __init__(self, pattern, ignore_literals):
        self.ignore_literals = ignore_literals
        self.inputs = [node for node in pattern.nodes if node.op == "placeholder"]
        ends = [node for node in pattern.nodes if node.op == "output"]
        self.results = ends[0].all_input_nodes if ends else [next(iter(reversed(pattern.nodes)))]
        self.inner = [node for node in pattern.nodes if node.op not in ("placeholder", "output")]

    def at(self, node, pattern, found):
        """Note what a node and those before it match in a table, and tell whether they do."""
        if pattern in found:
            return found[pattern] is node
        if pattern.op == "placeholder":
            found[pattern] = node
            return True
        if not isinstance(node, _FxNode) or node.op != pattern.op:
            return False
        if node.op == "call_module" or node.op == "get_attr":
            if not _alike(node, pattern):
                return False
        elif node.target != pattern.target:
            return False
        found[pattern] = node
        return self.values((node.args, node.kwargs), (pattern.args, pattern.kwargs), found)

    def values(self, given, wanted, found):
        if isinstance(wanted, _FxNode):
            return self.at(given, wanted, found)
        if isinstance(given, _FxNode):
            return False
        if isinstance(wanted, (list, tuple)):
            if not isinstance(given, (list, tuple)) or len(given) != len(wanted):
                return False
            return all(self.values(one, other, found) for one, other in zip(given, wanted, strict=True))
        if isinstance(wanted, dict):
            if not isinstance(given, dict) or {*given} != {*wanted}:
                return False
            return all(self.values(given[key], wanted[key], found) for key in wanted)
        if isinstance(wanted, slice):
            parts = ("start", "stop", "step")
            return isinstance(given, slice) and all(
                self.values(getattr(given, part), getattr(wanted, part), found) for part in parts
            )
        return self.ignore_literals or (type(given) is type(wanted) and given == wanted)

    def complete(self, found):
        """Whether all nodes were found, and nothing else uses the results of the inner ones."""
        if any(node not in found for node in self.inner):
            return False
        taken = {found[node] for node in self.inner}
        return all(
            pattern in self.results or all(user in taken for user in found[pattern].users) for pattern in self.inner
        )

    def all_in(self, graph):
        matches = []
        taken = set()
        for node in graph.nodes:
            found = {}
            if self.at(node, self.results[0], found) and self.rest(graph, found) and self.complete(found):
                own = {found[each] for each in self.inner}
                if not own & taken:
                    taken |= own
                    matches.append(found)
        return matches

    def rest(self, graph, found):
        """Find the other results of the pattern as well."""
        for result in self.results[1:]:
            if result not in found:
                for node in graph.nodes:
                    tried = {**found}
                    if self.at(node, result, tried):
                        found.update(tried)
                        break
                else:
                    return False
        return True


def _alike(node, pattern):
    """Whether the modules, or tensors, of two nodes are of one kind."""
    pairs = [(each.graph.owning_module, each.target) for each in (node, pattern)]
    one, other = (None if owner is None else _found(owner, target) for owner, target in pairs)
    if node.op == "get_attr" or one is None or other is None:
        return node.target == pattern.target
    return type(one) is type(other)


def replace_pattern(gm, pattern, replacement):
    """Put the steps of one function in the place of those of another one, wherever these are."""
    return [Match(each.anchor, each.nodes_map) for each in replace_pattern_with_filters(gm, pattern, replacement)]


def replace_pattern_with_filters(
    gm, pattern, replacement=None, match_filters=None, ignore_literals=False, replacement_callback=None,
    node_name_match="",
):  # fmt: skip
    """The same, where each of some functions of a match, the graph and the pattern agrees."""
    if replacement is None or replacement_callback is not None or node_name_match:
        raise NotImplementedError("Under Paddle, a pattern is replaced by a function, and its nodes have no names")
    wanted, made = _graph_of(pattern), _graph_of(replacement)
    matcher, changed, replaced = _Matcher(wanted, ignore_literals), {}, []
    for found in matcher.all_in(gm.graph):
        if not all(each(found, gm.graph, wanted) for each in match_filters or ()):
            continue
        found = {each: changed.get(node, node) if isinstance(node, _FxNode) else node for each, node in found.items()}
        inputs = [node for node in made.nodes if node.op == "placeholder"]
        if len(inputs) != len(matcher.inputs):
            raise AssertionError("The pattern and the replacement take different numbers of arguments")
        values = {new: found[old] for new, old in zip(inputs, matcher.inputs, strict=True)}
        results = [found[each] for each in matcher.results]
        users = {user for each in results for user in each.users}
        place = next((node for node in gm.graph.nodes if node in users), gm.graph._root)
        with gm.graph.inserting_before(place):
            copied = gm.graph.graph_copy(made, values)
        given = copied if isinstance(copied, (list, tuple)) else (copied,)
        if len(given) != len(results):
            raise AssertionError("The pattern and the replacement have different numbers of results")
        for old, new in zip(results, given, strict=True):
            old.replace_all_uses_with(new)
            changed[old] = new
        for pattern_node in reversed(matcher.inner):
            gm.graph.erase_node(found[pattern_node])
        added = [values[node] for node in made.nodes if node.op not in ("placeholder", "output")]
        replaced.append(ReplacedPatterns(matcher.results[0], found, added))
    gm.recompile()
    for node in made.nodes if isinstance(replacement, paddle.nn.Layer) else ():
        if node.op in ("call_module", "get_attr"):
            _copy_attr(replacement, gm, node.target)
    gm.graph.lint()
    return replaced


