"""The pages of a Python package's docstrings and signatures. The code is parsed with griffe; nothing of it is imported or run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from docs_researcher.docsets.readers.annotated import annotation_blocks, described, parameter_blocks, shown_annotation
from docs_researcher.docsets.readers.base import Block, Page
from docs_researcher.docsets.readers.docstrings import docstring_blocks
from docs_researcher.docsets.readers.reference import Symbol, reference_page

if TYPE_CHECKING:
    from griffe import Alias, Attribute, Class, Function, Module, Object

MAX_SYMBOLS = 20_000
"""SQLAlchemy, one of the largest, has 4,700 documented names."""
MIN_INTRO_CHARS = 120
"""A module without a public name says something to users when it says more than its purpose in one line."""
MAX_PLAIN_OVERLOADS = 3
"""Of a member without a docstring so many are shown."""
WIDTH = 100
"""A longer signature has one parameter a line."""
_LEFT_OUT = frozenset(
    "tests test testing conftest vendor vendored vendors examples benchmarks compat bench internal internals".split()
)
_NOT_THE_PROJECT = _LEFT_OUT | {"docs", "doc", "example", "setup", "noxfile", "tasks", "scripts", "tools", "build"}
_SOURCE_ROOTS = frozenset({"", "src", "lib", "python"})
_ENUM = re.compile(r"(?:Enum|Flag|Choices)$")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*(?<=..)")
_FOR_CHECKERS = re.compile(r"(?:[\w.]+\.)?(?:TypeVar|TypeVarTuple|ParamSpec|NewType)\(")
_OLD_VERSION = re.compile(r"v\d+")


def python_pages(
    root: Path, packages: Sequence[str], version: str | None = None, only: Sequence[str] | None = None
) -> list[Page]:
    """The pages for packages (folders or modules) that lie in `root`: one a file, paths relative to `root`.

    Args:
        root: the folder that Python would find the packages in.
        packages: their import names.
        version: the release; a subpackage that is named after an older one (`pydantic.v1`) is left out.
        only: the dotted names that are wanted, of modules, classes and functions; None for all that is public.
    """
    from docs_researcher.docsets.readers.python_loading import load_package, silent  # imports griffe

    names = _Names(root, version, tuple(packages))
    with silent():
        for package in packages:
            beside = [other for other in packages if other != package] if only is not None else []
            module = load_package(root, package, names.shadowed, beside)
            if module is not None and only is None:
                names.collect(module)
            elif module is not None:
                names.take(module, only or ())
        return names.pages()


def find_packages(paths: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Where the packages of a source tree lie (`src/`, `lib/`, or empty), and their import names.

    Those that lie nearest to the top count; single modules where there is no package. A folder that holds modules of its own
    beside packages is a package as well, also without an `__init__.py` (a namespace package).
    """
    folders = {path.rpartition("/")[0] for path in paths if path.endswith(("/__init__.py", "/__init__.pyi"))}
    tops = [folder for folder in folders if folder.rpartition("/")[0] not in folders and is_offered(folder)]
    if tops:
        root = min(
            (folder.rpartition("/")[0] for folder in tops), key=lambda root: (root != "src", root.count("/"), bool(root), root)
        )
        if _is_namespace(root, paths):
            root, _, name = root.rpartition("/")
            return f"{root}/" if root else "", (name,)
        names = sorted(folder.rpartition("/")[2] for folder in tops if folder.rpartition("/")[0] == root)
        return f"{root}/" if root else "", tuple(name for name in names if not name.startswith("_"))
    modules = sorted(path[:-3] for path in paths if "/" not in path and path.endswith(".py") and is_offered(path[:-3]))
    return "", tuple(modules)


def _is_namespace(folder: str, paths: Collection[str]) -> bool:
    """Whether a folder that holds packages is one itself and not only the place where they lie."""
    if folder.rpartition("/")[2] in _SOURCE_ROOTS or not is_offered(folder):
        return False
    return any(path.rpartition("/")[0] == folder and path.endswith((".py", ".pyi")) for path in paths)


def is_offered(folder: str) -> bool:
    """Whether a folder or module of this path is the project's own code for its users."""
    parts = folder.lower().split("/")
    return parts[-1].isidentifier() and not _NOT_THE_PROJECT.intersection(parts)


