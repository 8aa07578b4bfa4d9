"""The Context7-compatible API over real HTTP, and its description compared with what is really answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from docs_researcher.core.messages import QUERY, RESOLVE
from docs_researcher.server.http.health import OPENAPI
from docs_researcher.server.http.settings import HttpSettings
from docs_researcher.server.http.tokens import TokenFile
from http_running import Running, running, without_a_server

SEARCH = "/api/v2/libs/search"
CONTEXT = "/api/v2/context"
SIGNPOST = {"libraryId": "/local/signpost", "query": "sign a request"}


@pytest.fixture(scope="module")
def api(docs: Path) -> Iterator[httpx2.Client]:
    with running(docs) as server:
        yield server.client


def test_the_text_is_that_of_the_tool_byte_for_byte(api: httpx2.Client, docs: Path) -> None:
    for library_id, query in (
        ("/local/signpost", "rotate secrets"),
        ("/local/screen", "draw 日本語"),
        ("/local/screen/2.1.0", "mood"),
    ):
        answer = api.get(CONTEXT, params={"libraryId": library_id, "query": query})
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.text == without_a_server(docs, QUERY, {"libraryId": library_id, "query": query}).text


@pytest.mark.parametrize(
    "written",
    ["/local/screen@2.1.0", "/local/screen/2.1.0", "/local/screen/v2.1.0", "//local/screen", "local/screen", "/local/screen/"],
)
def test_an_id_may_be_written_in_every_form_that_clients_use(api: httpx2.Client, written: str) -> None:
    answer = api.get(CONTEXT, params={"libraryId": written, "query": "draw the screen"})
    assert answer.status_code == 200
    assert "<Suspense>" in answer.text


def test_what_makes_no_difference_to_context7_makes_none_here(api: httpx2.Client) -> None:
    plain = api.get(CONTEXT, params=SIGNPOST).text
    assert api.get("/api//v2/context", params=SIGNPOST).text == plain
    assert api.get(CONTEXT + "/", params=SIGNPOST).text == plain
    assert api.get(CONTEXT, params={**SIGNPOST, "fast": "true", "tokens": "5000", "type": "TXT"}).text == plain
    assert api.get(CONTEXT, params=SIGNPOST, headers={"Authorization": "Bearer ctx7sk-anything"}).text == plain
    assert api.get(CONTEXT, params=SIGNPOST, headers={"X-Context7-Source": "cli"}).text == plain


def test_the_json_holds_each_block_of_code_with_the_prose_before_it(api: httpx2.Client) -> None:
    body = api.get(CONTEXT, params={**SIGNPOST, "type": "json"}).json()
    first = body["codeSnippets"][0]
    assert first["codeList"] == [{"language": "python", "code": 'header = sign_request(secret="s3cret", body=b"{}")'}]
    assert first["codeDescription"].startswith("Every request to the relay is signed.")
    assert first["codeTokens"] > 5
    assert "```" not in json.dumps(body)


def test_another_version_than_the_one_asked_for_is_said_in_both_forms(api: httpx2.Client) -> None:
    asked = {"libraryId": "/local/screen/2.0.0", "query": "draw"}
    text = api.get(CONTEXT, params=asked)
    body = api.get(CONTEXT, params={**asked, "type": "json"}).json()
    assert "2.0.0" in text.text.splitlines()[0]
    assert body["infoSnippets"][0]["breadcrumb"] == "Note"
    assert "2.1.0" in body["infoSnippets"][0]["content"]


def test_a_search_by_name_or_by_query_alone_finds_the_library(api: httpx2.Client) -> None:
    for asked in ({"libraryName": "signpost", "query": "sign"}, {"libraryName": "signpost"}, {"query": "signpost"}):
        (found,) = api.get(SEARCH, params=asked).json()["results"]
        assert (found["id"], found["title"], found["totalSnippets"], found["source"]) == (
            "/local/signpost",
            "signpost",
            2,
            "folder",
        )


def test_a_reputation_is_a_score_that_clients_show_as_that_word(api: httpx2.Client) -> None:
    official = api.get(SEARCH, params={"libraryName": "Next.js"}).json()["results"][0]
    own = api.get(SEARCH, params={"libraryName": "signpost"}).json()["results"][0]
    assert (official["id"], official["trustScore"]) == ("/vercel/next.js", 7)
    assert own["trustScore"] == -1


@pytest.mark.parametrize(
    ("path", "asked", "status", "code"),
    [
        (SEARCH, {}, 400, "validation_error"),
        (SEARCH, {"libraryName": "no-such-library-anywhere"}, 404, "no_libraries_found"),
        (CONTEXT, {"query": "x"}, 400, "validation_error"),
        (CONTEXT, {"libraryId": "/local/signpost"}, 400, "validation_error"),
        (CONTEXT, {**SIGNPOST, "type": "xml"}, 400, "validation_error"),
        (CONTEXT, {"libraryId": "signpost", "query": "x"}, 400, "invalid_library_id"),
        (CONTEXT, {"libraryId": "/no/such", "query": "x"}, 404, "library_not_found"),
        (CONTEXT, {"libraryId": "/local/manual", "query": "xylophone"}, 404, "no_snippets_found"),
        (CONTEXT, {"libraryId": "/vercel/next.js", "query": "x"}, 503, "search_failed"),
        ("/api/v2/nothing", {}, 404, "not_found"),
    ],
)
def test_every_failure_says_what_happened(api: httpx2.Client, path: str, asked: dict[str, str], status: int, code: str) -> None:
    answer = api.get(path, params=asked)
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert len(answer.json()["message"]) > 10


def test_a_failure_has_the_words_that_our_own_tool_has(api: httpx2.Client, docs: Path) -> None:
    unknown = api.get(CONTEXT, params={"libraryId": "/no/such", "query": "x"}).json()["message"]
    nothing = api.get(SEARCH, params={"libraryName": "no-such-library-anywhere"}).json()["message"]
    assert unknown == without_a_server(docs, QUERY, {"libraryId": "/no/such", "query": "x"}).text
    assert nothing == without_a_server(docs, RESOLVE, {"libraryName": "no-such-library-anywhere", "query": "x"}).text


@pytest.mark.parametrize(
    ("asked", "new"),
    [
        ("/reactjs/react.dev", "/facebook/react"),
        ("/reactjs/react.dev/19.1", "/facebook/react/19.1"),
        ("/npm/next", "/vercel/next.js"),
    ],
)
def test_a_library_that_is_kept_under_another_id_is_named_and_not_followed(api: httpx2.Client, asked: str, new: str) -> None:
    answer = api.get(CONTEXT, params={"libraryId": asked, "query": "x"})
    assert answer.status_code == 301
    assert "location" not in answer.headers
    assert answer.json()["redirectUrl"] == new
    assert new in answer.json()["message"]


def test_what_clients_tell_about_themselves_is_accepted(api: httpx2.Client) -> None:
    assert api.post("/api/v2/cli/events", json={"event": "search"}).status_code == 200


def test_another_method_is_refused_in_json(api: httpx2.Client) -> None:
    answer = api.post(CONTEXT, json={})
    assert (answer.status_code, answer.json()["error"]) == (405, "method_not_allowed")
    assert "GET" in answer.headers["allow"]


@settings(max_examples=200, deadline=None)
@given(
    path=st.sampled_from([SEARCH, CONTEXT]),
    library=st.sampled_from(["", "/local/", "/npm/@", "//", "/local/screen/"]).flatmap(
        lambda head: st.text(max_size=40).map(head.__add__)
    ),
    query=st.text(max_size=60),
    form=st.sampled_from(["txt", "json"]) | st.text(max_size=5),
)
def test_whatever_is_asked_is_answered_or_refused_in_json(
    api: httpx2.Client, path: str, library: str, query: str, form: str
) -> None:
    answer = api.get(path, params={"libraryId": library, "libraryName": library, "query": query, "type": form})
    assert answer.status_code != 500, answer.text
    if answer.status_code != 200:
        assert answer.json()["message"]


class Described:
    """The description of the API, which knows whether an answer is one that it promises."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.described = described

    def _resolved(self, value: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in value:
            return value
        found: Any = self.described
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return found

    def check(self, answer: httpx2.Response) -> None:
        request = answer.request
        operation = self.described["paths"][request.url.path][request.method.lower()]
        response = self._resolved(operation["responses"][str(answer.status_code)])
        kind = answer.headers["content-type"].partition(";")[0]
        schema = response["content"][kind]["schema"]
        value = answer.json() if kind == "application/json" else answer.text
        jsonschema.validate(value, {**schema, "components": self.described["components"]}, Draft202012Validator)
        for name in response.get("headers", {}):
            assert name in answer.headers or "ratelimit" in name.lower()


def _answers(docs: Path, folder: Path) -> Iterator[tuple[Running, list[tuple[str, dict[str, str]]]]]:
    asked: list[tuple[str, dict[str, str]]] = [
        *((SEARCH, {"libraryName": name}) for name in ("signpost", "next.js", "screen", "nothing of that name", "")),
        *((CONTEXT, {"libraryId": "/local/manual", "query": query}) for query in ("hinges", "xylophone", "")),
        *((CONTEXT, {"libraryId": "/local/screen/2.0", "query": "draw", "type": form}) for form in ("txt", "json", "xml")),
        *((CONTEXT, {"libraryId": text, "query": "x"}) for text in ("/npm/next", "/vercel/next.js", "/no/such", "bad")),
        ("/healthz", {}),
        ("/readyz", {}),
        ("/ping", {}),
        ("/metrics", {}),
    ]
    with running(docs, HttpSettings(metrics=True)) as server:
        yield server, asked
    with running(docs, HttpSettings(rate=1)) as server:
        yield server, [(SEARCH, {"libraryName": "signpost"})] * 2 + [(CONTEXT, SIGNPOST), ("/metrics", {})]
    tokens = TokenFile(folder / "tokens.json")
    tokens.create("somebody")
    with running(docs, HttpSettings(tokens=tokens.path, metrics=True)) as server:
        yield server, [(SEARCH, {"libraryName": "signpost"}), (CONTEXT, SIGNPOST), ("/metrics", {}), ("/readyz", {})]


def test_the_description_is_true_of_every_answer(docs: Path, tmp_path: Path) -> None:
    seen: set[tuple[str, int]] = set()
    for server, asked in _answers(docs, tmp_path):
        described = Described(server.client.get("/openapi.json").json())
        described.check(server.client.post("/api/v2/cli/events", json={})) if not seen else None
        for path, values in asked:
            answer = server.client.get(path, params=values)
            if (path, answer.status_code) == ("/metrics", 429):
                continue  # any address may answer 429; it is described where clients of the API meet it
            described.check(answer)
            seen.add((path, answer.status_code))
    assert {(SEARCH, 200), (SEARCH, 400), (SEARCH, 401), (SEARCH, 404), (SEARCH, 429)} <= seen
    assert {(CONTEXT, status) for status in (200, 301, 400, 401, 404, 429, 503)} <= seen


def test_the_description_names_every_address_of_the_api() -> None:
    described = json.loads(OPENAPI.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema({"$defs": described["components"]["schemas"]})
    operations = [operation for methods in described["paths"].values() for operation in methods.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations) == 7
