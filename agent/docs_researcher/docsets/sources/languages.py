"""Which folders and file names say "this is a translation"."""

from __future__ import annotations

import re
from collections.abc import Iterable

SURE = frozenset(["de", "es", "fr", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "tr", "uk", "zh", "cn", "jp", "kr"])
"""Two-letter names that mean a language wherever they stand."""
_POSSIBLE_WORDS = """
af am ar az be bg bn bs ca cs cy da el eo et eu fa fi fil ga gl gu he hi hr hu hy id is it ka kk km kn lo lt lv mk ml
mn mr ms my nb ne nn no pa ro si sk sl sq sr sw ta te tg th tk tl ur uz vi xh yo zu
"""
POSSIBLE = frozenset(_POSSIBLE_WORDS.split())
"""Codes that are words of our trade as well (`id`, `vi`, `ml`, `cs`): they count only where other languages stand beside them."""
_LANGUAGE_FOLDER_NAMES = """
i18n l10n lang langs language languages locale locales translation translations translated
"""
_FOLDERS_OF_LANGUAGES = frozenset(_LANGUAGE_FOLDER_NAMES.split())
_REGIONAL = re.compile(r"([a-z]{2,3})[-_](?:[a-z]{2}|[a-z]{4}|419)(?:[-_][a-z]{2})?")
_NAME_ENDING = re.compile(r"(.+?)([._-])([a-z]{2,3}(?:[-_](?:[a-z]{2}|[a-z]{4}|419))?)")


def language_of(name: str) -> str | None:
    """The language code that a folder name or name ending is written as, sure or possible; None for any other word."""
    name = name.lower()
    if name in SURE or name in POSSIBLE or name == "en":
        return name
    regional = _REGIONAL.fullmatch(name)
    if regional and (regional[1] in SURE or regional[1] in POSSIBLE or regional[1] == "en"):
        return regional[1]
    return None


def is_sure(name: str) -> bool:
    """Whether this name is a language without a look at its neighbours."""
    name = name.lower()
    return name in SURE or (language_of(name) is not None and name not in POSSIBLE)


ALL_LANGUAGES = "all"


class Translations:
    """Tells pages in other languages from those that are wanted, in one list of paths."""

    def __init__(self, paths: Iterable[str], wanted: str = "en") -> None:
        """`wanted` is the code of a language (`de`), or `all`."""
        self._wanted = wanted.lower().replace("_", "-").partition("-")[0]
        self._paths = tuple(paths)
        self._files = {path.lower() for path in self._paths}
        self._folders: dict[str, set[str]] = {}
        for path in self._paths:
            parts = path.lower().split("/")[:-1]
            for depth, part in enumerate(parts):
                self._folders.setdefault("/".join(parts[:depth]), set()).add(part)

    def left_out(self) -> frozenset[str]:
        """The paths in other languages; none when nothing else would be left (a project written in one other language).

        What does not say its language stays.
        """
        if self._wanted == ALL_LANGUAGES:
            return frozenset()
        found = frozenset(path for path in self._paths if self._is_translation(path))
        return frozenset() if len(found) == len(self._paths) else found

    def _is_translation(self, path: str) -> bool:
        parts = path.lower().split("/")
        folders = parts[:-1]
        if any(self._is_language_folder("/".join(folders[:depth]), part) for depth, part in enumerate(folders)):
            return True
        return self._has_language_ending(parts)

    def _is_language_folder(self, parent: str, name: str) -> bool:
        language = language_of(name)
        if language is None or language == self._wanted:
            return False
        if is_sure(name) or parent.rpartition("/")[2] in _FOLDERS_OF_LANGUAGES:
            return True
        return any(is_sure(sibling) for sibling in self._folders.get(parent, ()) if sibling != name)

    def _has_language_ending(self, parts: list[str]) -> bool:
        stem, dot, suffix = parts[-1].rpartition(".")
        ending = _NAME_ENDING.fullmatch(stem)
        if not dot or ending is None:
            return False
        language = language_of(ending[3])
        if language is None or language == self._wanted:
            return False
        if ending[2] == "." and is_sure(ending[3]):
            return True
        original = "/".join([*parts[:-1], f"{ending[1]}.{suffix}"])
        return original in self._files