@dataclass(slots=True)
class _Names:
    """The public names found so far, by the object that they mean."""

    root: Path
    version: str | None
    packages: tuple[str, ...]
    objects: dict[str, Object] = field(default_factory=dict[str, "Object"])
    shown: dict[str, str] = field(default_factory=dict[str, str])
    modules: dict[str, Module] = field(default_factory=dict[str, "Module"])
    shadowed: dict[str, Object | Alias] = field(default_factory=dict[str, "Object | Alias"])
    """What is offered under the path of a module."""
    instances: dict[str, Class] = field(default_factory=dict[str, "Class"])
    """Of public values, by their path, the classes that they are made of."""

    def collect(self, package: Module) -> None:
        """Take every name that this module and its public submodules offer; the shortest path to an object wins."""
        for module in self._public(package):
            self.modules[str(module.filepath)] = module
            self._offered(module)

    def _public(self, module: Module) -> Iterator[Module]:
        """The module, and those below it that are for users."""
        yield module
        for name, member in module.members.items():
            if not member.is_alias and member.is_module and not self._is_left_out(name):
                yield from self._public(cast("Module", member))

    def _offered(self, module: Module) -> None:
        exported = [str(name) for name in module.exports] if module.exports is not None else None
        for name, member in module.members.items():
            path = f"{module.path}.{name}"
            member = self.shadowed.get(path, member)
            is_own = not member.is_alias or module.is_init_module  # what a package's `__init__` imports is imported from there
            is_offered = name in exported if exported is not None else not name.startswith("_") and is_own
            target = self._target(member)
            if target is None or target.is_module or len(self.objects) >= MAX_SYMBOLS:
                continue
            if not is_offered and not (module.is_init_module and not member.is_alias and _is_constant(target)):
                continue
            known = self.shown.get(target.path)
            if known is None or (path.count("."), len(path)) < (known.count("."), len(known)):
                self.shown[target.path] = path
                self.objects[target.path] = target
                made_of = _class_of(target)
                if made_of is not None:
                    self.instances[target.path] = made_of

    def take(self, package: Module, wanted: Sequence[str]) -> None:
        """Take the objects of these dotted names, of a module all that it offers itself."""
        for module in self._public(package):
            self.modules.setdefault(str(module.filepath), module)
        for name in wanted:
            if name == package.name or name.startswith(f"{package.name}."):
                target = _found(package, name.split(".")[1:], self.packages)
                if target is not None and target.is_module:
                    self.modules.setdefault(str(target.filepath), cast("Module", target))
                    self._offered(cast("Module", target))
                    target = self._target(target)
                if target is not None and not target.is_module:
                    self._take_one(target, name)

    def _take_one(self, target: Object, name: str) -> None:
        if target.parent is not None and target.parent.is_class:  # a summary may list the members of a class one by one
            target, name = target.parent, name.rpartition(".")[0]
        if target.path not in self.objects:
            self.objects[target.path] = target
            self.shown[target.path] = name

    def _target(self, member: object) -> Object | None:
        """What a member means; what a package offers under the name of one of its modules comes before that module."""
        target = _target(member, self.packages)
        over = self.shadowed.get(target.path) if target is not None and target.is_module else None
        return _target(over, self.packages) if over is not None else target

    def _is_left_out(self, name: str) -> bool:
        if name.startswith("_") or name in _LEFT_OUT:
            return True
        major = (self.version or "").partition(".")[0]
        return _OLD_VERSION.fullmatch(name) is not None and major.isdigit() and int(name[1:]) < int(major)

    def pages(self) -> list[Page]:
        """One page for every file that defines a public name, in the order of the files."""
        for path, made_of in self.instances.items():
            if made_of.path not in self.objects and _is_described(made_of):  # no other way would lead to it
                self.objects[made_of.path] = made_of
                self.shown[made_of.path] = self.shown[path]
                del self.objects[path]
        files: dict[str, list[Object]] = {path: [] for path in self.modules}
        for path, item in self.objects.items():
            if _is_described(item) or self._is_near(path):
                files.setdefault(str(item.filepath), []).append(item)
        pages = [self._page(path, items) for path, items in sorted(files.items())]
        return [page for page in pages if page is not None]

    def _is_near(self, path: str) -> bool:
        """Whether a name without a docstring is offered by its package itself, so that its signature is worth a line."""
        return self.shown[path].count(".") == 1

    def _page(self, path: str, items: list[Object]) -> Page | None:
        module = self.modules.get(path) or (items[0].module if items else None)
        intro = _intro(module) if module is not None else ()
        items.sort(key=lambda item: item.lineno or 0)
        symbols = [_symbol(item, self.shown[item.path]) for item in items]
        if not symbols and sum(len(block.text) for block in intro) < MIN_INTRO_CHARS:
            return None
        parents = Counter(self.shown[item.path].rpartition(".")[0] for item in items)
        own = module.path if module is not None else ""
        title = _title(parents.most_common(1)[0][0], own) if parents else own
        shipped = Path(path).relative_to(self.root).as_posix()
        return reference_page(shipped, title, symbols, intro)


