"""The pages of an npm package's declarations: the files that its entry points reach, each name under what users import."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from docs_researcher.core.clean import clean
from docs_researcher.docsets.readers.base import Block, Page
from docs_researcher.docsets.readers.declaration_entries import entry_files, resolve_file
from docs_researcher.docsets.readers.inherited import is_made_base, with_inherited, with_made_base
from docs_researcher.docsets.readers.reference import Symbol, fenced, last_name, reference_page
from docs_researcher.docsets.readers.text import decode
from docs_researcher.docsets.readers.typescript import WHOLE, DeclarationFile, Reference, read_declarations, without_number

MAX_FILES = 3_000
"""Files that are read; the largest package known offers 900."""
MAX_DEPTH = 40
"""Steps of re-exports that are followed; also ends circles."""
MAX_PREFIXES = 2
"""`z.iso.date` is a name that users write; modules that export each other as a whole would make endless ones."""
MAX_BARE_TYPE_CHARS = 300
"""A longer type alias without a comment speaks to the compiler."""
MAX_IMPORTED_NAMES = 12
"""Up to so many names an import statement is shown for an entry point."""

_LOWER = frozenset({"core", "internal", "internals"})
_PRIVATE_BASE = re.compile(r"\bextends (_\w+)")
_SAME = re.compile(r"const \w+: typeof (\w+)")
"""`declare const computed: typeof computed$1` exports what was imported under another name."""
_EMPTY_INTERFACE = re.compile(r"interface [^\n]*\{\Z")
"""Without members it says only that it is another one."""
_TRANSLATED = frozenset({"locales", "locale", "i18n", "lang", "langs"})

Home = tuple[str, str]
"""Where a name is declared: the path of the file, and the name there."""
Only = Mapping[str, str]
"""The names that are wanted of a package, each with the name that it is exported by elsewhere."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What the declaration files of a package gave."""

    pages: list[Page]
    passed_on: Mapping[str, Only | None] = field(default_factory=dict[str, "Only | None"])
    """Modules of others whose names it exports as its own: all (None, `export * from "@vue/runtime-dom"`) or some of them."""
    has_main: bool = True
    """Whether its main entry point declares names or passes them on."""


def declared(
    files: Mapping[str, bytes], package: str, version: str | None, only: Only | None = None, subpath: str = ""
) -> Declared:
    """The pages for the declaration files in `files`, and the modules of other packages whose declarations belong to them.

    Args:
        files: path as shipped to content, package.json among them where there is one.
        package: what users import it by.
        version: its version, so that entry points of older ones are left out.
        only: the names that are wanted; None for all.
        subpath: the entry point that alone is wanted and stands for the package; empty for all.
    """
    declared = {path for path in files if path.endswith("ts")}
    entries = entry_files(files.get("package.json"), declared, package, version)
    if subpath:
        path = entries.get(f"{package}/{subpath}") or resolve_file("", subpath, declared)
        entries = {package: path} if path is not None else {}
    graph = _Graph(files, entries)
    public: dict[Home, tuple[str, str]] = {}
    passed_on: dict[str, Only | None] | None = None
    for specifier, path in entries.items():
        for name, home in graph.exports(path).items():
            public.setdefault(home, (specifier, name))
        if passed_on is None:  # by the main entry; what another one passes on is imported from there
            passed_on = dict(graph.passed_on)
    if only is not None and graph.hides(entries, only):
        only = None
    if only is not None:
        public = {home: (key, shown) for home, (key, name) in public.items() if (shown := _chosen(name, only))}
    pages: list[Page] = []
    lower = _lower_layers(entries)
    for path in graph.order:
        page = _page(path, graph, public, entries, is_lower=path.startswith(lower), is_part=only is not None)
        if page is not None:
            pages.append(page)
    others = {module: _among(names, only) for module, names in (passed_on or {}).items()}
    has_main = bool(package in entries and (others or graph.exports(entries[package])))
    return Declared(pages, others, has_main)


