"""What the user and the project have settled for every question: configuration files and environment variables.

A flag wins over a variable, a variable over the project's `[tool.docs-research]` in pyproject.toml, the project over the
user's `config.toml`, and that over the agent definition. A project's file may come from anybody, so it can name no command, no
server, no price list and no agent outside of the project, and can lower the user's limit of cost but not raise it; what it says
beyond that is left out and told.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from docs_researcher.core.errors import ConfigurationError, UsageError
from docs_researcher.core.limits import Limits
from docs_researcher.core.parsed import mapping
from docs_researcher.definition.places import CONFIG_VARIABLE, config_file, is_path, project_folders
from docs_researcher.runtime.setting_values import READERS, read_variable

if TYPE_CHECKING:
    from docs_researcher.runtime.config_file import ConfigFile

LIMIT_KEYS = ("turns", "resolve_calls", "query_calls", "tokens_read", "seconds", "cost")
TOP_KEYS = ("model", "docs_from", "answer_tokens", "offline", "strict_version", "server_notes", "agent", "prices", "disk_mb")
OTHER_TABLES = frozenset({"mcp_servers"})
"""Tables of the user's file that other parts of this program read."""
TABLE = ("tool", "docs-research")
"""Where a project's settings stand in its pyproject.toml."""
_SERVER = "mcp:"
_MENTIONED = rb"""docs-research["']?\s*[\].=]"""
"""What a pyproject.toml with our table holds somewhere; one without it need not be parsed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is settled. None, or a limit that is not there, leaves it to the agent definition."""

    model: str | None = None
    docs_from: str | None = None
    """auto, local, mcp, or mcp:SERVER."""
    answer_tokens: int | None = None
    offline: bool | None = None
    strict_version: bool | None = None
    server_notes: bool | None = None
    """Whether what MCP servers say about their own use stands in the prompt."""
    agent: str | None = None
    """An agent's name, or the path of its file."""
    prices: Path | None = None
    limits: Mapping[str, float] = field(default_factory=dict[str, float])
    """Of `LIMIT_KEYS` those that are set."""
    notices: tuple[str, ...] = ()
    """What the files say in vain, in sentences."""
    disk_mb: int | None = None
    """Megabytes that documentation fetched by questions may take."""

    def with_flags(self, flags: Mapping[str, Any]) -> Settings:
        """These settings with the flags that were given (not None, and no switch that is off) in their place.

        Flags that are no settings are passed over.

        Raises:
            UsageError: a flag cannot be what it says.
        """
        given = {key: value for key, value in flags.items() if key in READERS and value is not None and value is not False}
        for key, value in given.items():
            try:
                READERS[key](value)
            except ValueError as error:
                name = f"--{key.replace('_', '-')}"
                shown = f"{value:g}" if isinstance(value, float) else repr(value)
                raise UsageError(
                    f"{name} cannot be {shown}", why=f"it takes {error}", next_step="Give it such a value, or leave it out."
                ) from error
        return _settings({**_flat(self), **given}, list(self.notices))

    def limits_over(self, base: Limits) -> Limits:
        """The limits of an agent definition with those that are settled in their place."""
        return base.with_changes(answer_tokens=self.answer_tokens, **self.limits)


def load_settings(
    project: Path | None = None, *, config: Path | None = None, variables: Mapping[str, str] | None = None
) -> Settings:
    """The settings for a run in a project's folder (else the current one).

    Args:
        project: where the run is started.
        config: the user's file (`--config`); it has to exist. Else the one that DOCS_RESEARCH_CONFIG names, which has to exist
            too, else `config.toml` in the user's configuration folder, if it is there.
        variables: the environment, if it is not this process's.

    Raises:
        ConfigurationError: a file cannot be read, or a value is not what its key needs; with file, line and key.
    """
    environment = os.environ if variables is None else variables
    notices: list[str] = []
    user = _user_values(config, environment, notices)
    own = _project_values(project or Path.cwd(), user, notices)
    return _settings({**user, **own, **_variables(environment)}, notices)


def check_config(config: Path) -> None:
    """That a configuration file of this name is there and can be used.

    Raises:
        ConfigurationError: it cannot.
    """
    _user_values(config, {}, [])


def _user_values(config: Path | None, environment: Mapping[str, str], notices: list[str]) -> dict[str, Any]:
    named = config is not None or bool(environment.get(CONFIG_VARIABLE, "").strip())
    path = config or config_file(environment)
    if not named and not os.path.lexists(path):
        return {}
    from docs_researcher.runtime.config_file import parse_config, read_bytes

    data = read_bytes(path, must_exist=named)
    if not data:
        return {}
    file = parse_config(path, data)
    values = _read(file, file.values, (), notices)
    for key in ("agent", "prices"):
        if key in values and (key == "prices" or is_path(values[key])):
            values[key] = str(path.parent / Path(values[key]).expanduser())
    return values


