"""Signing in by OAuth against a server of ours on loopback: once with a browser, afterwards from the file."""

from __future__ import annotations

import asyncio
import stat
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit

import pytest

from docs_researcher.core.errors import ServerError
from docs_researcher.core.messages import ToolResult
from docs_researcher.tools.mcp.logins import LoginFile
from docs_researcher.tools.mcp.oauth import sign_in
from docs_researcher.tools.mcp.signing import stored_login
from interop_sign_in import SignIn
from mcp_web_peers import asked_web

pytestmark = [pytest.mark.interop, pytest.mark.timeout(30)]


@pytest.fixture
def server(home: Path) -> Iterator[SignIn]:
    sign_in_server = SignIn()
    yield sign_in_server
    sign_in_server.peer.stop()


def browse(address: str) -> None:
    """A user who says yes at once: follows the address to where it leads."""
    threading.Thread(target=lambda: urllib.request.urlopen(address, timeout=10).read()).start()


def logged_in(server: SignIn) -> LoginFile:
    return asyncio.run(sign_in("peer", server.peer.url, browse, seconds=10))


def asked(server: SignIn) -> ToolResult:
    """The result of a call with the stored sign-in."""
    return asked_web(server.peer.url, endpoint={"auth": stored_login(server.peer.url)})


def test_a_sign_in_is_kept_for_its_owner_alone_and_used_afterwards(server: SignIn) -> None:
    login = logged_in(server)
    assert login.signed_in
    assert stat.S_IMODE(login.path.stat().st_mode) == 0o600
    assert server.grants[0]["resource"] == server.peer.url
    assert asked(server).outcome == "ok"
    assert len(server.grants) == 1, "the stored token is used as it is"
    assert (server.registered[0]["client_name"], server.registered[0]["application_type"]) == ("docs-researcher", "native")


def test_without_a_sign_in_the_error_names_the_command(server: SignIn) -> None:
    assert stored_login(server.peer.url) is None
    result = asked(server)
    assert result.outcome == "unauthorised"
    assert "docs-research auth login peer" in result.text


def test_a_token_past_its_time_is_renewed_before_it_is_sent(server: SignIn) -> None:
    login = logged_in(server)
    login.expires_at = time.time() - 1
    login.save()
    assert asked(server).outcome == "ok"
    assert [grant["grant_type"] for grant in server.grants] == ["authorization_code", "refresh_token"]
    assert (LoginFile.load(server.peer.url).expires_at or 0) > time.time()


def test_a_token_that_is_refused_is_renewed_once_and_the_call_repeated(server: SignIn) -> None:
    logged_in(server)
    server.good.clear()
    assert asked(server).outcome == "ok"
    assert len(server.grants) == 2


def test_a_sign_in_that_was_revoked_is_final_and_forgotten(server: SignIn) -> None:
    logged_in(server)
    server.good.clear()
    server.refresh.clear()
    result = asked(server)
    assert result.outcome == "unauthorised"
    assert "auth login peer" in result.text
    assert len(server.grants) == 2, "no loop"
    assert stored_login(server.peer.url) is None


def test_a_new_token_that_is_refused_too_ends_the_call(server: SignIn) -> None:
    logged_in(server)
    server.deaf = True
    assert asked(server).outcome == "unauthorised"
    assert len(server.grants) == 2


def test_a_token_that_another_process_has_renewed_is_taken_over(server: SignIn) -> None:
    logged_in(server)
    make = stored_login(server.peer.url)
    assert make is not None

    def late() -> Any:
        auth = make()
        login = LoginFile.load(server.peer.url)
        assert login.tokens is not None
        server.good = {"theirs"}
        server.refresh.clear()
        login.tokens = {**login.tokens, "access_token": "theirs"}
        login.save()
        return auth

    assert asked_web(server.peer.url, endpoint={"auth": late}).outcome == "ok"
    assert len(server.grants) == 1


def test_a_server_that_wants_no_sign_in_leaves_none(server: SignIn) -> None:
    server.open = True
    login = logged_in(server)
    assert not login.signed_in
    assert not login.path.exists()


def test_a_refused_sign_in_is_reported_in_its_own_words(server: SignIn) -> None:
    def refuse(address: str) -> None:
        callback = parse_qs(urlsplit(address).query)["redirect_uri"][0]
        browse(f"{callback}?error=access_denied&error_description=You+said+no")

    with pytest.raises(ServerError) as error:
        asyncio.run(sign_in("peer", server.peer.url, refuse, seconds=10))
    assert error.value.message == "The sign-in was refused: You said no"


def test_a_code_for_another_sign_in_is_not_redeemed(server: SignIn) -> None:
    def forge(address: str) -> None:
        callback = parse_qs(urlsplit(address).query)["redirect_uri"][0]
        browse(f"{callback}?code=stolen&state=other")

    with pytest.raises(ServerError, match="signing in to the MCP server 'peer'"):
        asyncio.run(sign_in("peer", server.peer.url, forge, seconds=10))
    assert not server.grants


def test_a_sign_in_is_asked_for_once_however_often_the_server_wants_it(server: SignIn) -> None:
    server.deaf = True
    with pytest.raises(ServerError) as error:
        logged_in(server)
    assert "refused the credentials" in error.value.message
    assert len(server.grants) == 1


def test_nobody_at_the_browser_is_waited_for_to_a_bound(server: SignIn) -> None:
    with pytest.raises(ServerError, match=r"Nobody signed in within 0\.3 s"):
        asyncio.run(sign_in("peer", server.peer.url, lambda address: None, seconds=0.3))


def test_only_the_address_of_the_callback_is_answered(server: SignIn) -> None:
    statuses: list[int] = []

    def visit(address: str) -> None:
        def run() -> None:
            callback = parse_qs(urlsplit(address).query)["redirect_uri"][0]
            for path in (callback.removesuffix("/callback") + "/favicon.ico", callback):
                try:
                    urllib.request.urlopen(path, timeout=10)
                except HTTPError as error:
                    statuses.append(error.code)
                    error.close()
            urllib.request.urlopen(address, timeout=10).read()

        threading.Thread(target=run).start()

    assert asyncio.run(sign_in("peer", server.peer.url, visit, seconds=10)).signed_in
    assert statuses == [404, 400]


def test_a_client_that_was_registered_beforehand_is_used(server: SignIn) -> None:
    asyncio.run(sign_in("peer", server.peer.url, browse, client_id="mine", client_secret="s3cret", seconds=10))
    assert not server.registered
    assert (server.grants[0]["client_id"], server.grants[0]["client_secret"]) == ("mine", "s3cret")
