"""`docs-research auth`: signing in to MCP servers that want it."""

from __future__ import annotations

import asyncio
import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, complain
from docs_researcher.cli.routing import as_question
from docs_researcher.core.errors import UsageError

if TYPE_CHECKING:
    from docs_researcher.tools.mcp.logins import LoginFile
    from docs_researcher.tools.servers.entries import OAuthClient

ACTIONS = ("login", "status", "logout")


@dataclass(frozen=True, slots=True)
class _Server:
    """Where to sign in: a configured server, or an address as it was given."""

    name: str
    url: str
    client: OAuthClient


@click.command("auth", cls=DocsCommand)
@click.argument("action", metavar="login|status|logout")
@click.argument("server", metavar="SERVER")
@click.option("--no-browser", is_flag=True, help="login: print the address only, for a browser on another machine's screen.")
@common_options
@click.pass_obj
def auth_command(output: Output, action: str, server: str, no_browser: bool) -> int:
    """Sign in to an MCP server, out of it, or see whether you are.

    SERVER is a name out of `docs-research mcp list`, or an address. `login` prints an address at which you say yes, and opens it
    where there is a browser. What comes back is kept in a file that only you can read, and renewed when it is due.
    """
    if action not in ACTIONS:
        raise UsageError(
            f"`auth` has no action {action!r}",
            why=f"its actions are {', '.join(ACTIONS)}",
            next_step=f"If it was a question: {as_question(['auth', action, server])}",
        )
    chosen = _server(output, server)
    if action == "login":
        return _login(output, chosen, no_browser)
    from docs_researcher.tools.mcp.logins import LoginFile

    login = LoginFile.load(chosen.url)
    if action == "logout":
        removed = login.remove()
        words = "The sign-in was removed from this machine" if removed else "There was no sign-in"
        return _told(output, {"server": chosen.name, "removed": removed}, f"{words}: {chosen.name}.")
    _told(output, _status(chosen, login), _status_words(chosen, login))
    return 0 if login.signed_in else 1


def _server(output: Output, text: str) -> _Server:
    from docs_researcher.cli.approving import server_named
    from docs_researcher.tools.servers.entries import OAuthClient

    parts = urlsplit(text)
    if parts.scheme in ("http", "https") and parts.hostname:
        return _Server(parts.hostname, text, OAuthClient())
    entry = server_named(output, text)
    if not entry.url:
        raise UsageError(
            f"The server {text!r} is started here and takes no sign-in",
            next_step=f"Put its credentials into env in {entry.origin}.",
        )
    return _Server(entry.name, entry.url, entry.oauth)


def _login(output: Output, server: _Server, no_browser: bool) -> int:
    from docs_researcher.tools.mcp.oauth import sign_in

    def show(address: str) -> None:
        complain("Open this address in a browser and say yes:")
        complain(address)
        if output.may_ask and not no_browser:
            import webbrowser

            webbrowser.open(address)

    client = server.client
    login = asyncio.run(
        sign_in(
            server.name,
            server.url,
            show,
            client_id=client.client_id,
            client_secret=client.client_secret,
            scopes=client.scopes,
        )
    )
    if not login.signed_in:
        return _told(output, _status(server, login), f"{server.name} answered without asking for a sign-in.")
    return _told(output, _status(server, login), _status_words(server, login))


def _status(server: _Server, login: LoginFile) -> dict[str, object]:
    return {
        "server": server.name,
        "url": server.url,
        "signed_in": login.signed_in,
        "expires_at": _time(login.expires_at),
        "renewable": login.renewable,
        "file": str(login.path) if login.signed_in else None,
    }


def _status_words(server: _Server, login: LoginFile) -> str:
    if not login.signed_in:
        return f"Not signed in at {server.name}."
    until = f" until {_time(login.expires_at)}" if login.expires_at else ""
    renewed = ", renewed by itself" if login.renewable else ""
    return f"Signed in at {server.name}{until}{renewed}. Kept in {login.path}."


def _told(output: Output, value: dict[str, object], words: str) -> int:
    if output.json:
        output.value(value)
    else:
        output.text(words)
    return 0


def _time(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return datetime.datetime.fromtimestamp(seconds, tz=datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
