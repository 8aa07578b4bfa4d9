"""The two reading addresses of Context7's API, version 2, over any provider: its own clients run on our docsets.

The text is the provider's, byte for byte. Every failure has a JSON body with a `message`, since that is what clients show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.messages import QUERY, RESOLVE, ToolOutcome, ToolResult
from docs_researcher.library.packages import PackageRef
from docs_researcher.server.http.backend import Opened
from docs_researcher.server.http.context_json import context_json, search_json
from docs_researcher.server.http.faults import json_response, refuse
from docs_researcher.server.http.guard import Refusal

_STATUSES: dict[ToolOutcome, tuple[int, str]] = {
    "not_found": (404, "no_snippets_found"),
    "not_ready": (503, "library_not_finalized"),  # 202 is handed to models as documentation by a client in use
    "redirected": (301, "library_redirected"),
    "unauthorised": (401, "invalid_api_key"),
    "rate_limited": (429, "rate_limit_exceeded"),
    "unavailable": (503, "search_failed"),
    "refused": (403, "access_denied"),
    "limit": (429, "rate_limit_exceeded"),
    "error": (500, "internal_error"),
}
_CODES: dict[str, tuple[int, str]] = {
    "library_not_found": (404, "library_not_found"),
    "package_not_found": (404, "library_not_found"),
    "version_not_found": (404, "tag_not_found"),
    "no_documentation": (404, "no_snippets_found"),
    "arguments_refused": (400, "validation_error"),
    "source_refused": (422, "library_too_large"),
}
"""Statuses of the errors that are more exact than their outcome."""


@dataclass(frozen=True, slots=True)
class Context7Api:
    """Answers requests; `opened` gives what a request may read from."""

    opened: Callable[[Request], Opened]

    async def search(self, request: Request) -> Response:
        """`GET /api/v2/libs/search?libraryName=…&query=…`: libraries of that name. One of the two is enough."""
        asked = request.query_params
        query = asked.get("query", "").strip()
        name = asked.get("libraryName", "").strip() or query
        if not name:
            return refuse(Refusal(400, "validation_error", "libraryName is missing."))
        result = await self.opened(request).provider.call(RESOLVE, {"libraryName": name, "query": query or name})
        if result.outcome != "ok":
            # Who may not see a library finds none.
            status, code = (404, "") if result.outcome == "refused" else _status(result)
            return refuse(Refusal(status, "no_libraries_found" if status == 404 else code, result.text))
        return json_response(search_json(result.candidates))

    async def context(self, request: Request) -> Response:
        """`GET /api/v2/context?libraryId=…&query=…[&type=txt|json]`: documentation on one matter."""
        asked = request.query_params
        form = asked.get("type", "txt").strip().casefold() or "txt"
        library_id = tidy_id(asked.get("libraryId", ""))
        missing = [name for name, value in (("libraryId", library_id), ("query", asked.get("query", "").strip())) if not value]
        if missing:
            return refuse(Refusal(400, "validation_error", f"{' and '.join(missing)} missing."))
        if form not in ("txt", "json"):
            return refuse(Refusal(400, "validation_error", f"There is no type {form!r}; the types are txt and json."))
        parsed = LibraryId.try_parse(library_id)
        if parsed is None:
            return refuse(Refusal(400, "invalid_library_id", f"{library_id!r} is no id; one looks like /owner/project."))
        opened = self.opened(request)
        moved = moved_to(parsed, opened)
        if moved is not None:
            return _redirected(parsed, moved)
        result = await opened.provider.call(QUERY, {"libraryId": library_id, "query": asked["query"]})
        if result.outcome != "ok":
            status, code = _status(result)
            return refuse(Refusal(status, code, result.text), headers=_retry(result))
        if form == "json":
            return json_response(context_json(result))
        return Response(result.text.encode("utf-8", "replace"), media_type="text/plain; charset=utf-8")


async def take_events(request: Request) -> Response:
    """`POST /api/v2/cli/events`: what the `ctx7` command tells about itself. It is neither read nor kept."""
    return json_response({"success": True})


def tidy_id(text: str) -> str:
    """An id as it was meant: white space off, one slash in front, none doubled and none at the end.

    A shell on Windows that turns a leading slash into a path of its own makes people write two.
    """
    parts = [part for part in text.strip().split("/") if part]
    return "/" + "/".join(parts) if parts else ""


def moved_to(asked: LibraryId, opened: Opened) -> LibraryId | None:
    """The id under which the same documentation is kept here, if it is another one than was asked for."""
    if opened.store.find(asked.base):
        return None
    catalogue = opened.catalogue
    entry = catalogue.by_id(asked.base)
    if entry is None and asked.owner in ("npm", "pypi"):
        entry = catalogue.by_package(PackageRef("npm" if asked.owner == "npm" else "pypi", asked.project))
    if entry is None or entry.id.casefold() == asked.base.casefold():
        return None
    new = LibraryId.parse(entry.id)
    return new.at(asked.version)


def _redirected(asked: LibraryId, moved: LibraryId) -> Response:
    """No `Location`: clients would follow it and show another library's documentation without a word."""
    body = {
        "error": "library_redirected",
        "message": f"Library {asked.text} has been redirected to {moved.text}. Ask again with the id {moved.text}.",
        "redirectUrl": moved.text,
    }
    return json_response(body, 301)


def _status(result: ToolResult) -> tuple[int, str]:
    codes = [_CODES[notice.code] for notice in result.notices if notice.code in _CODES]
    return codes[0] if codes else _STATUSES[result.outcome]


def _retry(result: ToolResult) -> dict[str, str]:
    return {} if result.ask_again_in is None else {"Retry-After": str(result.ask_again_in)}
