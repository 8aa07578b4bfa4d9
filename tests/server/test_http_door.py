"""Who comes in, how often, and what is written down about it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from docs_researcher.server.http import limits
from docs_researcher.server.http.backend import Counted, Opened
from docs_researcher.server.http.guard import Guard
from docs_researcher.server.http.limits import RateLimit
from docs_researcher.server.http.numbers import Numbers
from docs_researcher.server.http.settings import HttpSettings
from docs_researcher.server.http.tokens import TokenFile
from http_running import running

CONTEXT = "/api/v2/context"
SIGN = {"libraryId": "/local/signpost", "query": "sign a request"}
LISTED = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
JSON = {"Accept": "application/json", "Content-Type": "application/json"}


@pytest.fixture(scope="module")
def plain(docs: Path) -> Iterator[httpx2.Client]:
    with running(docs) as server:
        yield server.client


@pytest.fixture(autouse=True)
def _log(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] -- used by pytest
    """import-linter, which another test runs in process, disables every logger that it finds."""
    monkeypatch.setattr(logging.getLogger("docs_researcher.access"), "disabled", False)


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("127.0.0.1:8700", True),
        ("localhost", True),
        ("LOCALHOST:1", True),
        ("[::1]:8700", True),
        ("docs.example:443", True),
        ("exact.example:8700", True),
        ("exact.example:8701", False),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example:8700", False),
        ("evil.example#localhost", False),
        ("127.0.0.1:8700@evil.example", False),
        ("", False),
        (None, False),
    ],
)
def test_a_host_is_answered_only_under_the_names_it_is_known_by(host: str | None, allowed: bool) -> None:
    guard = Guard("127.0.0.1", ["docs.example", "exact.example:8700"])
    refusal = guard.refusal(host, None)
    assert (refusal is None) == allowed
    assert refusal is None or (refusal.status == 421 and "--allow-host" in refusal.message)


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://localhost:6274", True),
        ("https://127.0.0.1", True),
        ("http://[::1]:3000", True),
        ("https://app.example", True),
        ("https://app.example/", True),
        ("https://app.example.evil", False),
        ("http://localhost.evil.example", False),
        ("http://evil.example#localhost", False),
        ("http://localhost@evil.example", False),
        ("file://localhost", False),
        ("http://[oops", False),
        ("null", False),
        ("", False),
    ],
)
def test_a_page_may_call_only_from_the_origins_that_were_named(origin: str | None, allowed: bool) -> None:
    refusal = Guard("127.0.0.1", allow_origins=["https://app.example"]).refusal("localhost", origin)
    assert (refusal is None) == allowed
    assert refusal is None or (refusal.status == 403 and "--allow-origin" in refusal.message)


def test_listening_on_every_address_names_no_host() -> None:
    assert Guard("0.0.0.0").refusal("0.0.0.0:8700", None) is not None
    assert Guard("192.168.1.7").refusal("192.168.1.7:8700", None) is None


def test_the_guard_stands_before_every_address(plain: httpx2.Client) -> None:
    foreign = {"Host": "evil.example"}
    assert plain.get(CONTEXT, params=SIGN, headers=foreign).json()["error"] == "host_not_allowed"
    assert plain.post("/mcp", json=LISTED, headers={**JSON, **foreign}).status_code == 421
    refused = plain.post("/mcp", json=LISTED, headers={**JSON, "Origin": "http://evil.example"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, -32000)
    assert plain.get("/openapi.json", headers=foreign).status_code == 421
    for path in ("/healthz", "/readyz", "/ping"):
        assert plain.get(path, headers=foreign).status_code == 421
        for host in ("10.1.2.3:8700", "[fd00::7]:8700", "192.168.1.7", "localhost"):  # as an orchestrator asks
            assert plain.get(path, headers={"Host": host}).status_code == 200
    assert plain.get("/openapi.json", headers={"Host": "10.1.2.3:8700"}).status_code == 421


def test_a_page_of_a_named_origin_can_read_the_answer(docs: Path) -> None:
    with running(docs, HttpSettings(allow_origins=("https://app.example",))) as server:
        asked = server.client.options("/mcp", headers={"Origin": "https://app.example"})
        answer = server.client.get(CONTEXT, params=SIGN, headers={"Origin": "https://app.example"})
        local = server.client.get(CONTEXT, params=SIGN, headers={"Origin": "http://localhost:3000"})
    assert asked.status_code == 204
    assert "mcp-protocol-version" in asked.headers["access-control-allow-headers"]
    assert answer.headers["access-control-allow-origin"] == "https://app.example"
    assert "access-control-allow-origin" not in local.headers


def test_a_token_is_taken_from_every_header_that_clients_use_and_works_until_it_is_revoked(docs: Path, tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    token = file.create("ci")
    with running(docs, HttpSettings(tokens=file.path)) as server:
        for name, value in (
            ("Authorization", f"Bearer {token}"),
            ("authorization", f"bearer  {token}"),
            ("Authorization", token),
            ("Context7-API-Key", token),
            ("X-API-Key", token),
            ("CONTEXT7_API_KEY", token),
        ):
            assert server.client.get(CONTEXT, params=SIGN, headers={name: value}).status_code == 200, name
            assert server.client.post("/mcp", json=LISTED, headers={**JSON, name: value}).status_code == 200, name
        file.revoke("ci")
        refused = server.client.get(CONTEXT, params=SIGN, headers={"Authorization": f"Bearer {token}"})
        assert (refused.status_code, refused.json()["error"]) == (401, "invalid_api_key")


@pytest.mark.parametrize("credential", [None, b"Bearer", b"Bearer dr_wrong", b"dr_", b"Bearer \xe4\xff"])
def test_without_a_known_token_nothing_but_health_and_the_description_is_answered(
    docs: Path, tmp_path: Path, credential: bytes | None
) -> None:
    TokenFile(tmp_path / "tokens.json").create("ci")
    headers = {} if credential is None else {b"Authorization": credential}
    with running(docs, HttpSettings(tokens=tmp_path / "tokens.json", metrics=True)) as server:
        for path in ("/mcp", "/mcp/oauth"):
            answer = server.client.post(path, json=LISTED, headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, -32001)
            assert answer.headers["www-authenticate"] == 'Bearer realm="docs-researcher"'
        for path in (CONTEXT, "/api/v2/libs/search", "/metrics", "/nowhere"):
            assert server.client.get(path, headers=headers).status_code == 401
        for path in ("/healthz", "/readyz", "/ping", "/openapi.json"):
            assert server.client.get(path, headers=headers).status_code == 200
        assert server.client.get("/.well-known/oauth-protected-resource", headers=headers).status_code == 404


def test_a_token_for_some_docsets_sees_no_others_by_any_way(docs: Path, tmp_path: Path) -> None:
    token = TokenFile(tmp_path / "tokens.json").create("guest", ["/local/screen"])

    def tool(name: str, **arguments: Any) -> str:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        return server.client.post("/mcp", json=call, headers={**JSON, **headers}).text

    headers = {"Authorization": f"Bearer {token}"}
    with running(docs, HttpSettings(tokens=tmp_path / "tokens.json")) as server:
        seen = server.client.get(CONTEXT, params={"libraryId": "/local/screen", "query": "draw"}, headers=headers)
        hidden = server.client.get(CONTEXT, params=SIGN, headers=headers)
        found = server.client.get("/api/v2/libs/search", params={"libraryName": "signpost"}, headers=headers)
        listed = server.client.post("/mcp", json=LISTED, headers={**JSON, **headers})
        pages = server.client.post("/mcp", json={**LISTED, "method": "resources/list"}, headers={**JSON, **headers})
        told = [
            tool("query-docs", libraryId="/local/signpost", query="sign a request"),
            tool("get_docs", library="signpost", topic="sign a request"),
            tool("research-library-docs", question="How do I sign a request?", library="/local/signpost"),
        ]
    assert "<Suspense>" in seen.text
    assert (hidden.status_code, found.status_code) == (403, 404)
    assert "signpost" not in listed.text + pages.text
    assert "screen@2.1.0" in listed.text
    assert not any("sign_request" in text for text in told)


def test_research_with_a_token_for_some_docsets_says_which_and_not_what_else_there_is(docs: Path, tmp_path: Path) -> None:
    token = TokenFile(tmp_path / "tokens.json").create("guest", ["/local/screen"])
    headers = {**JSON, "Authorization": f"Bearer {token}"}

    def answer(question: str) -> str:
        params = {"name": "research-library-docs", "arguments": {"question": question}}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return server.client.post("/mcp", json=call, headers=headers).json()["result"]["content"][0]["text"]

    with running(docs, HttpSettings(tokens=tmp_path / "tokens.json")) as server:
        readable = answer("How do I draw the screen in screen?")
        known = answer("How do I set up auth in Next.js 15?")
        installed, absent = (answer(f"How are the parts changed in {name}?") for name in ("signpost", "signboard"))
    assert "<Suspense>" in readable
    assert "nearest" not in known
    assert "It may read: /local/screen." in known
    assert installed == absent
    assert "This token may read: /local/screen." in installed


def test_a_token_for_one_version_sees_that_version_alone(docs: Path, tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    right, wrong = file.create("right", ["/local/screen/v2.1.0"]), file.create("wrong", ["/local/screen/1.0.0"])
    with running(docs, HttpSettings(tokens=file.path)) as server:
        asked = {"libraryId": "/local/screen", "query": "draw"}
        statuses = [
            server.client.get(CONTEXT, params=asked, headers={"Authorization": f"Bearer {token}"}).status_code
            for token in (right, wrong)
        ]
    assert statuses[0] == 200
    assert statuses[1] >= 400


def test_one_caller_over_the_rate_is_told_when_to_come_again_and_others_are_answered(docs: Path, tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    busy, calm = ({"Authorization": f"Bearer {file.create(name)}"} for name in ("busy", "calm"))
    with running(docs, HttpSettings(tokens=file.path, rate=3)) as server:
        answers = [server.client.get(CONTEXT, params=SIGN, headers=busy) for _ in range(4)]
        over_mcp = server.client.post("/mcp", json=LISTED, headers={**JSON, **busy})
        other = server.client.get(CONTEXT, params=SIGN, headers=calm)
        guesses = [server.client.get(CONTEXT, headers={"Authorization": "Bearer guess"}).status_code for _ in range(5)]
        health = [server.client.get("/healthz").status_code for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["ratelimit-remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert 1 <= int(answers[3].headers["retry-after"]) <= 20
    assert answers[3].json()["error"] == "rate_limit_exceeded"
    assert (over_mcp.status_code, over_mcp.json()["error"]["code"]) == (429, -32000)
    assert other.status_code == 200
    assert guesses == [401, 401, 401, 429, 429]
    assert health == [200] * 5


def test_a_rate_fills_again_evenly() -> None:
    now = [100.0]
    limit = RateLimit(Numbers.of_this_process(limits.CELLS), 60, clock=lambda: now[0])
    assert not any(limit.take("a").is_spent for _ in range(60))
    assert limit.take("a").retry_after == 1
    now[0] += 1.5
    assert [limit.take("a").is_spent for _ in range(2)] == [False, True]
    now[0] += 3_600
    assert limit.take("a").remaining == 59


def test_callers_beyond_the_table_cost_no_memory_and_lock_nobody_out() -> None:
    numbers = Numbers.of_this_process(limits.CELLS)
    limit = RateLimit(numbers, 5)
    assert not any(limit.take(f"address {number}").is_spent for number in range(3 * limits.SLOTS))
    assert len(numbers.cells) == limits.CELLS


def test_a_lock_that_a_killed_worker_left_behind_stops_nobody() -> None:
    numbers = Numbers.of_all_workers(limits.CELLS)
    limit = RateLimit(numbers, 5)
    with numbers.held():
        assert [limit.take("a").remaining for _ in range(3)] == [4, 3, 2]


def test_the_access_log_says_who_and_how_long_but_not_what_was_asked(
    docs: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    headers = {"Authorization": f"Bearer {file.create('ci')}"}
    with caplog.at_level(logging.INFO, "docs_researcher.access"), running(docs, HttpSettings(tokens=file.path)) as server:
        server.client.get(CONTEXT, params={**SIGN, "query": "sign a private request"}, headers=headers)
        server.client.get("/healthz")
        server.client.get("/a%0Ab%1b[31m", headers=headers)
    lines = [record.getMessage() for record in caplog.records if record.name == "docs_researcher.access"]
    assert len(lines) == 2
    assert lines[0].startswith(f"ci GET {CONTEXT} 200 ")
    assert "private" not in caplog.text
    assert "\n" not in lines[1]
    assert "\x1b" not in lines[1]


def test_the_access_log_says_what_was_asked_when_told_to_without_secrets(docs: Path, caplog: pytest.LogCaptureFixture) -> None:
    secret = "ghp_" + "a1B2" * 9
    with caplog.at_level(logging.INFO, "docs_researcher.access"), running(docs, HttpSettings(log_queries=True)) as server:
        server.client.get(CONTEXT, params={**SIGN, "query": f"my private matter {secret}"})
    assert "my private matter" in caplog.text
    assert secret not in caplog.text


def test_metrics_count_requests_times_and_lookups_and_are_there_only_when_asked_for(docs: Path, plain: httpx2.Client) -> None:
    assert plain.get("/metrics").status_code == 404
    with running(docs, HttpSettings(metrics=True)) as server:
        for _ in range(3):
            server.client.get(CONTEXT, params=SIGN)
        server.client.get(CONTEXT, params={"libraryId": "/no/such", "query": "x"})
        server.client.get("/nowhere")
        server.client.post("/mcp", json=LISTED, headers=JSON)
        answer = server.client.get("/metrics")
    lines = answer.text.splitlines()
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in (
        "docs_researcher_docsets 3",
        'docs_researcher_http_requests_total{route="context",status="200"} 3',
        'docs_researcher_http_requests_total{route="context",status="404"} 1',
        'docs_researcher_http_requests_total{route="other",status="404"} 1',
        'docs_researcher_http_requests_total{route="mcp",status="200"} 1',
        'docs_researcher_http_request_seconds_bucket{route="context",le="+Inf"} 4',
        'docs_researcher_http_request_seconds_count{route="context"} 4',
        'docs_researcher_lookups_total{tool="query-docs",outcome="ok"} 3',
        'docs_researcher_lookups_total{tool="query-docs",outcome="not_found"} 1',
    ):
        assert line in lines
    named = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    samples = [line.partition("{")[0].split()[0] for line in lines if line and not line.startswith("#")]
    assert {name for name in samples if not any(name == one or name.startswith(f"{one}_") for one in named)} == set()


def test_a_server_whose_tokens_cannot_be_read_is_not_ready_and_lets_nobody_in(docs: Path, tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    file.write_text("{}", encoding="utf-8")
    with running(docs, HttpSettings(tokens=file)) as server:
        ready = server.client.get("/readyz")
        answer = server.client.get(CONTEXT, params=SIGN, headers={"Authorization": "Bearer x"})
    assert (ready.status_code, answer.status_code) == (503, 503)
    assert "tokens.json" in ready.json()["message"]
    assert answer.json()["error"] == "tokens_unusable"


class BrokenBackend:
    """A backend that cannot be opened."""

    def open(self, docsets: tuple[str, ...] | None, counted: Counted) -> Opened:
        raise RuntimeError("a fault of ours")


def test_a_fault_of_ours_is_a_500_in_json_that_tells_nothing_of_it(docs: Path) -> None:
    with running(docs, backend=BrokenBackend()) as server:
        api = server.client.get(CONTEXT, params=SIGN)
        again = server.client.post("/mcp", json=LISTED, headers=JSON)
        health = server.client.get("/healthz")
    assert (api.status_code, api.json()["error"]) == (500, "internal_error")
    assert again.status_code == 500
    assert "a fault of ours" not in api.text + again.text
    assert health.status_code == 200
