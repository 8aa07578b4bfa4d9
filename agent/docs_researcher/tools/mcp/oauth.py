"""Signing in to a server by OAuth, on the SDK's helpers: once with the user at a browser, afterwards from the stored tokens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from filelock import FileLock, Timeout
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import AnyUrl, BaseModel, ValidationError

from docs_researcher.core.errors import ServerError
from docs_researcher.tools.mcp.callback import CallbackServer
from docs_researcher.tools.mcp.connection import Connection
from docs_researcher.tools.mcp.http import HttpEndpoint
from docs_researcher.tools.mcp.logins import LoginFile

if TYPE_CHECKING:
    import httpx2

LOGIN_SECONDS = 300.0
"""How long the user may take at the browser."""
MACHINE_SECONDS = 30.0
"""How long everything beside the user may take in a sign-in."""
LOCK_SECONDS = 20.0
"""How long another process may take to renew the same token."""
CLIENT_NAME = "docs-researcher"

_Record = TypeVar("_Record", bound=BaseModel)


class LoginStorage:
    """The SDK's view of a login file."""

    def __init__(self, login: LoginFile) -> None:
        self.login = login

    async def get_tokens(self) -> OAuthToken | None:
        """The stored tokens."""
        return _read(OAuthToken, self.login.tokens)

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Store them with the time at which they end."""
        self.login.tokens = tokens.model_dump(mode="json", exclude_none=True)
        self.login.expires_at = None if tokens.expires_in is None else time.time() + tokens.expires_in
        self.login.save()

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """The client that was registered."""
        return _read(OAuthClientInformationFull, self.login.client)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Store it with the next tokens."""
        self.login.client = client_info.model_dump(mode="json", exclude_none=True)


class StoredLogin(OAuthClientProvider):
    """Signs requests with the stored tokens and renews them; never starts a new sign-in."""

    def __init__(self, url: str) -> None:
        self._storage = LoginStorage(LoginFile.load(url))
        self._lock = FileLock(f"{self._storage.login.path}.lock", thread_local=False)
        super().__init__(url, _client_metadata("http://127.0.0.1/callback", ()), self._storage)

    async def _auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        async with self.context.lock:
            await self._load()
            if self._storage.login.expired and (renewal := await self._begin_renewal()) is not None:
                try:
                    await self._take_renewal((yield renewal))
                finally:
                    self._lock.release()
            token = self._token()
            self._add_auth_header(request)
        response = yield request
        if response.status_code != 401:
            return
        async with self.context.lock:
            if self._token() == token and (renewal := await self._begin_renewal()) is not None:
                try:
                    await self._take_renewal((yield renewal))
                finally:
                    self._lock.release()
            if self._token() in (None, token):
                return
            self._add_auth_header(request)
        yield request

    async def _begin_renewal(self) -> httpx2.Request | None:
        """The request for a new token, with the lock held: a refresh token may be good for one use only.

        None, and no lock, if another process has renewed it meanwhile, or nothing can be renewed.
        """
        try:
            await asyncio.to_thread(self._lock.acquire, timeout=LOCK_SECONDS)
        except (Timeout, OSError):
            return None
        try:
            before = self._token()
            self._storage.login = LoginFile.load(self._storage.login.url)
            await self._load()
            if self._token() == before and self.context.can_refresh_token():
                return await self._refresh_token()
        except BaseException:
            self._lock.release()
            raise
        self._lock.release()
        return None

    async def _take_renewal(self, response: httpx2.Response) -> None:
        await response.aread()
        if not await self._handle_refresh_response(response) and response.status_code in (400, 401):
            self._storage.login.tokens = None  # spent or revoked: not tried again by any process
            self._storage.login.save()

    async def _load(self) -> None:
        """Take over what the file says."""
        login = self._storage.login
        await self._initialize()
        self.context.oauth_metadata = _read(OAuthMetadata, login.metadata)
        self.context.protected_resource_metadata = _read(ProtectedResourceMetadata, login.resource)

    def _token(self) -> str | None:
        return self.context.current_tokens.access_token if self.context.current_tokens else None