def _chosen(name: str, only: Only) -> str:
    """The name by which a wanted name, or one behind its dot, is known elsewhere; empty for any other."""
    first, dot, rest = name.partition(".")
    return f"{only[first]}{dot}{rest}" if first in only else ""


def _among(names: Only | None, only: Only | None) -> Only | None:
    """What is wanted of a further package by one of which only some names are."""
    if only is None:
        return names
    return only if names is None else {name: only[shown] for name, shown in names.items() if shown in only}


@dataclass(slots=True)
class _Graph:
    """The files as they are needed, and what leads from one to the other."""

    files: Mapping[str, bytes]
    entries: Mapping[str, str]
    parsed: dict[str, DeclarationFile] = field(default_factory=dict[str, DeclarationFile])
    order: list[str] = field(default_factory=list[str])
    passed_on: dict[str, dict[str, str] | None] = field(default_factory=dict[str, "dict[str, str] | None"])
    """Modules of other packages that are exported, as a whole (None) or some of their names, in their order."""
    _exports: dict[str, dict[str, Home]] = field(default_factory=dict[str, dict[str, Home]])

    def load(self, path: str) -> DeclarationFile:
        """The file at `path`, parsed once, and every file of the package that it mentions put in line."""
        if path not in self.parsed:
            text = decode(self.files[path]).text or ""
            self.parsed[path] = DeclarationFile()  # while it is being read, and for good when there are too many
            if len(self.order) < MAX_FILES:
                self.order.append(path)
                self.parsed[path] = read_declarations(clean(text))
        return self.parsed[path]

    def target(self, path: str, module: str) -> str | None:
        """The file of the package that a specifier in `path` means; None for another package."""
        if module in self.entries:  # `export * from "zustand/vanilla"` in zustand itself
            return self.entries[module]
        if not module.startswith("."):
            return None
        found = resolve_file(posixpath.dirname(path), module, self.files.keys())
        return None if found is None or posixpath.basename(posixpath.dirname(found)) in _TRANSLATED else found

    def hides(self, entries: Mapping[str, str], names: Collection[str]) -> bool:
        """Whether the package exports one object that has the names as its members (lodash): they cannot be told apart."""
        main = next(iter(entries.values()), None)
        if main is None or not self.load(main).assigned:
            return False
        exported = {name.partition(".")[0] for name in self.exports(main)}
        return 2 * len(exported.intersection(names)) < len(names)

    def find(self, path: str, name: str) -> Home | None:
        """Where a type that a file names is declared; None for one of another package."""
        if name in self.load(path).symbols:
            return path, name
        first, dot, rest = name.partition(".")
        reference = self.parsed[path].imports.get(first)
        target = self.target(path, reference.module) if reference is not None else None
        if reference is None or target is None:
            return None
        return self.exports(target).get(rest if reference.name == WHOLE else f"{reference.name}{dot}{rest}")

    def look(self, home: Home) -> Symbol | None:
        """What is declared there."""
        path, name = home
        return self.load(path).symbols.get(name)

    def exports(self, path: str, depth: int = 0) -> dict[str, Home]:
        """Every name that a file exports, with where it is declared."""
        if path in self._exports or depth > MAX_DEPTH:
            return self._exports.get(path, {})
        file = self.load(path)
        found: dict[str, Home] = {}
        self._exports[path] = found
        for reference in file.imports.values():
            target = self.target(path, reference.module)
            if target is not None:
                self.exports(target, depth + 1)
        wholes = [(name, self._of_file(path, file, value)) for name, value in file.exports.items()]
        starred = [target for module in file.stars if (target := self.target(path, module))]
        others = (module for module in file.stars if not module.startswith(".") and module not in self.entries)
        self.passed_on |= dict.fromkeys(others)  # of these, all names
        # `export * from "x"` beside `import * as z from "x"; export { z }`: users write z.string()
        for name, reference in wholes:
            if isinstance(reference, Reference) and reference.name == WHOLE and self.target(path, reference.module) in starred:
                self._add(found, name, reference, path, depth)
        for name, reference in wholes:
            self._add(found, name, reference, path, depth)
        for target in starred:
            for name, home in self.exports(target, depth + 1).items():
                if name != "default" and home not in found.values():
                    found.setdefault(name, home)
        self._add_assigned(found, file, path)
        return found

    def _of_file(self, path: str, file: DeclarationFile, value: Reference | str) -> Reference | str:
        """What an exported name means: a name of this file, or what it was imported from."""
        if isinstance(value, Reference):
            return value
        symbol = file.symbols.get(value)
        if symbol is None:
            return file.imports.get(value, value)
        same = None if symbol.is_documented else _SAME.fullmatch(symbol.signature)
        return next((found for name, found in file.imports.items() if same and without_number(name) == same[1]), value)

    def _add(self, found: dict[str, Home], name: str, value: Reference | str, path: str, depth: int) -> None:
        if isinstance(value, str):
            self._add_local(found, name, value, path)
            return
        target = self.target(path, value.module)
        if target is None:
            self._pass_on(name, value)
            return
        offered = self.exports(target, depth + 1)
        if value.name == WHOLE:
            if name != "default" and "." not in name:
                for inner, home in offered.items():
                    if inner.count(".") < MAX_PREFIXES:
                        found.setdefault(f"{name}.{inner}", home)
            return
        shown = value.name if name == "default" else name
        for inner, home in offered.items():
            if inner == value.name or inner.startswith(f"{value.name}."):
                found.setdefault(shown + inner[len(value.name) :], home)

    def _pass_on(self, name: str, value: Reference) -> None:
        if not value.module.startswith(".") and value.name not in (WHOLE, "default"):
            names = self.passed_on.setdefault(value.module, {})
            if names is not None:
                names.setdefault(value.name, value.name if name == "default" else name)

    def _add_local(self, found: dict[str, Home], name: str, local: str, path: str) -> None:
        for known in self.parsed[path].symbols:
            if known == local or known.startswith(f"{local}."):
                shown = local if name == "default" else name
                found.setdefault(shown + known[len(local) :], (path, known))

    def _add_assigned(self, found: dict[str, Home], file: DeclarationFile, path: str) -> None:
        """`export = React`: a namespace exports its names as they are, a function keeps them behind its own name.

        A script exports all that it declares, and so do namespaces that need no import.
        """
        found.update({name: (path, name) for name in file.symbols if name in file.globals and name not in found})
        if file.assigned:
            shown = "default." if file.assigned in file.symbols else ""
            for known in file.symbols:
                if known == file.assigned:
                    found.setdefault("default", (path, known))
                elif known.startswith(f"{file.assigned}."):
                    found.setdefault(shown + known.removeprefix(f"{file.assigned}."), (path, known))
        elif file.is_script:
            for known in file.symbols:
                found.setdefault(known, (path, known))


