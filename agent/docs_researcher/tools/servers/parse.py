"""One raw entry of a configuration file as a `ServerEntry`: types checked, variables filled in, mistakes named by line."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.core.secrets import remove_secrets
from docs_researcher.tools.servers.entries import OAuthClient, Origin, ServerEntry
from docs_researcher.tools.servers.variables import Expanded, Scope, expand

Lines = Callable[..., int | None]
"""The line of a key below the entry, by its path."""

_WEB = ("http", "streamable-http", "streamablehttp", "streamable_http", "streamable", "remote")
_EVENT_STREAM = ("sse", "http+sse", "http-sse")
_PIPE = ("stdio", "local", "")
_URL_KEYS = ("url", "serverUrl", "httpUrl")
_HEADER_KEYS = ("headers", "http_headers")
_KNOWN = {
    *("type", "transport", "command", "args", "env", "cwd", "auth", "oauth", "disabled", "enabled", "bearer_token_env_var"),
    *(*_URL_KEYS, *_HEADER_KEYS),
    *(
        "timeout",
        "startup_timeout_sec",
        "alwaysLoad",
        "alwaysAllow",
        "autoApprove",
        "description",
        "name",
        "icon",
        "dev",
        "gallery",
    ),
}
_MAX_CONNECT_SECONDS = 600.0
_SPACE = re.compile(r"\s")


def parse_entry(name: str, raw: object, origin: Origin, scope: Scope, lines: Lines) -> ServerEntry:
    """The entry; what makes it unusable stands in its `problem`."""
    reading = _Reading(name, origin, scope, lines)
    try:
        return reading.entry(raw)
    except ConfigurationError as problem:
        return ServerEntry(name, origin, problem=problem, warnings=tuple(reading.warnings))


class _Reading:
    """Reads one entry and collects what it has to say about it."""

    def __init__(self, name: str, origin: Origin, scope: Scope, lines: Lines) -> None:
        self.name = name
        self.origin = origin
        self.scope = scope
        self.lines = lines
        self.warnings: list[str] = []

    def entry(self, raw: object) -> ServerEntry:
        values = self._table(raw)
        self._note_unknown(values)
        entry = ServerEntry(
            self.name,
            self.origin,
            connect_seconds=self._connect_seconds(values),
            disabled=values.get("disabled") is True or values.get("enabled") is False,
        )
        entry = self._web(entry, values) if self._is_web(values) else self._pipe(entry, values)
        return replace(entry, warnings=tuple(self.warnings))

    def _table(self, raw: object) -> Mapping[str, Any]:
        if not isinstance(raw, dict):
            raise self._wrong("is not a table of settings", 'Write {"command": "...", "args": []} or {"url": "..."}.')
        values = cast("dict[str, Any]", raw)
        transport = values.get("transport")
        if isinstance(transport, dict):
            return {**values, **cast("dict[str, Any]", transport)}
        return {**values, "type": transport} if isinstance(transport, str) and "type" not in values else values

    def _note_unknown(self, values: Mapping[str, Any]) -> None:
        if "envFile" in values:
            self.warnings.append("envFile is not read; put its variables into env")
        if "headersHelper" in values:
            self.warnings.append("headersHelper is not run; put the headers into headers")
        unknown = sorted(set(values) - _KNOWN - {"envFile", "headersHelper"})
        if unknown:
            self.warnings.append(f"not known here and left alone: {', '.join(unknown)}")

    def _is_web(self, values: Mapping[str, Any]) -> bool:
        kind = str(values.get("type") or "").lower()
        if kind not in (*_WEB, *_EVENT_STREAM, *_PIPE):
            raise self._wrong(f"has the unknown type {values['type']!r}", 'The types are "stdio", "http" and "sse".', "type")
        return kind in (*_WEB, *_EVENT_STREAM) or (
            kind == "" and "command" not in values and any(key in values for key in _URL_KEYS)
        )

    # A server that is reached by its address

    def _web(self, entry: ServerEntry, values: Mapping[str, Any]) -> ServerEntry:
        key = next((key for key in _URL_KEYS if key in values), "url")
        url = self._filled(self._text(values.get(key), key), key).strip()
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise self._wrong(f"has no web address in {key}", "Write the whole address, such as https://host/mcp.", key)
        headers_key = next((key for key in _HEADER_KEYS if key in values), "headers")
        headers = self._strings(values, headers_key)
        variable = values.get("bearer_token_env_var")
        if isinstance(variable, str) and (token := self.scope.environment.get(variable)):
            headers["Authorization"] = f"Bearer {token}"
        elif isinstance(variable, str):
            self.warnings.append(f"{variable} is not set, so no Authorization header is sent")
        kind = str(values.get("type") or "").lower()
        older = kind in _EVENT_STREAM or (not kind and parts.path.rstrip("/").endswith("/sse"))  # as other programs take it
        return replace(
            entry, url=url, event_stream=older, headers=headers, oauth=self._oauth(values), shown=_bare(str(values[key]))
        )

    def _oauth(self, values: Mapping[str, Any]) -> OAuthClient:
        key = "auth" if "auth" in values else "oauth"
        raw = values.get(key)
        if not isinstance(raw, dict):
            return OAuthClient()
        given = {name.lower().replace("clientid", "client_id"): value for name, value in cast("dict[str, Any]", raw).items()}
        scopes = given.get("scopes", given.get("scope", ()))
        return OAuthClient(
            client_id=self._filled(str(given.get("client_id", "")), key),
            client_secret=self._filled(str(given.get("client_secret", "")), key),
            scopes=tuple(scopes.split()) if isinstance(scopes, str) else tuple(str(scope) for scope in scopes),
        )

    # A server that is started

    def _pipe(self, entry: ServerEntry, values: Mapping[str, Any]) -> ServerEntry:
        command = self._command(values.get("command"))
        cwd = values.get("cwd")
        folder = self._filled(self._text(cwd, "cwd"), "cwd") if cwd is not None else None
        project = self.scope.project if self.origin.scope == "project" else None
        if project is not None:
            folder = str(project / folder) if folder else str(project)
        args = self._args(values)
        written = [str(values["command"]), *cast("list[str]", values.get("args") or [])]
        shown = remove_secrets(" ".join(word if word and not _SPACE.search(word) else repr(word) for word in written))[0]
        return replace(entry, command=command, args=args, env=self._strings(values, "env"), cwd=folder, shown=shown)

    def _command(self, raw: object) -> str:
        if isinstance(raw, list):
            words = [str(word) for word in cast("list[object]", raw)]
            raise self._several(words)
        if raw is None:
            raise self._wrong("has neither a command nor a url", 'Write {"command": "...", "args": []} or {"url": "..."}.')
        command = self._filled(self._text(raw, "command"), "command").strip()
        if not command:
            raise self._wrong("has an empty command", "Name the program to start.", "command")
        if len(command.split()) > 1 and not Path(command).is_file() and shutil.which(command) is None:
            try:
                words = shlex.split(command)
            except ValueError:
                words = command.split()
            if len(words) > 1:
                raise self._several(words)
        return command

    def _several(self, words: list[str]) -> ConfigurationError:
        listed = remove_secrets(", ".join(f'"{word}"' for word in words[1:]))[0]
        fix = f'Write command "{words[0]}" and args [{listed}].' if words else "Name the program to start."
        return self._wrong("has arguments in its command, which is one executable", fix, "command")

    def _args(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        raw = values.get("args")
        if raw is None:
            return ()
        if not isinstance(raw, list):
            raise self._wrong("has args that are no list", 'Write each argument by itself: ["-y", "package"].', "args")
        items = cast("list[object]", raw)
        return tuple(self._filled(self._text(item, "args", str(place)), "args", str(place)) for place, item in enumerate(items))

    # Values

    def _strings(self, values: Mapping[str, Any], key: str) -> dict[str, str]:
        """A table of texts; one whose variable is not set is left out, with a warning."""
        raw = values.get(key)
        if raw is None:
            return {}
        if not isinstance(raw, dict):
            raise self._wrong(f"has {key} that is no table", f'Write "{key}": {{"NAME": "value"}}.', key)
        found: dict[str, str] = {}
        for name, value in cast("dict[str, Any]", raw).items():
            expanded = expand(self._text(value, key, name), self.scope)
            if expanded.asking:
                raise self._unfilled(expanded, key, name)
            if expanded.problem:
                self.warnings.append(f"{key}.{name} is left out: {expanded.problem}")
            else:
                found[name] = expanded.text
        return found

    def _filled(self, text: str, *path: str) -> str:
        expanded = expand(text, self.scope)
        if expanded.problem:
            raise self._unfilled(expanded, *path)
        return expanded.text

    def _text(self, value: object, *path: str) -> str:
        if isinstance(value, str):
            return value
        shown = "true" if value is True else "false" if value is False else str(value)
        raise self._wrong(
            f"has {'.'.join(path)} that is no text but {_kind(value)}",
            f'Write it in quotes: "{shown}".' if isinstance(value, bool | int | float) else "Write a text in quotes.",
            *path,
        )

    def _connect_seconds(self, values: Mapping[str, Any]) -> float | None:
        seconds, milliseconds = values.get("startup_timeout_sec"), values.get("timeout")
        if isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds > 0:
            return min(float(seconds), _MAX_CONNECT_SECONDS)
        if isinstance(milliseconds, int | float) and not isinstance(milliseconds, bool) and milliseconds >= 1_000:
            return min(milliseconds / 1_000, _MAX_CONNECT_SECONDS)
        return None

    def _unfilled(self, expanded: Expanded, *path: str) -> ConfigurationError:
        return self._wrong(f"cannot be used: {expanded.problem}", expanded.fix, *path)

    def _wrong(self, what: str, fix: str, *path: str) -> ConfigurationError:
        line = self.lines(*path) or self.origin.line
        place = f"{self.origin.file}:{line}" if line else str(self.origin.file)
        return ConfigurationError(f"{place}: the server {self.name!r} {what}", next_step=fix)


def _bare(url: str) -> str:
    """An address as it is written, without user, password and query."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("?")[0].partition("/")
    return remove_secrets(f"{scheme}://{host.rpartition('@')[2]}{slash}{path}")[0]


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a table"
    return "null" if value is None else "a date"