def _title(offered: str, own: str) -> str:
    """What tells a page from the others whose names are imported from the same place.

    Args:
        offered: where most of its names are imported from (`anyio`).
        own: the module that defines them (`anyio._core._tasks`), whose last part is the subject: `anyio: tasks`.
    """
    parts = [part.strip("_") for part in own.split(".")]
    return offered if offered == own or parts[-1] in ("", offered.rpartition(".")[2]) else f"{offered}: {parts[-1]}"


def _intro(module: Module) -> tuple[Block, ...]:
    """What a module says of itself, without a title that only repeats its name."""
    blocks = docstring_blocks(module.docstring)
    title = blocks[0].text.strip("*`: ").casefold() if blocks else ""
    return blocks[1:] if title in (module.path.casefold(), module.name.casefold()) else blocks


def _found(package: Module, parts: Sequence[str], packages: Sequence[str]) -> Object | None:
    """What a dotted name below a package means."""
    found: Object | None = package
    for part in parts:
        member = found.members.get(part) if found is not None else None
        found = _target(member, packages) if member is not None else None
    return found


def _target(member: object, packages: Sequence[str]) -> Object | None:
    """What a member means, if it is of one of these packages and could be found."""
    from griffe import Alias, Object

    own = tuple(f"{mark}{package}." for package in packages for mark in ("", "_"))
    if isinstance(member, Alias):
        if not member.target_path.startswith(own):
            return None
        try:
            member = member.final_target
        except Exception:  # griffe has its own kinds for what is not in the archive and for a circle; such a name is left out
            return None
    return member if isinstance(member, Object) and member.path.startswith(own) else None


def _class_of(item: Object) -> Class | None:
    """The class of its own package that a value is made of: `logger = _Logger(...)`."""
    value = cast("Attribute", item).value if item.is_attribute else None
    maker = getattr(value, "function", None)  # of a call
    if maker is None or item.parent is None or not item.parent.is_module:
        return None
    found = _target(item.parent.members.get(str(maker)), (item.package.name,))
    return cast("Class", found) if found is not None and found.is_class else None


def _is_described(item: Object) -> bool:
    """Whether a name has a docstring, a description in its annotations, or, a class, a member that has one."""
    if item.docstring is not None and item.docstring.value.strip():
        return True
    if item.is_function:
        return any(described(parameter.annotation) for parameter in cast("Function", item).parameters)
    if item.is_attribute:
        return bool(described(cast("Attribute", item).annotation))
    if not item.is_class:
        return False
    members = list(_members(cast("Class", item)))
    return any(_is_described(member) for member in members) or (bool(members) and _is_enum(cast("Class", item)))


def _is_enum(item: Class) -> bool:
    """Whether a class is a set of named values, whose names say what they are."""
    return any(_ENUM.search(str(base)) for base in item.bases)


def _symbol(item: Object, name: str) -> Symbol:
    if item.is_function:
        return _function(cast("Function", item), name)
    if item.is_class:
        return _class(cast("Class", item), name)
    return _attribute(item, name)


def _attribute(item: Object, name: str) -> Symbol:
    signature = _assignment(cast("Attribute", item)) if item.is_attribute else item.name
    line = item.lineno or 1
    prose = docstring_blocks(item.docstring)
    if item.is_attribute:
        prose += annotation_blocks(cast("Attribute", item).annotation, line)
    return Symbol(name, "python", signature, line, prose)


def _assignment(item: Attribute) -> str:
    annotation = f": {shown_annotation(item.annotation)}" if item.annotation is not None else ""
    # What `__init__` assigns is its parameters, mostly: the type says more than `self.data = data`.
    is_own = "instance-attribute" not in item.labels or "class-attribute" in item.labels
    value = str(item.value) if item.value is not None and is_own else ""
    return f"{item.name}{annotation}" + (f" = {value}" if value and len(value) <= WIDTH else "")