def _lower_layers(entries: Mapping[str, str]) -> tuple[str, ...]:
    """The folders of entry points that are offered for libraries to build on: all in one folder below the main entry's.

    Of what the main entry passes on from there as a namespace (`z.core.$ZodType`), users need what has a comment.
    """
    main = next(iter(entries.values()), "")
    folders = {posixpath.dirname(path) for key, path in entries.items() if key.rpartition("/")[2] in _LOWER}
    return tuple(f"{folder}/" for folder in sorted(folders) if folder and not main.startswith(f"{folder}/"))


def _page(
    path: str,
    graph: _Graph,
    public: Mapping[Home, tuple[str, str]],
    entries: Mapping[str, str],
    *,
    is_lower: bool,
    is_part: bool,
) -> Page | None:
    file = graph.parsed[path]
    symbols: list[Symbol] = []
    own: list[Symbol] = []
    offered: Counter[str] = Counter()
    for name, symbol in file.symbols.items():
        known = public.get((path, name))
        shown = (known or ("", name))[1]
        if known is None and is_made_base(name, file.symbols):
            continue
        if _is_private(shown) or (not symbol.is_documented and (is_lower or _is_machinery(symbol, shown))):
            continue
        symbol = with_made_base(_with_private_base(symbol, file), file.symbols)
        symbol = with_inherited(symbol, path, graph.find, graph.look)
        if known is not None:
            offered[known[0]] += 1
            symbols.append(_renamed(symbol, _shown(known)))
            own.append(symbols[-1])
        elif symbol.is_documented and not is_part and not name.startswith(("_", "$")):
            symbols.append(_renamed(symbol, without_number(symbol.name)))
    if not symbols:
        return None
    specifier = next((key for key, value in entries.items() if value == path), None)
    shown_by = specifier or (offered.most_common(1)[0][0] if offered else next(iter(entries), ""))
    stem = posixpath.basename(path).partition(".d.")[0]
    title = specifier or (
        f"{shown_by}: {stem}" if stem != "index" else f"{shown_by}: {posixpath.basename(posixpath.dirname(path))}"
    )
    return reference_page(path, title, symbols, tuple(_import(specifier, own, file)) if specifier else ())


