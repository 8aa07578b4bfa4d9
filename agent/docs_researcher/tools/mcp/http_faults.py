"""What an HTTP answer that holds no MCP message means, in words for the user: who answered, what it said, what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import unescape
from http import HTTPStatus
from urllib.parse import urlsplit

from docs_researcher.core.clean import clean
from docs_researcher.core.errors import ServerError
from docs_researcher.core.messages import ToolOutcome
from docs_researcher.core.secrets import REDACTED, remove_secrets

SAID_CHARACTERS = 300
"""As much of a server's own words is passed on."""
MIN_SECRET = 6
"""A shorter header value is no secret, and would be cut out of ordinary words."""

_TITLE = re.compile(r"<title[^>]*>(.*?)</title>|<h1[^>]*>(.*?)</h1>", re.IGNORECASE | re.DOTALL)
_TAGS = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.IGNORECASE | re.DOTALL)


class HttpFault(ServerError):
    """A request that no MCP message came back for. `outcome` says what that is to a tool call."""

    def __init__(self, what: str, outcome: ToolOutcome = "error", *, why: str = "", next_step: str = "") -> None:
        super().__init__(what, why=why, next_step=next_step)
        self.outcome: ToolOutcome = outcome
        self.http_status: int | None = None
        """The HTTP status, where there was an answer with one that names an error."""

    @property
    def may_be_of_the_protocol(self) -> bool:
        """Whether a server that speaks another revision of the protocol may answer like this."""
        status = self.http_status
        refused = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
        return status is not None and status < HTTPStatus.INTERNAL_SERVER_ERROR and status not in refused


def status_fault(
    server: str, status: int, headers: Mapping[str, str], said: str, *, configured_in: str, sent_credentials: bool, login: str
) -> HttpFault:
    """The fault for an HTTP status.

    `server` names the server and its address, `headers` are the answer's, in lower case, `login` is the command to sign in.
    """
    code = f"HTTP {status}{_phrase(status)}"
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        what = f"{server} refused the credentials" if sent_credentials else f"{server} asks for credentials"
        return HttpFault(
            what, "unauthorised", why=_joined(code, said), next_step=_credentials_step(headers, configured_in, login)
        )
    if status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
        step = "Put the proxy's user and password into HTTPS_PROXY."
        return HttpFault(f"the proxy before {server} asks for credentials", "unavailable", why=code, next_step=step)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return _too_many(server, code, headers, said)
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.METHOD_NOT_ALLOWED):
        step = f"Check the url in {configured_in}." if configured_in else "Check its url."
        return HttpFault(f"{server} has no MCP endpoint there", "unavailable", why=_joined(code, said), next_step=step)
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return HttpFault(
            f"{server} finds the request too large", "refused", why=_joined(code, said), next_step="Ask in fewer words."
        )
    step = "Try again in a minute, or use --docs-from local."
    return HttpFault(f"{server} failed", "unavailable", why=_joined(code, said), next_step=step)


def page_fault(server: str, content_type: str, said: str) -> HttpFault:
    """The fault for an answer of success that is no MCP: a sign-in page of a network, a proxy's page, a wrong address."""
    what = (
        f"{server} answered with {'a web page' if 'html' in content_type else content_type or 'no content type'} instead of MCP"
    )
    step = "Check its url, and whether a proxy or the sign-in page of a network stands in between."
    return HttpFault(what, "unavailable", why=said, next_step=step)


def network_fault(server: str, error: Exception) -> HttpFault:
    """The fault for a request that got no answer at all."""
    reason = " ".join(str(error).split()) or type(error).__name__
    step = "Check the network, the url and the proxy settings, or use --docs-from local."
    if "certificate" in reason.lower():
        step = "If a proxy signs with your organisation's certificate, name its file in SSL_CERT_FILE."
    return HttpFault(f"{server} cannot be reached", "unavailable", why=reason[:SAID_CHARACTERS], next_step=step)


def quoted(body: bytes, content_type: str, secrets: Iterable[str]) -> str:
    """What a body says, in one short line: its JSON message, the title of its page, or its text, without `secrets`."""
    text = body[:20_000].decode("utf-8", "replace")
    if "html" in content_type or text.lstrip()[:9].lower().startswith(("<!doctype", "<html")):
        title = _TITLE.search(text)
        text = (title.group(1) or title.group(2) or "") if title else text
        text = unescape(_TAGS.sub(" ", text))
    else:
        text = _message(text)
    for secret in secrets:
        if len(secret) >= MIN_SECRET:
            text = text.replace(secret, REDACTED)
    line = " ".join(remove_secrets(clean(text))[0].split())
    return line if len(line) <= SAID_CHARACTERS else line[: SAID_CHARACTERS - 1].rstrip() + "…"


def shown_address(url: str) -> str:
    """Host and path of an address: what may stand in a message.

    No user, password or query, and no scheme: an answer may quote the message, and its links have to lead to documentation.
    """
    parts = urlsplit(url)
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}"


def _message(text: str) -> str:
    """The words in a JSON body: an error's message wherever servers put it."""
    import json

    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    for path in (("error", "message"), ("message",), ("error_description",), ("detail",), ("error",)):
        found: object = value
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType] -- any JSON
        if isinstance(found, str) and found:
            return found
    return text


def _too_many(server: str, code: str, headers: Mapping[str, str], said: str) -> HttpFault:
    wait = headers.get("retry-after", "").strip()
    asked = f"it asks to wait {wait} s" if wait.isdecimal() else f"it asks to wait until {clean(wait)[:40]}" if wait else ""
    step = "Wait, or use a key or a plan with a higher limit; --docs-from local needs none."
    return HttpFault(f"{server} is over its limit of requests", "rate_limited", why=_joined(code, said, asked), next_step=step)


def _credentials_step(headers: Mapping[str, str], configured_in: str, login: str) -> str:
    step = f"Check the key in {configured_in}" if configured_in else "Check its key"
    if "resource_metadata" in headers.get("www-authenticate", ""):
        return f"{step}, or sign in with: {login}"
    return f"{step}."


def _joined(*parts: str) -> str:
    return ": ".join(part for part in parts if part)


def _phrase(status: int) -> str:
    try:
        return f" {HTTPStatus(status).phrase}"
    except ValueError:
        return ""
