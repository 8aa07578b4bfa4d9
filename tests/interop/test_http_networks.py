"""Certificates of one's own, names with two addresses, and the headers that gateways look at."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from mcp_web_peers import Seen, WebPeer, asked_web, web_peer

pytestmark = [pytest.mark.interop, pytest.mark.timeout(30)]

CA_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that nobody else signed, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "docs-researcher test")])
    now = datetime.datetime.now(tz=datetime.UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file, key_file = folder / "cert.pem", folder / "key.pem"
    file.write_bytes(built.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    key_file.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    return file, key_file


@pytest.fixture
def secure(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[WebPeer]:
    """A peer behind TLS with that certificate."""
    for name in CA_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    peer = WebPeer(tls=context)
    yield peer
    peer.stop()


def test_a_certificate_that_nobody_trusts_is_named_as_the_problem(secure: WebPeer) -> None:
    result = asked_web(secure.url)
    assert result.outcome == "unavailable"
    assert "certificate" in result.text
    assert "SSL_CERT_FILE" in result.text
    assert not secure.seen


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"])
def test_a_certificate_of_one_s_own_is_trusted_by_whichever_variable_names_it(
    variable: str, secure: WebPeer, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(certificate[0]))
    assert asked_web(secure.url).outcome == "ok"


def test_a_server_on_one_of_the_two_addresses_of_localhost_is_found() -> None:
    with web_peer() as peer:
        assert asked_web(peer.url.replace("127.0.0.1", "localhost")).outcome == "ok"


def test_a_server_at_an_address_of_the_newer_kind_is_reached() -> None:
    class Server(ThreadingHTTPServer):
        address_family = socket.AF_INET6

    try:
        server = Server(("::1", 0), BaseHTTPRequestHandler)
    except OSError:
        pytest.skip("this machine has no ::1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        result = asked_web(f"http://[::1]:{server.server_port}/mcp")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert "HTTP 501" in result.text, "the server was reached, and said that it takes no POST"


def test_both_forms_of_an_answer_are_accepted_in_every_request() -> None:
    with web_peer("legacy") as peer:
        asked_web(peer.url)

    def accepts(seen: Seen) -> bool:
        return {"application/json", "text/event-stream"} <= {part.strip() for part in seen.headers["accept"].split(",")}

    posts = [seen for seen in peer.seen if seen.verb == "POST"]
    assert len(posts) >= 4
    assert all(accepts(seen) for seen in posts)