def _is_machinery(symbol: Symbol, name: str) -> bool:
    """Whether a name without a comment is nothing to read: marked as their own by its authors, or a program of types."""
    is_program = symbol.signature.startswith("type ") and len(symbol.signature) > MAX_BARE_TYPE_CHARS
    is_empty = _EMPTY_INTERFACE.match(symbol.signature) is not None and not symbol.plain
    return is_program or is_empty or name.rpartition(".")[2].startswith(("_", "$"))


def _with_private_base(symbol: Symbol, file: DeclarationFile) -> Symbol:
    """A class or interface with the members of the private one that it extends (`ZodString extends _ZodString`)."""
    match = _PRIVATE_BASE.search(symbol.signature)
    base = file.symbols.get(match[1]) if match and symbol.close else None
    if base is None or not base.close:
        return symbol
    owner = last_name(symbol.name)
    known = {last_name(member.name) for member in symbol.members}
    further = [replace(member, name=f"{owner}.{last_name(member.name)}") for member in base.members]
    members = symbol.members + tuple(member for member in further if last_name(member.name) not in known)
    return replace(symbol, plain=base.plain + symbol.plain, members=members)


def _is_private(name: str) -> bool:
    """Whether a name is for its authors whatever its comment says: a marked one behind a namespace (`z.core.$ZodType`)."""
    last = name.rpartition(".")[2]
    return "." in name and len(last) > 1 and last.startswith(("_", "$"))


def _shown(known: tuple[str, str]) -> str:
    """The name under which an export is written; what has none is called after its module."""
    specifier, name = known
    return re.sub(r"^default(?=\.|$)", specifier.rpartition("/")[2], name)


def _renamed(symbol: Symbol, name: str) -> Symbol:
    """The symbol under the name that users know; its members follow."""
    if symbol.name == name:
        return symbol
    members = tuple(replace(member, name=f"{name}.{last_name(member.name)}") for member in symbol.members)
    local = re.escape(last_name(symbol.name))
    signature = symbol.signature
    if "." not in name:
        signature = re.sub(rf"^((?:async )?(?:function|class|const|var|let) ){local}\b", rf"\g<1>{name}", signature, flags=re.M)
    return replace(symbol, name=name, members=members, signature=signature)


def _import(specifier: str, symbols: Sequence[Symbol], file: DeclarationFile) -> Iterator[Block]:
    """How the names of an entry point are imported, where they are few."""
    values = [symbol.name for symbol in symbols if "." not in symbol.name and not _is_type(symbol)]
    if values and len(values) <= MAX_IMPORTED_NAMES and not file.assigned:
        code = f'import {{ {", ".join(values)} }} from "{specifier}"'
        yield Block("code", fenced("ts", code), 1, language="ts")


def _is_type(symbol: Symbol) -> bool:
    return symbol.signature.startswith(("type ", "interface "))