def interactive(
    url: str,
    storage: LoginStorage,
    redirect_uri: str,
    open_url: Callable[[str], Awaitable[None]],
    wait_for_code: Callable[[], Awaitable[AuthorizationCodeResult]],
    *,
    scopes: tuple[str, ...] = (),
    client_metadata_url: str | None = None,
) -> OAuthClientProvider:
    """The SDK's provider for a sign-in in which a person takes part."""
    metadata = _client_metadata(redirect_uri, scopes)
    return OAuthClientProvider(url, metadata, storage, open_url, wait_for_code, client_metadata_url)


async def sign_in(
    name: str,
    url: str,
    show_url: Callable[[str], None],
    *,
    client_id: str = "",
    client_secret: str = "",
    scopes: tuple[str, ...] = (),
    seconds: float = LOGIN_SECONDS,
) -> LoginFile:
    """Sign in at a server and store the tokens.

    `show_url` is told the address at which the user says yes. Returns the login, which is without tokens if the server
    answers without a sign-in.

    Raises:
        ServerError: the server or its sign-in cannot be reached, refused, or nobody said yes in time.
    """
    login = LoginFile.load(url)
    login.tokens, login.expires_at = None, None
    async with CallbackServer(_port_of(login)) as callback:
        login.client = _known_client(login, callback, client_id, client_secret)
        storage = LoginStorage(login)

        async def open_url(address: str) -> None:
            if callback.answered:
                raise ServerError(
                    f"The MCP server {name!r} asks for a second sign-in right after the first",
                    next_step="Its sign-in gives out tokens that it does not accept itself; tell its makers.",
                )
            show_url(address)

        async def wait_for_code() -> AuthorizationCodeResult:
            answer = await callback.answer(seconds)
            return AuthorizationCodeResult(code=answer.code, state=answer.state, iss=answer.issuer)

        provider = interactive(url, storage, callback.address, open_url, wait_for_code, scopes=scopes)
        connection = Connection(HttpEndpoint(name, url, auth=lambda: provider), connect_seconds=seconds + MACHINE_SECONDS)
        try:
            await connection.call(lambda client: client.list_tools())
        finally:
            await connection.aclose()
    if login.signed_in:
        context = provider.context
        login.metadata = _written(context.oauth_metadata)
        login.resource = _written(context.protected_resource_metadata)
        login.save()
    return login


def _known_client(login: LoginFile, callback: CallbackServer, client_id: str, client_secret: str) -> dict[str, Any] | None:
    """The client to sign in with: the configured one, the one of last time if its address is ours again, else None."""
    if client_id:
        method = "client_secret_post" if client_secret else "none"
        client: dict[str, Any] = {
            "client_id": client_id,
            "redirect_uris": [callback.address],
            "token_endpoint_auth_method": method,
        }
        return {**client, "client_secret": client_secret} if client_secret else client
    stored = login.client or {}
    return stored if callback.address in (stored.get("redirect_uris") or ()) else None


def _port_of(login: LoginFile) -> int:
    """The port of last time: a registered client may return to the address that it named, and to no other."""
    client = _read(OAuthClientInformationFull, login.client)
    addresses = client.redirect_uris if client is not None else None
    return (addresses[0].port or 0) if addresses else 0


def _client_metadata(redirect_uri: str, scopes: tuple[str, ...]) -> OAuthClientMetadata:
    return OAuthClientMetadata(
        client_name=CLIENT_NAME,
        redirect_uris=[AnyUrl(redirect_uri)],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        scope=" ".join(scopes) or None,
    )


def _read(kind: type[_Record], value: dict[str, Any] | None) -> _Record | None:
    try:
        return kind.model_validate(value) if value else None
    except ValidationError:
        return None


def _written(record: OAuthMetadata | ProtectedResourceMetadata | None) -> dict[str, Any] | None:
    return None if record is None else record.model_dump(mode="json", exclude_none=True)