def _says_something(item: Attribute) -> bool:
    """Whether an attribute without a docstring has a type, is a value of an enum, or has a short one that its class gives it."""
    if item.annotation is not None or "instance-attribute" not in item.labels:
        return True
    if "class-attribute" not in item.labels:
        return False
    is_shown = item.value is not None and len(str(item.value)) <= WIDTH and not _FOR_CHECKERS.match(str(item.value))
    return is_shown or (item.parent is not None and item.parent.is_class and _is_enum(cast("Class", item.parent)))


def _is_constant(item: Object) -> bool:
    """Whether a value is called as constants are (`MONDAY`) and was not made for type checkers."""
    value = cast("Attribute", item).value if item.is_attribute else None
    return value is not None and _CONSTANT.fullmatch(item.name) is not None and not _FOR_CHECKERS.match(str(value))


def _function(item: Function, name: str) -> Symbol:
    overloads = item.overloads or [item]
    signature = "\n".join(_signature(one) for one in overloads[:6])
    return Symbol(name, "python", signature, item.lineno or 1, _function_prose(item))


def _function_prose(item: Function) -> tuple[Block, ...]:
    """The docstring, and what the parameters' annotations say of them."""
    return (*docstring_blocks(item.docstring), *parameter_blocks(item.parameters, item.lineno or 1))


def _class(item: Class, name: str) -> Symbol:
    plain: list[str] = []
    members: list[Symbol] = []
    for member in _members(item):
        if _is_described(member) and member.name != "__init__":
            members.append(_symbol(member, f"{name.rpartition('.')[2]}.{member.name}"))
        elif member.is_function:
            function = cast("Function", member)
            plain.extend(_signature(one) for one in (function.overloads or [function])[:MAX_PLAIN_OVERLOADS])
        elif member.is_attribute and _says_something(cast("Attribute", member)):
            plain.append(_assignment(cast("Attribute", member)))
    bases = ", ".join(str(base) for base in item.bases)
    head = f"class {item.name}({bases}):" if bases else f"class {item.name}:"
    prose = docstring_blocks(item.docstring)
    starts = next((member for member in _members(item) if member.name == "__init__"), None)
    if starts is not None:
        prose += _function_prose(cast("Function", starts)) if starts.is_function else docstring_blocks(starts.docstring)
    return Symbol(name, "python", head, item.lineno or 1, prose, tuple(plain), tuple(members))


def _members(item: Class) -> Iterator[Object]:
    for name, member in item.members.items():
        if not member.is_alias and (name == "__init__" or not name.startswith("_")) and not member.is_class:
            yield cast("Object", member)


def _signature(item: Function) -> str:
    """`def name(...) -> ...`, without `self`; over `WIDTH` characters one parameter a line."""
    parameters = _parameters(item)
    returns = f" -> {item.returns}" if item.returns is not None else ""
    start = "async def" if "async" in item.labels else "def"
    line = f"{start} {item.name}({', '.join(parameters)}){returns}"
    if len(line) <= WIDTH:
        return line
    rows = "".join(f"    {parameter},\n" for parameter in parameters)
    return f"{start} {item.name}(\n{rows}){returns}"


def _parameters(item: Function) -> list[str]:
    from griffe import ParameterKind

    rows: list[str] = []
    kinds = [parameter.kind for parameter in item.parameters]
    is_method = item.parent is not None and item.parent.is_class
    for index, parameter in enumerate(item.parameters):
        if index == 0 and is_method and parameter.name in ("self", "cls"):
            continue
        kind = parameter.kind
        has_stars = ParameterKind.var_positional in kinds
        if kind is ParameterKind.keyword_only and not has_stars and kinds[index - 1 : index] != [kind]:
            rows.append("*")
        stars = {ParameterKind.var_positional: "*", ParameterKind.var_keyword: "**"}.get(kind, "") if kind is not None else ""
        annotation = f": {shown_annotation(parameter.annotation)}" if parameter.annotation is not None else ""
        is_optional = parameter.default is not None and not stars
        equals = " = " if annotation else "="
        rows.append(f"{stars}{parameter.name}{annotation}" + (f"{equals}{parameter.default}" if is_optional else ""))
        is_last_positional = kind is ParameterKind.positional_only and kinds[index + 1 : index + 2] != [kind]
        if is_last_positional:
            rows.append("/")
    return rows
