"""An MCP server on loopback that wants a token, and the sign-in that gives them out, in one."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from mcp_web_peers import Reply, Seen, WebPeer


class SignIn:
    """An MCP server that wants a token, and the sign-in that gives them out, in one."""

    def __init__(self) -> None:
        self.good: set[str] = set()
        self.refresh: set[str] = set()
        self.registered: list[dict[str, Any]] = []
        self.challenges: dict[str, str] = {}
        self.grants: list[dict[str, str]] = []
        self.open = False
        self.deaf = False
        self.peer = WebPeer(answer=self._answer)
        self.base = self.peer.url.removesuffix("/mcp")

    def _answer(self, seen: Seen) -> Reply | None:
        parts = urlsplit(seen.path)
        page = {
            "/.well-known/oauth-protected-resource/mcp": self._resource,
            "/.well-known/oauth-authorization-server": self._server,
            "/register": self._register,
            "/authorize": self._authorize,
            "/token": self._token,
        }.get(parts.path)
        if page is not None:
            return page(seen)
        if parts.path != "/mcp":
            return Reply(status=404)
        if self.deaf:
            return Reply(status=401)
        if self.open or seen.headers.get("authorization", "").removeprefix("Bearer ") in self.good:
            return None
        where = f'Bearer resource_metadata="{self.base}/.well-known/oauth-protected-resource/mcp"'
        return Reply(status=401, headers={"www-authenticate": where})

    def _resource(self, seen: Seen) -> Reply:
        return _json({"resource": self.peer.url, "authorization_servers": [self.base]})

    def _server(self, seen: Seen) -> Reply:
        paths = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "registration_endpoint": "/register"}
        about = {name: self.base + path for name, path in paths.items()}
        able = {"response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]}
        return _json({"issuer": self.base, **about, **able})

    def _register(self, seen: Seen) -> Reply:
        client = {**seen.message, "client_id": f"client-{len(self.registered)}"}
        self.registered.append(client)
        return _json(client, 201)

    def _authorize(self, seen: Seen) -> Reply:
        asked = {name: found[0] for name, found in parse_qs(urlsplit(seen.path).query).items()}
        code = f"code-{len(self.challenges)}"
        self.challenges[code] = asked["code_challenge"]
        answer = urlencode({"code": code, "state": asked["state"], "iss": self.base})
        return Reply(status=302, headers={"location": f"{asked['redirect_uri']}?{answer}"})

    def _token(self, seen: Seen) -> Reply:
        asked = {name: found[0] for name, found in parse_qs(seen.raw.decode()).items()}
        self.grants.append(asked)
        if asked["grant_type"] == "refresh_token":
            if asked["refresh_token"] not in self.refresh:
                return _json({"error": "invalid_grant"}, 400)
            self.refresh.clear()
        else:
            proof = base64.urlsafe_b64encode(hashlib.sha256(asked["code_verifier"].encode()).digest()).decode().rstrip("=")
            assert proof == self.challenges.pop(asked["code"])
        token, refresh = f"token-{len(self.grants)}", f"refresh-{len(self.grants)}"
        self.good = {token}
        self.refresh = {refresh}
        return _json({"access_token": token, "token_type": "bearer", "refresh_token": refresh, "expires_in": 3600})


def _json(value: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(value), status)
