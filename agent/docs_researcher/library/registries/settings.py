"""Which registries to ask, out of the configuration that the user already has for npm, pip and uv."""

from __future__ import annotations

import base64
import configparser
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from docs_researcher.core.lines import lines_of
from docs_researcher.library.registries.http import Route, is_web_address

MAX_SETTINGS_BYTES = 1024 * 1024
"""A settings file larger than this is not one."""

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_PROJECT_VARIABLES = re.compile(r"(?:NPM|NODE|GITHUB|GITLAB)_\w*TOKEN\w*|CI_JOB_TOKEN")
"""The variables that a project's own .npmrc may name, and only in a token: a foreign project must not be able to have
another secret of the user's sent to a host of its choice."""


@dataclass(frozen=True, slots=True)
class RegistrySettings:
    """Where to ask and with what. None stands for the public registry.

    Attributes:
        npm_registry: npm's registry, without a slash at the end.
        npm_scopes: registries of single scopes, as (`@scope`, address).
        npm_route: credentials and certificates for npm.
        pypi_indexes: the indexes ("simple" addresses) in the order in which they are asked; the first that knows a project
            answers. Empty for the public one.
        pypi_route: credentials and certificates for the indexes.
    """

    npm_registry: str | None = None
    npm_scopes: tuple[tuple[str, str], ...] = ()
    npm_route: Route = field(default_factory=Route)
    pypi_indexes: tuple[str, ...] = ()
    pypi_route: Route = field(default_factory=Route)

    @classmethod
    def read(
        cls, project: Path | None = None, *, environ: Mapping[str, str] | None = None, home: Path | None = None
    ) -> RegistrySettings:
        """Read the settings that are in force: environment, then the project's, the user's and the machine's files.

        A file that is missing or cannot be read counts as empty, as it does for npm and pip.
        """
        environ = os.environ if environ is None else environ
        home = Path.home() if home is None else home
        npm = _npm_settings(project, environ, home)
        scopes = tuple(
            (key.partition(":")[0], value.rstrip("/"))
            for key, value in npm.items()
            if key.startswith("@") and key.endswith(":registry") and is_web_address(value)
        )
        registry = npm.get("registry", "").rstrip("/")
        indexes, cert = _pypi_settings(environ, home)
        return cls(
            registry if is_web_address(registry) else None,
            scopes,
            Route(tuple(_npm_credentials(npm)), _file(npm.get("cafile"))),
            *_split_indexes(indexes, cert),
        )

    def registry_for(self, name: str) -> str | None:
        """The registry for a package of this name; None for the public one."""
        scope = name.partition("/")[0] if name.startswith("@") else ""
        return dict(self.npm_scopes).get(scope, self.npm_registry)


def _npm_settings(project: Path | None, environ: Mapping[str, str], home: Path) -> dict[str, str]:
    """The settings of npm by key, the strongest source last written."""
    settings: dict[str, str] = {}
    by_lower = {key.lower(): value for key, value in environ.items()}
    for path in (by_lower.get("npm_config_globalconfig"), by_lower.get("npm_config_userconfig") or str(home / ".npmrc")):
        if path:
            settings.update(_read_npmrc(Path(path), environ))
    if project is not None:
        settings.update(_read_npmrc(project / ".npmrc", environ, trusted=False))
    for key, value in environ.items():
        if key.lower().startswith("npm_config_") and value:
            name = key[len("npm_config_") :]
            settings[name if name.startswith(("@", "//")) else name.lower().replace("_", "-")] = value
    return settings


def _read_npmrc(path: Path, environ: Mapping[str, str], *, trusted: bool = True) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines_of(_read_text(path)):
        line = line.strip()
        if not line or line.startswith(("#", ";")) or "=" not in line:
            continue
        key, _, value = line.partition("=")
        key = _expand(key.strip(), environ) if trusted else key.strip()
        value = value.strip().strip("\"'")
        if trusted:
            value = _expand(value, environ)
        elif key.endswith(":_authToken"):
            value = _expand(value, environ, allowed=_PROJECT_VARIABLES)
        found[key] = value
    return found


def _expand(text: str, environ: Mapping[str, str], allowed: re.Pattern[str] | None = None) -> str:
    """Put variables in place of `${NAME}`; one that is not set or not allowed stays as it is written."""

    def value(match: re.Match[str]) -> str:
        if allowed is not None and not allowed.fullmatch(match[1]):
            return match[0]
        return environ.get(match[1], match[0])

    return _VARIABLE.sub(value, text)


