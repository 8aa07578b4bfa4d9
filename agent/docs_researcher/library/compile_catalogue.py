"""From the catalogue's YAML source to the JSON that is shipped: `python -m docs_researcher.library.compile_catalogue`.

With `--check` nothing is written; the exit code is 1 when the shipped file is not what the source says.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.core.library_id import LibraryId
from docs_researcher.library.catalogue import COMPILED, index_names
from docs_researcher.library.entries import PAGE_STYLES, DocsLocation, Entry, entry_from_record, entry_to_row, fold_name
from docs_researcher.library.packages import normalise_pypi_name, parse_package

DATA = COMPILED.parent

MAX_USER_FILE_BYTES = 4 * 1024 * 1024
"""A catalogue of ten thousand entries is smaller; reading YAML costs about a second for each 4 MB."""

_ENTRY_KEYS = frozenset(field.name for field in fields(Entry))
_DOCS_KEYS = frozenset(field.name for field in fields(DocsLocation))
_LIST_KEYS = ("aliases", "words", "npm", "pypi", "packages", "other_ids")
_FILE_KEYS = frozenset({"checked", "ecosystem", "entries"})


def compile_folder(folder: Path = DATA) -> str:
    """The compiled catalogue as JSON text, entries by name.

    Raises:
        ConfigurationError: an entry is not of the catalogue's form, or two entries share a name, an id or a package.
    """
    records: list[dict[str, Any]] = []
    dates: list[str] = []
    for path in sorted(folder.glob("*.yaml")):
        document = _read_yaml(path)
        dates.append(str(document.get("checked", "")))
        records.extend(_records(document, path))
    records.sort(key=lambda record: cast(str, record["name"]).casefold())
    entries = [entry_from_record(record) for record in records]
    refuse_shared(entries)
    rows = ",\n".join(_json(entry_to_row(entry)) for entry in entries)
    names = _json(index_names(entries))
    return f'{{"checked":{_json(min(dates, default=""))},"entries":[\n{rows}\n],"names":{names}}}\n'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_user_file(path: Path) -> list[Entry]:
    """The entries of a file that a user wrote.

    Raises:
        ConfigurationError: it cannot be read, is too large, or is not of the catalogue's form.
    """
    try:
        if path.stat().st_size > MAX_USER_FILE_BYTES:
            raise _wrong(path, f"is larger than {MAX_USER_FILE_BYTES // 1024 // 1024} MB")
        document = _read_yaml(path)
    except OSError as error:
        raise _wrong(path, error.strerror or str(error)) from error
    return [entry_from_record(record) for record in _records(document, path)]


def refuse_shared(entries: Iterable[Entry]) -> None:
    """Refuse a catalogue in which one name, id or package stands for two entries.

    Raises:
        ConfigurationError: naming both.
    """
    owners: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        keys = {("name", fold_name(name)) for name in (entry.name, *entry.aliases)}
        keys |= {("id", library_id.lower()) for library_id in (entry.id, *entry.other_ids)}
        keys |= {("npm package", name) for name in entry.npm} | {("PyPI package", name) for name in entry.pypi}
        keys |= {("package", package) for package in entry.packages}
        for key in sorted(keys):
            other = owners.setdefault(key, entry)
            if other is not entry:
                raise ConfigurationError(f"{entry.name} ({entry.id}) and {other.name} ({other.id}) share the {key[0]} {key[1]}")


def _read_yaml(path: Path) -> Mapping[str, Any]:
    import yaml

    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise _wrong(path, " ".join(str(error).split())) from error
    if not isinstance(document, dict):
        raise _wrong(path, "is not a mapping with the key `entries`")
    return cast(Mapping[str, Any], document)


def _records(document: Mapping[str, Any], path: Path) -> list[dict[str, Any]]:
    unknown = set(document) - _FILE_KEYS
    if unknown:
        raise _wrong(path, f"has keys that are not known: {', '.join(sorted(map(str, unknown)))}")
    entries = document.get("entries")
    if not isinstance(entries, list):
        raise _wrong(path, "has no list `entries`")
    return [_record(entry, document.get("ecosystem"), path) for entry in cast(list[object], entries)]


def _record(raw: object, ecosystem: object, path: Path) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise _wrong(path, f"holds an entry that is no mapping: {raw!r}")
    record: dict[str, Any] = {"ecosystem": ecosystem, "description": "", **cast(dict[str, Any], raw)}
    name = record.get("name")
    problem = _problem(record)
    if problem:
        raise _wrong(path, f"entry {name!r}: {problem}")
    docs = record.get("docs")
    if docs is not None:
        record["docs"] = {key: value for key, value in cast(dict[str, Any], docs).items() if value not in (None, [])}
    return {key: value for key, value in record.items() if value not in (None, [])}


def _problem(record: Mapping[str, Any]) -> str | None:
    """What is wrong with an entry's record, or None."""
    unknown = set(record) - _ENTRY_KEYS
    if unknown:
        return f"keys that are not known: {', '.join(sorted(map(str, unknown)))}"
    for key in ("name", "id", "ecosystem"):
        if not isinstance(record.get(key), str) or not record[key]:
            return f"`{key}` is missing"
    for key in _LIST_KEYS:
        if not _is_list_of_texts(record.get(key, [])):
            return f"`{key}` must be a list of texts"
    return _problem_with_ids(record) or _problem_with_names(record) or _problem_with_docs(record.get("docs"))


