"""Packages that a text names as code does: install commands, import lines, pinned requirements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from docs_researcher.library.packages import PackageRef, normalise_pypi_name
from docs_researcher.steps.words import REQUEST_VERBS, STOP_WORDS, TRADE_WORDS, word_set

_COMMAND = re.compile(
    r"\b(?P<npm>(?:npm|pnpm|bun)\s+(?:i|install|add|update|create)|yarn\s+add|npx|pnpm\s+dlx|bunx)\s+"
    r"|\b(?P<pypi>pip3?\s+install|uv\s+(?:add|pip\s+install|tool\s+install)|poetry\s+add|pipx\s+(?:run|install)|uvx|conda\s+install)\s+"
)
_SHORT_FORM = re.compile(r"(?<![\w:/.-])(?P<kind>npm|pypi):(?P<name>@[\w.~-]+/[\w.~-]*\w|[A-Za-z](?:[\w.-]*\w)?)")
"""How this program writes a package, and tells people to: `npm:commander`."""
_FLAGS = re.compile(r"(?:--?[A-Za-z][\w-]*(?:=\S+)?\s+)*")
_PACKAGE = re.compile(r"(@[\w.~-]+/[\w.~-]+|[A-Za-z][\w.-]*\w|[a-z])(?:\[[\w,.-]+\])?(?=@|==|>=|~=|[\s,;:.)`'\"]|$)")
_PINNED = re.compile(r"(?<![\w@/.-])(@[\w.~-]+/[\w.~-]+|[A-Za-z][\w.-]*\w)(?:@(?=[\^~v]?\d|latest\b|next\b)|(?:==|~=|>=)(?=\d))")
_PINNED_VERSION = re.compile(r"(?:@|==|~=|>=)\S+")
_NPM_IMPORT = re.compile(r"(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['\"](@[\w.~-]+/[\w.~-]+|[A-Za-z][\w.-]*)[^'\"\n]*['\"]")
_PY_FROM = re.compile(r"(?:^|[\n`;:]\s*|\s)from\s+([A-Za-z_]\w*)[\w.]*\s+import\b")
_PY_IMPORT = re.compile(r"(?:^|[\n`;])\s*import\s+([a-z_]\w*)\b(?!\s+(?:from|\{|and|or|the|it|a)\b)")
_NOT_PACKAGES = STOP_WORDS | TRADE_WORDS | REQUEST_VERBS | word_set("fails hangs complains errors breaks says gives keeps")
_KIND_OF_DEPENDENCY = re.compile(
    r"[A-Za-z]+[ -](?:dep(?:endenc(?:y|ies))?|packages?|librar(?:y|ies)|requirements?|modules?|group)\b"
)
"""A word that says which dependencies are meant, and names none: "poetry add dev dependency"."""
_IMPORT_NAMES = {
    "sklearn": "scikit-learn", "cv2": "opencv-python", "PIL": "pillow", "yaml": "pyyaml", "bs4": "beautifulsoup4",
    "rest_framework": "djangorestframework", "jwt": "pyjwt", "dotenv": "python-dotenv", "skimage": "scikit-image",
    "google": "google-cloud", "psycopg2": "psycopg2", "attr": "attrs", "dateutil": "python-dateutil", "serial": "pyserial",
}  # fmt: skip
"""Python modules whose package has another name."""


@dataclass(frozen=True, slots=True)
class PackageInText:
    """A package and where it stands; not `certain` when it may as well be a plain word."""

    package: PackageRef
    start: int
    end: int
    certain: bool


def packages_in(text: str) -> Iterator[PackageInText]:
    """Packages of install commands, import lines, short forms (`npm:next`) and pins (`next@15`, `pytest==9.2.0`).

    Versions are not read.
    """
    for match in _COMMAND.finditer(text):
        kind = "npm" if match["npm"] else "pypi"
        yield from _installed(text, match.end(), kind, only_one=match[0].split()[0] in ("npx", "bunx", "uvx"))
    for match in _SHORT_FORM.finditer(text):
        yield replace(_found(match, match["kind"], certain=True, name=match["name"]), start=match.start(), end=match.end())
    if "@" in text or "=" in text:
        for match in _PINNED.finditer(text):
            yield _found(match, "pypi" if "=" in match[0] else "npm", certain=True)
    if "import" in text or "require" in text:
        for match in _NPM_IMPORT.finditer(text):
            yield _found(match, "npm", certain=True)
        for pattern in (_PY_FROM, _PY_IMPORT):
            for match in pattern.finditer(text):
                yield _found(match, "pypi", certain=False, name=_IMPORT_NAMES.get(match[1], match[1]))


def command_spans(text: str) -> list[tuple[int, int]]:
    """Where the words of install commands stand: `pip install` does not name pip as the library asked about."""
    return [match.span() for match in _COMMAND.finditer(text) if not _is_asked_about(text, match)]


def _is_asked_about(text: str, command: re.Match[str]) -> bool:
    """Whether a text begins with the words of a command that no package follows: "poetry add dependency from a branch"."""
    if command.start() or "install" in command[0]:
        return False
    return not any(_installed(text, command.end(), "npm", only_one=True))


def _installed(text: str, position: int, kind: str, *, only_one: bool) -> Iterator[PackageInText]:
    first = True
    while True:
        flags = _FLAGS.match(text, position)
        position = flags.end() if flags else position
        match = _PACKAGE.match(text, position)
        if match is None or match[1].lower() in _NOT_PACKAGES or _KIND_OF_DEPENDENCY.match(text, position):
            return
        plain = "@" not in match[0] and "-" not in match[0]
        yield _found(match, kind, certain=first or not plain)
        if only_one:
            return
        version = _PINNED_VERSION.match(text, match.end())
        position = version.end() if version else match.end()
        if not text.startswith(" ", position):
            return
        position += 1
        first = False


def _found(match: re.Match[str], kind: str, *, certain: bool, name: str = "") -> PackageInText:
    name = name or str(match[1])
    package = PackageRef("npm", name) if kind == "npm" else PackageRef("pypi", normalise_pypi_name(name))
    return PackageInText(package, match.start(1), match.end(1), certain)