def _npm_credentials(settings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(address without a scheme, Authorization header) for every registry that has credentials."""
    for key, value in settings.items():
        address, _, kind = key.rpartition(":")
        if not address.startswith("//") or not value or _VARIABLE.search(value):
            continue
        if kind == "_authToken":
            yield address, f"Bearer {value}"
        elif kind == "_auth":
            yield address, f"Basic {value}"
        elif kind == "_password" and (user := settings.get(f"{address}:username")):
            try:
                password = base64.b64decode(value).decode()
            except ValueError:
                continue
            yield address, _basic(user, password)


def _pypi_settings(environ: Mapping[str, str], home: Path) -> tuple[list[str], Path | None]:
    """The indexes in order, addresses as written, and the file of certificates."""
    pip = _pip_settings(environ, home)
    uv_main, uv_extra = _uv_settings(environ, home)
    main = (
        environ.get("UV_DEFAULT_INDEX")
        or environ.get("UV_INDEX_URL")
        or environ.get("PIP_INDEX_URL")
        or uv_main
        or pip.get("index-url")
    )
    extra: list[str] = []
    for text in (environ.get("UV_INDEX"), environ.get("UV_EXTRA_INDEX_URL"), environ.get("PIP_EXTRA_INDEX_URL")):
        extra.extend((text or "").split())
    extra += [*uv_extra, *pip.get("extra-index-url", "").split()]
    cert = environ.get("PIP_CERT") or pip.get("cert")
    # With further indexes and no main one, the public index stays the first; an empty text stands for it.
    indexes = [_without_index_name(url) for url in [main or "", *extra]]
    usable = [url for url in indexes if not url or is_web_address(url)]
    return list(dict.fromkeys(usable)), _file(cert)


def _without_index_name(text: str) -> str:
    """The address alone where uv's form `name=https://...` is used."""
    return re.sub(r"^[\w.-]+=(?=https?://)", "", text).rstrip("/")


def _pip_settings(environ: Mapping[str, str], home: Path) -> dict[str, str]:
    named = environ.get("PIP_CONFIG_FILE")
    if named == os.devnull:
        return {}
    config = environ.get("XDG_CONFIG_HOME") or str(home / ".config")
    machine = [Path(folder) / "pip" / "pip.conf" for folder in (environ.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")]
    paths = [
        *machine,
        Path("/etc/pip.conf"),
        home / ".pip" / "pip.conf",
        home / "Library" / "Application Support" / "pip" / "pip.conf",
        Path(environ["APPDATA"]) / "pip" / "pip.ini" if environ.get("APPDATA") else None,
        Path(config) / "pip" / "pip.conf",
        Path(environ["VIRTUAL_ENV"]) / "pip.conf" if environ.get("VIRTUAL_ENV") else None,
        Path(named) if named else None,
    ]
    found: dict[str, str] = {}
    for path in paths:
        if path is not None:
            found.update(_read_pip_conf(path))
    return found


def _read_pip_conf(path: Path) -> dict[str, str]:
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(_read_text(path))
    except configparser.Error:
        return {}
    found: dict[str, str] = {}
    for section in ("global", "install", "download"):
        if parser.has_section(section):
            found.update({key.replace("_", "-"): value for key, value in parser.items(section)})
    return found


def _uv_settings(environ: Mapping[str, str], home: Path) -> tuple[str | None, list[str]]:
    """The main index and the further ones of the user's uv.toml."""
    config = environ.get("XDG_CONFIG_HOME") or str(home / ".config")
    try:
        settings: dict[str, Any] = tomllib.loads(_read_text(Path(config) / "uv" / "uv.toml"))
    except tomllib.TOMLDecodeError:
        return None, []
    main = settings.get("index-url")
    extra = [str(url) for url in cast(list[object], settings.get("extra-index-url", []))]
    for index in cast(list[dict[str, Any]], settings.get("index", [])):
        if index.get("default"):
            main = index.get("url")
        elif index.get("url") and not index.get("explicit"):
            extra.append(str(index["url"]))
    return (str(main) if main else None), extra


def _split_indexes(indexes: list[str], cert: Path | None) -> tuple[tuple[str, ...], Route]:
    """The addresses without the credentials in them, and the route that carries those."""
    credentials: list[tuple[str, str]] = []
    addresses: list[str] = []
    for url in indexes:
        parts = urlsplit(url)
        if parts.username:
            host = parts.netloc.rpartition("@")[2]
            url = parts._replace(netloc=host).geturl()
            credentials.append((f"//{host}", _basic(unquote(parts.username), unquote(parts.password or ""))))
        addresses.append(url)
    return (() if addresses == [""] else tuple(addresses)), Route(tuple(credentials), cert)


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def _file(path: str | None) -> Path | None:
    return Path(path).expanduser() if path else None


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_SETTINGS_BYTES:
            return ""
        return path.read_text(encoding="utf-8", errors="replace").removeprefix("\ufeff")
    except OSError:
        return ""