def _problem_with_ids(record: Mapping[str, Any]) -> str | None:
    for text in (record["id"], *record.get("other_ids", [])):
        library_id = LibraryId.try_parse(text)
        if library_id is None or library_id.version is not None:
            return f"{text!r} is no id of the form /owner/project"
    return None


def _problem_with_names(record: Mapping[str, Any]) -> str | None:
    names = {fold_name(name) for name in (record["name"], *record.get("aliases", []))}
    names |= {fold_name(name) for name in (*record.get("npm", []), *record.get("pypi", []))}
    names |= {fold_name(package.partition(":")[2]) for package in record.get("packages", [])}
    for word in record.get("words", []):
        if fold_name(word) not in names:
            return f"the word {word!r} is none of its names"
    for name in record.get("npm", []):
        if parse_package(f"npm:{name}") is None:
            return f"{name!r} is no npm package name"
    for name in record.get("pypi", []):
        if normalise_pypi_name(name) != name or parse_package(f"pypi:{name}") is None:
            return f"{name!r} is no normalised PyPI name"
    return None


def _problem_with_docs(docs: object) -> str | None:
    if docs is None:
        return None
    if not isinstance(docs, dict):
        return "`docs` must be a mapping"
    record = cast(dict[str, Any], docs)
    unknown = set(record) - _DOCS_KEYS
    if unknown:
        return f"`docs` has keys that are not known: {', '.join(sorted(unknown))}"
    package = record.get("package")
    if package is not None and parse_package(str(package)) is None:
        return f"{package!r} is no package of the form npm:NAME or pypi:NAME"
    if record.get("pages", "plain") not in PAGE_STYLES:
        return f"`pages` must be one of {', '.join(PAGE_STYLES)}"
    return _problem_with_rules(record.get("rules", []))


def _problem_with_rules(rules: object) -> str | None:
    if not isinstance(rules, list):
        return "`rules` must be a list"
    for rule in cast(list[object], rules):
        match rule:
            case [str(pattern), str() | None]:
                try:
                    re.compile(pattern)
                except re.error as error:
                    return f"the rule {pattern!r} is no regular expression ({error})"
            case _:
                return f"a rule is a pair of a pattern and its replacement or null, not {rule!r}"
    return None


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and item for item in cast(list[object], value))


def _wrong(path: Path, why: str) -> ConfigurationError:
    return ConfigurationError(f"The catalogue file {path} cannot be used", why=why, next_step="Correct it and try again.")


def main(arguments: Sequence[str]) -> int:
    """Write the compiled file, or with `--check` compare it. Returns the exit code."""
    try:
        text = compile_folder()
    except ConfigurationError as error:
        print(error.message, file=sys.stderr)
        return 1
    if "--check" in arguments:
        current = COMPILED.read_text(encoding="utf-8") if COMPILED.exists() else ""
        if current != text:
            print("catalogue.json is not what the YAML source says; compile it again", file=sys.stderr)
            return 1
        return 0
    COMPILED.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
