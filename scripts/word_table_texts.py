"""The texts that the table of word vectors is learnt from: documentation, definitions of everyday words, the thesaurus.

docs/development.md names the libraries among them that benchmarks have come to ask about. Equal input gives equal texts in equal
order.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from docs_researcher.docsets.file import Docset, PieceOfPage
from docs_researcher.docsets.searching.compile_thesaurus import SOURCES
from docs_researcher.docsets.searching.ranking import SOURCE_FILES, is_release_notes
from docs_researcher.docsets.static_vectors.table import written_words

T = TypeVar("T")

PACKAGES = (
    *("npm:ai", "npm:sequelize", "pypi:alembic", "pypi:apscheduler", "pypi:beautifulsoup4", "pypi:bokeh", "pypi:boto3"),
    *("pypi:buildbot", "pypi:coverage", "pypi:cryptography", "pypi:dask", "pypi:falcon", "pypi:flask", "pypi:gevent"),
    *("pypi:gunicorn", "pypi:hypothesis", "pypi:luigi", "pypi:marshmallow", "pypi:mongoengine", "pypi:networkx"),
    *("pypi:paramiko", "pypi:peewee", "pypi:poetry", "pypi:prompt-toolkit", "pypi:pymongo", "pypi:pyramid", "pypi:redis"),
    *("pypi:requests", "pypi:rich", "pypi:setuptools", "pypi:sphinx", "pypi:starlette", "pypi:statsmodels"),
    *("pypi:structlog", "pypi:tox", "pypi:twisted", "pypi:urllib3", "pypi:websockets", "pypi:werkzeug", "pypi:xarray"),
)
"""Of November 2026, for the shipped table. Later releases make another table, about as good."""
CHUNKS = 1_500
"""Of one package: a large one must not outweigh the others."""
SENTENCES = 6_000
EXAMPLES = 16_000
COUNTED = 2
"""A meaning is taken when one of its words was met so often in the texts that WordNet was counted on."""

_FENCED = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)[^\n]*$|^(?:```|~~~).*\Z", re.MULTILINE | re.DOTALL)
_ASIDE = re.compile(r"\]\([^)]*\)|https?://\S+|<[^>\n]{1,200}>")


def documentation(home: Path) -> tuple[list[str], Counter[str]]:
    """Headings and sentences of PACKAGES, and how many passages hold each word; what `home` lacks is added to it first."""
    headings: dict[str, None] = {}
    sentences: dict[str, None] = {}
    counts = Counter[str]()
    for package in PACKAGES:
        with Docset.open(_installed(home, package)) as docset:
            pieces = [piece for piece in docset.pieces() if _is_guide(piece.path)]
        for piece in _some(pieces, CHUNKS):
            place = " > ".join(part for part in (piece.title, piece.heading) if part)
            text = plain(piece)
            headings[place[:200]] = None
            counts.update(words_of(f"{place} {text}"))
            found = [sentence for sentence in re.split(r"(?<=[.:!?])\s+(?=[A-Z])", text) if 30 < len(sentence) < 250]
            sentences.update(dict.fromkeys((found[0], found[len(found) // 2]) if found else ()))
    return [*headings, *_some([*sentences], SENTENCES)], counts


def _is_guide(path: str) -> bool:
    """Neither release notes nor made from source: names of modules teach nothing about words."""
    return not is_release_notes(path) and not path.endswith(SOURCE_FILES)


def words_of(text: str) -> set[str]:
    """The words of a text, each once, in lower case."""
    return {word.decode("ascii").lower() for word in written_words(text, len(text))}


def _some(things: Sequence[T], most: int) -> list[T]:
    """At most so many, from everywhere alike."""
    return random.Random(2).sample(things, min(most, len(things)))


def plain(piece: PieceOfPage) -> str:
    """The prose of a chunk on one line, without code, tags and addresses."""
    return " ".join(re.sub(r"[`*#|]+", " ", " ".join(_ASIDE.sub(" ", _FENCED.sub(" ", piece.content)).split())).split())


def _installed(home: Path, package: str) -> Path:
    ecosystem, _, name = package.partition(":")
    bare = name.partition("@")[0]
    found = sorted((home / "docsets" / ecosystem).glob(f"{bare}@*.db"))
    if not found:
        command = [sys.executable, "-m", "docs_researcher", "add", package, "--quiet"]
        subprocess.run(command, env={"DOCS_RESEARCH_HOME": str(home)}, check=True)
        found = sorted((home / "docsets" / ecosystem).glob(f"{bare}@*.db"))
    return found[0]


def definitions(wordnet: Path) -> tuple[list[str], list[str]]:
    """`word, word: what it means` of the everyday words of WordNet, and the sentences that it gives as examples."""
    counts: dict[str, int] = {}
    for line in (wordnet / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        key, _, count = line.split()
        word = key.partition("%")[0]
        counts[word] = counts.get(word, 0) + int(count)
    meanings: list[str] = []
    examples: list[str] = []
    for words, meaning in _meanings(wordnet):
        known = max(counts.get(word.lower().replace(" ", "_"), 0) for word in words)
        if known < COUNTED or any(word[0].isupper() for word in words):
            continue
        meant, *said = (part.strip() for part in re.split(r';(?=\s*")', meaning))
        meanings.append(f"{', '.join(words)}: {meant}")
        examples += [text for text in (part.strip('" ;') for part in said) if 15 < len(text) < 160]
    source = random.Random(1)
    source.shuffle(examples)
    return list(dict.fromkeys(meanings)), list(dict.fromkeys(examples[:EXAMPLES]))


def _meanings(wordnet: Path) -> Iterator[tuple[Sequence[str], str]]:
    for part in ("noun", "verb", "adj", "adv"):
        for line in (wordnet / f"data.{part}").read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            head, _, meaning = line.rstrip().partition(" | ")
            fields = head.split()
            words = [fields[4 + 2 * number] for number in range(int(fields[3], 16))]
            yield [re.sub(r"\(.*?\)", "", word).replace("_", " ") for word in words], meaning


def thesaurus() -> list[str]:
    """Each wording of several words, the terms of each line, and a few wordings with them."""
    source = random.Random(3)
    found: dict[str, None] = {}
    for path in sorted(SOURCES.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if "|" not in line or line.startswith("#"):
                continue
            left, _, terms = (part.strip() for part in line.partition("|"))
            wordings = [wording.strip() for wording in left.split(",")]
            found.update(dict.fromkeys(wording for wording in wordings if " " in wording))
            found[terms] = None
            found[f"{', '.join(source.sample(wordings, min(3, len(wordings))))}: {terms}"] = None
    return list(found)
