"""The YAML form of the catalogue: read, and held against the shape that entries have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.parsed import mapping
from docs_researcher.library.entries import PAGE_STYLES, DocsLocation, Entry, GitDocs, entry_from_record, fold_name
from docs_researcher.library.packages import normalise_pypi_name, parse_package

MAX_USER_FILE_BYTES = 4 * 1024 * 1024
"""A catalogue of ten thousand entries is smaller; reading YAML costs about a second for each 4 MB."""

_ENTRY_KEYS = frozenset(field.name for field in fields(Entry))
_DOCS_KEYS = frozenset(field.name for field in fields(DocsLocation))
_GIT_KEYS = frozenset(field.name for field in fields(GitDocs))
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+|(?:https?|file|ssh)://\S+")
_LIST_KEYS = ("aliases", "words", "npm", "pypi", "packages", "other_ids")
_FILE_KEYS = frozenset({"checked", "ecosystem", "entries"})


def read_user_file(path: Path) -> list[Entry]:
    """The entries of a file that a user wrote.

    Raises:
        ConfigurationError: it cannot be read, is too large, or is not of the catalogue's form.
    """
    try:
        if path.stat().st_size > MAX_USER_FILE_BYTES:
            raise _wrong(path, f"is larger than {MAX_USER_FILE_BYTES // 1024 // 1024} MB")
        document = read_yaml(path)
    except OSError as error:
        raise _wrong(path, error.strerror or str(error)) from error
    return [entry_from_record(record) for record in records_of(document, path)]


def read_yaml(path: Path) -> Mapping[str, Any]:
    """The document in a YAML file of the catalogue.

    Raises:
        ConfigurationError: it is no YAML, or no mapping.
    """
    import yaml

    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise _wrong(path, " ".join(str(error).split())) from error
    if not isinstance(document, dict):
        raise _wrong(path, "is not a mapping with the key `entries`")
    return cast(Mapping[str, Any], document)


def records_of(document: Mapping[str, Any], path: Path) -> list[dict[str, Any]]:
    """The entries of a document as records, each complete and of the right shape.

    Raises:
        ConfigurationError: naming the entry and what is wrong with it.
    """
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
    if record.get("main") not in (None, "npm", "pypi"):
        return "`main` must be npm or pypi"
    problem = _problem_with_ids(record) or _problem_with_names(record) or _problem_with_docs(record.get("docs"))
    return problem or _problem_with_git(record.get("git"))


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


def _problem_with_git(git: object) -> str | None:
    if git is None:
        return None
    record = mapping(git)
    unknown = set(record) - _GIT_KEYS
    if unknown:
        return f"`git` has keys that are not known: {', '.join(sorted(unknown))}"
    if not all(isinstance(value, str) and value for value in record.values()):
        return "`git` holds texts only"
    if not _REPOSITORY.fullmatch(record.get("repository", "")):
        return "`git` must name a `repository`, as owner/name on GitHub or by its address"
    if "{version}" not in record.get("tag", "{version}"):
        return f"the tag {record['tag']!r} of `git` must hold {{version}}"
    return None


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
