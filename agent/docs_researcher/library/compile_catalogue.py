"""From the catalogue's YAML source to the JSON that is shipped: `python -m docs_researcher.library.compile_catalogue`.

With `--check` nothing is written; the exit code is 1 when the shipped file is not what the source says.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.library.catalogue import COMPILED, FIRST_ROW
from docs_researcher.library.catalogue_source import read_yaml, records_of
from docs_researcher.library.entries import Entry, entry_from_record, entry_to_row, fold_name
from docs_researcher.library.indexes import Indexes

DATA = COMPILED.parent


def compile_folder(folder: Path = DATA) -> str:
    """The compiled catalogue as JSON text, entries by name.

    Raises:
        ConfigurationError: an entry is not of the catalogue's form, or two entries share a name, an id or a package.
    """
    records: list[dict[str, Any]] = []
    dates: list[str] = []
    for path in sorted(folder.glob("*.yaml")):
        document = read_yaml(path)
        dates.append(str(document.get("checked", "")))
        records.extend(records_of(document, path))
    records.sort(key=lambda record: cast(str, record["name"]).casefold())
    entries = [entry_from_record(record) for record in records]
    refuse_shared(entries)
    parts = {"checked": min(dates, default=""), **Indexes(entries).record()}
    indexes = ",\n".join(f"{_json(name)}:{_json(part)}" for name, part in parts.items())
    rows = ",\n".join(_json(entry_to_row(entry)) for entry in entries)
    return f"{{{indexes},\n{FIRST_ROW.decode()}\n{rows}\n]}}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


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