def _project_values(start: Path, user: Mapping[str, Any], notices: list[str]) -> dict[str, Any]:
    folders = project_folders(start)
    for folder in folders:
        path = folder / "pyproject.toml"
        if not path.is_file():  # nor is it opened where it is no file, since that could wait for ever
            continue
        from docs_researcher.runtime.config_file import parse_config, read_bytes

        data = read_bytes(path, must_exist=False)
        if not data or TABLE[1].encode() not in data or not re.search(_MENTIONED, data):
            continue
        file = parse_config(path, data)
        table = mapping(mapping(file.values.get(TABLE[0])).get(TABLE[1]))
        if table:
            values = _read(file, table, TABLE, notices)
            return _permitted(file, values, user, folders[-1], notices)
    return {}


def _permitted(
    file: ConfigFile, values: dict[str, Any], user: Mapping[str, Any], root: Path, notices: list[str]
) -> dict[str, Any]:
    """What a project may say of all that it says."""
    refused: dict[str, str] = {}
    if values.get("docs_from", "").startswith(_SERVER):
        refused["docs_from"] = "a project may name no server"
    if "prices" in values:
        refused["prices"] = "prices are the user's own"
    if "disk_mb" in values:
        refused["disk_mb"] = "the room on disk is the user's own"
    if "agent" in values and is_path(values["agent"]):
        path = file.path.parent / values["agent"]
        if path.resolve().is_relative_to(root.resolve()):
            values["agent"] = str(path)
        else:
            refused["agent"] = "a project may name no agent outside of it"
    if values.get("cost", 0) > user.get("cost", values.get("cost", 0)):
        refused["cost"] = f"a project may not raise the user's limit of {user['cost']:g} dollars"
    for key, why in refused.items():
        keys = (*TABLE, "limits", key) if key in LIMIT_KEYS else (*TABLE, key)
        notices.append(f"{file.place(*keys)}: `{key}` is left out: {why}; put it into your own {config_file().name}.")
    return {key: value for key, value in values.items() if key not in refused}


def _read(file: ConfigFile, table: Mapping[str, Any], above: tuple[str, ...], notices: list[str]) -> dict[str, Any]:
    """The values of a table by their keys, limits among them; unknown keys are told."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        if key in TOP_KEYS:
            found[key] = _value(file, (*above, key), value)
        elif key == "limits":
            found |= _read_limits(file, value, (*above, key), notices)
        elif above or key not in OTHER_TABLES:
            notices.append(_unknown(file, (*above, key), (*TOP_KEYS, "limits")))
    return found


def _read_limits(file: ConfigFile, table: object, above: tuple[str, ...], notices: list[str]) -> dict[str, Any]:
    if not isinstance(table, dict):
        next_step = f"Write limits below [{'.'.join(above)}]: {', '.join(LIMIT_KEYS)}."
        raise file.refused(above, "has to be a table", next_step)
    found: dict[str, Any] = {}
    for key, value in cast("dict[str, Any]", table).items():
        if key in LIMIT_KEYS:
            found[key] = _value(file, (*above, key), value)
        else:
            notices.append(_unknown(file, (*above, key), LIMIT_KEYS))
    return found


def _value(file: ConfigFile, keys: tuple[str, ...], value: object) -> Any:
    try:
        return READERS[keys[-1]](value)
    except ValueError as error:
        raise file.refused(keys, f"cannot be {value!r}", f"Write {error}.") from error


def _unknown(file: ConfigFile, keys: tuple[str, ...], known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(keys[-1], known, n=1, cutoff=0.6)
    hint = f"; did you mean `{close[0]}`?" if close else "."
    return f"{file.place(*keys)}: the key `{'.'.join(keys)}` is not known and has no effect{hint}"


def _variables(environment: Mapping[str, str]) -> dict[str, Any]:
    """The settings in environment variables: DOCS_RESEARCH_ and the key in capitals."""
    found: dict[str, Any] = {}
    for key in (*TOP_KEYS, *LIMIT_KEYS):
        name = f"DOCS_RESEARCH_{key.upper()}"
        text = environment.get(name, "").strip()
        if text:
            try:
                found[key] = read_variable(key, text)
            except ValueError as error:
                raise ConfigurationError(
                    f"The environment variable {name} cannot be {text!r}", next_step=f"Set it to {error}, or unset it."
                ) from error
    return found


def _settings(values: Mapping[str, Any], notices: list[str]) -> Settings:
    top = {key: values[key] for key in TOP_KEYS if key in values}
    if "prices" in top:
        top["prices"] = Path(top["prices"]).expanduser()
    limits = {key: values[key] for key in LIMIT_KEYS if key in values}
    return Settings(**top, limits=limits, notices=tuple(notices))


def _flat(settings: Settings) -> dict[str, Any]:
    top = {key: getattr(settings, key) for key in TOP_KEYS}
    return {**{key: value for key, value in top.items() if value is not None}, **settings.limits}
