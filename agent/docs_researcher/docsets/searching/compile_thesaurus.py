"""From the thesaurus as people write it to the JSON that is shipped.

    python -m docs_researcher.docsets.searching.compile_thesaurus [--check]

With `--check` nothing is written; the exit code is 1 when the shipped file is not what the source says.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import apsw

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.core.lines import lines_of
from docs_researcher.docsets.searching.ranking import Titles
from docs_researcher.docsets.searching.thesaurus import COMPILED

SOURCES = COMPILED.with_suffix("")
"""The folder with a text for each domain."""


def compile_folder(folder: Path = SOURCES) -> str:
    """The compiled thesaurus as JSON text. Every line of its texts is comment, blank, or `wording, wording | term, term`.

    Raises:
        ConfigurationError: a line is not of that form, names a term twice, or has a wording of stop words only; with its number.
    """
    titles = Titles(apsw.Connection(":memory:"))
    terms: list[str] = []
    wordings: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(lines_of(path.read_text(encoding="utf-8")), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            left, bar, right = line.partition("|")
            called = [term.strip() for term in right.split(",")]
            if not bar or not all(called) or len({term.lower() for term in called}) < len(called):
                raise _wrong(path, number, "it has to be `wording, wording | term, term`, each term once")
            for wording in left.split(","):
                stems = sorted(set(titles.of(wording)))
                if not stems:
                    raise _wrong(path, number, f"the wording {wording.strip()!r} has no word that a search would keep")
                # The longest stem is the rarest as a rule, so that few wordings are looked at for a question.
                first = max(stems, key=lambda stem: (len(stem), stem))
                others = (stem for stem in stems if stem != first)
                wordings.setdefault(first, []).append(" ".join([*others, str(len(terms))]))
            terms.append(", ".join(called))
    joined = {stem: ", ".join(entries) for stem, entries in sorted(wordings.items())}
    return json.dumps({"terms": terms, "wordings": joined}, ensure_ascii=False, indent=0) + "\n"


def _wrong(path: Path, number: int, why: str) -> ConfigurationError:
    return ConfigurationError(f"{path.name}, line {number}, cannot be used", why=why, next_step="Mend the line.")


def main(arguments: Sequence[str]) -> int:
    """Write the compiled file, or with `--check` compare it. Returns the exit code."""
    try:
        text = compile_folder()
    except ConfigurationError as error:
        print(f"{error.message}: {error.why}", file=sys.stderr)
        return 1
    if "--check" in arguments:
        current = COMPILED.read_text(encoding="utf-8") if COMPILED.exists() else ""
        if current != text:
            print("thesaurus.json is not what the source says; compile it again", file=sys.stderr)
        return int(current != text)
    COMPILED.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
