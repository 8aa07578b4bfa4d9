"""The lines of a frontmatter read as YAML: its keys with their values and places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docs_researcher.core.errors import DefinitionError
from docs_researcher.definition.schema import RepairLog

if TYPE_CHECKING:
    import yaml

MAX_NODES = 10_000
"""Values after aliases are written out. Real files have under a hundred; an alias bomb has billions."""

MAX_DEPTH = 200
"""Opening brackets or indentation levels; the parser recurses once for each."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a mapping with its value. Lines and columns count from 1 in the file."""

    key: str
    value: Any
    text: str | None
    """The value as it stands in the file, where it is one scalar or stands on one line; else None."""
    line: int
    column: int
    value_line: int
    value_column: int
    children: tuple[Entry, ...] = ()
    """The keys below, where the value is a mapping."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why the parser gave up, and where (counted from 1)."""

    problem: str
    line: int
    column: int


def read_yaml(lines: Sequence[str], first_line: int, log: RepairLog) -> tuple[Entry, ...] | Unreadable:
    """The entries of a YAML mapping, or why it is none. Of two equal keys the last wins, which is reported.

    Raises:
        DefinitionError: what the aliases write out is too large.
    """
    import yaml

    if _deepest(lines) > MAX_DEPTH:
        return Unreadable(f"more than {MAX_DEPTH} brackets are open at once", first_line, 1)
    loader = _loader("\n".join(lines) + "\n")
    try:
        node = loader.get_single_node()
        if node is None:
            return ()
        if not isinstance(node, yaml.MappingNode):
            return Unreadable("this is not `key: value`", *_place(node.start_mark, first_line))
        _check_size(node, first_line, log.path)
        duplicates = _duplicates(node)
        loader.flatten_mapping(node)
        entries = tuple(_entries(loader, node, lines, first_line))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "it is not YAML"
        return Unreadable(problem, *_place(mark, first_line)) if mark else Unreadable(problem, first_line, 1)
    except yaml.YAMLError as error:
        return Unreadable(str(error).partition("\n")[0], first_line, 1)
    finally:
        loader.dispose()
    for name, earlier, later in duplicates:
        earlier_line, _ = _place(earlier, first_line)
        log.add(*_place(later, first_line), f"the key `{name}` stands twice; this one is used, line {earlier_line} is not")
    return entries


def _deepest(lines: Iterable[str]) -> int:
    """An upper bound of how deeply values can be nested in these lines."""
    deepest = brackets = 0
    for line in lines:
        lead = len(line) - len(line.lstrip(" -?"))
        for character in line:
            if character in "[{":
                brackets += 1
                deepest = max(deepest, brackets)
            elif character in "]}" and brackets:
                brackets -= 1
        deepest = max(deepest, lead)
    return deepest


def _loader(text: str) -> Any:
    """PyYAML's safe loader, the C one where it was built: it reads our own file in a tenth of the time."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)


def _place(mark: yaml.Mark | Any, first_line: int) -> tuple[int, int]:
    return first_line + mark.line, mark.column + 1


def _check_size(root: yaml.Node, first_line: int, path: str) -> None:
    """Refuse aliases that contain themselves or that write out to more than `MAX_NODES` values. Linear in the file."""
    sizes: dict[int, int] = {}

    def size(node: yaml.Node) -> int:
        known = sizes.get(id(node))
        if known is not None:
            return known
        sizes[id(node)] = MAX_NODES + 1  # what a node that contains itself comes to
        sizes[id(node)] = total = 1 + sum(size(child) for child in _children(node))
        return total

    if size(root) > MAX_NODES:
        raise DefinitionError(
            "the aliases in the frontmatter write out to too much",
            why=f"more than {MAX_NODES:,} values, or an alias inside of its own anchor",
            next_step="Write the values without anchors (&) and aliases (*).",
            path=path,
            line=first_line,
            column=1,
        )


def _children(node: yaml.Node) -> Iterable[yaml.Node]:
    import yaml

    if isinstance(node, yaml.MappingNode):
        return (part for pair in node.value for part in pair)
    return node.value if isinstance(node, yaml.SequenceNode) else ()


def _duplicates(node: yaml.MappingNode) -> list[tuple[str, Any, Any]]:
    """Keys that stand twice, each with the marks of the earlier and the later one."""
    seen: dict[str, Any] = {}
    found: list[tuple[str, Any, Any]] = []
    for key, _ in node.value:
        name = str(key.value)
        if name in seen:
            found.append((name, seen[name], key.start_mark))
        seen[name] = key.start_mark
    return found


def _entries(loader: Any, node: yaml.MappingNode, lines: Sequence[str], first_line: int) -> list[Entry]:
    import yaml

    found: dict[str, Entry] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        children: tuple[Entry, ...] = ()
        if isinstance(value, yaml.MappingNode):
            loader.flatten_mapping(value)
            children = tuple(_entries(loader, value, lines, first_line))
        found.pop(key.value, None)  # the later of two stands at its own place
        found[key.value] = Entry(
            key.value,
            _construct(loader, value),
            _text(value, lines),
            *_place(key.start_mark, first_line),
            *_place(value.start_mark, first_line),
            children,
        )
    return list(found.values())


def _construct(loader: Any, node: yaml.Node) -> Any:
    """The Python value of a node; a value that only has YAML's form (a date in month 13) stays text."""
    import yaml

    try:
        return loader.construct_object(node, deep=True)
    except ValueError:
        return node.value if isinstance(node, yaml.ScalarNode) else None


def _text(node: yaml.Node, lines: Sequence[str]) -> str | None:
    import yaml

    start, end = node.start_mark, node.end_mark
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if start is not None and end is not None and start.line == end.line:
        return lines[start.line][start.column :].strip()
    return None
