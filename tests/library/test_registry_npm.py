"""npm's registry, on loopback; and the real one."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from pathlib import Path

import pytest

from docs_researcher.core.errors import PackageNotFound, SourceRefused, SourceUnavailable
from docs_researcher.library.registries.npm import NpmRegistry
from docs_researcher.library.registries.public import npm_registry
from docs_researcher.library.registries.settings import RegistrySettings
from loopback_web import Answer, Asked, Loopback

ARCHIVE = b"an archive"
SRI = "sha512-" + b64encode(hashlib.sha512(ARCHIVE).digest()).decode()


def manifest(registry: str, name: str, version: str, **more: object) -> dict[str, object]:
    file = f"{name.rpartition('/')[2]}-{version}.tgz"
    dist = {"tarball": f"{registry}/{name}/-/{file}", "integrity": SRI, "shasum": "00", "unpackedSize": 1234}
    return {"name": name, "version": version, "dist": dist, "license": "MIT", "description": "a  package\n", **more}


def as_json(value: object, **headers: str) -> Answer:
    return Answer(json.dumps(value).encode(), headers=headers)


@pytest.fixture
def registry(loopback: Loopback) -> NpmRegistry:
    return NpmRegistry(RegistrySettings(npm_registry=loopback.url))


def test_one_version_is_read_without_the_whole_document(loopback: Loopback, registry: NpmRegistry) -> None:
    internal = {"tmp": "tmp/pkg_1.2.3_1764374400000_0.5", "host": "x"}
    loopback.pages["/pkg/1.2.3"] = as_json(manifest(loopback.url, "pkg", "1.2.3", _npmOperationalInternal=internal))
    found = registry.manifest("pkg", "1.2.3")
    assert (found.name, found.version, found.license, found.description) == ("pkg", "1.2.3", "MIT", "a package")
    assert found.url == f"{loopback.url}/pkg/-/pkg-1.2.3.tgz"
    assert found.integrity is not None
    assert (found.integrity.algorithm, found.size, found.date) == ("sha512", 1234, "2025-11-29")
    assert [asked.path for asked in loopback.asked] == ["/pkg/1.2.3"]


def test_a_scoped_package_is_asked_for_by_its_escaped_name(loopback: Loopback, registry: NpmRegistry) -> None:
    loopback.pages["/@trpc%2Fserver/latest"] = as_json(manifest(loopback.url, "@trpc/server", "10.0.0"))
    assert registry.manifest("@trpc/server").version == "10.0.0"


def test_an_old_manifest_with_objects_and_a_weak_checksum_is_understood(loopback: Loopback, registry: NpmRegistry) -> None:
    old = manifest(loopback.url, "pkg", "0.1.0", license={"type": "BSD"}, repository={"url": "git://x"}, description=None)
    old["dist"] = {"tarball": f"{loopback.url}/pkg.tgz", "shasum": hashlib.sha1(ARCHIVE).hexdigest()}
    loopback.pages["/pkg/0.1.0"] = as_json(old)
    found = registry.manifest("pkg", "0.1.0")
    assert (found.license, found.repository, found.description, found.date) == ("BSD", "git://x", "", None)
    assert found.integrity is not None
    assert found.integrity.algorithm == "sha1"


def test_an_unknown_package_or_version_is_not_found_and_named(registry: NpmRegistry) -> None:
    with pytest.raises(PackageNotFound, match="npm has no package nothing at 9"):
        registry.manifest("nothing", "9")
    with pytest.raises(PackageNotFound, match="npm has no package nothing"):
        registry.versions("nothing")


def test_a_name_that_npm_does_not_allow_is_never_asked_for(loopback: Loopback, registry: NpmRegistry) -> None:
    for name in ("../etc", "a b", "", "@x"):
        with pytest.raises(PackageNotFound):
            registry.manifest(name)
    assert loopback.asked == []


@pytest.mark.parametrize("body", [b"[]", b"7", b'"x"'])
def test_an_answer_of_another_form_is_an_unavailable_registry(loopback: Loopback, registry: NpmRegistry, body: bytes) -> None:
    for path in ("/pkg/latest", "/-/package/pkg/dist-tags", "/pkg"):
        loopback.pages[path] = Answer(body)
    for call in (registry.manifest, registry.dist_tags, registry.versions):
        with pytest.raises(SourceUnavailable, match="does not answer like an npm registry"):
            call("pkg")


def test_dist_tags_are_read_and_have_a_fallback(loopback: Loopback, registry: NpmRegistry) -> None:
    loopback.pages["/-/package/pkg/dist-tags"] = as_json({"latest": "2.0.0", "next": "3.0.0-rc.1"})
    assert registry.dist_tags("pkg") == {"latest": "2.0.0", "next": "3.0.0-rc.1"}
    loopback.pages["/other/latest"] = as_json(manifest(loopback.url, "other", "1.0.0"))
    assert registry.dist_tags("other") == {"latest": "1.0.0"}


def packument(registry: str, *versions: str) -> dict[str, object]:
    return {
        "name": "pkg",
        "dist-tags": {"latest": versions[-1]},
        "versions": {version: manifest(registry, "pkg", version, readme="x" * 10_000) for version in versions},
        "time": {"created": "2020-01-01T00:00:00Z", **dict.fromkeys(versions[:-1], "2025-03-04T10:00:00.000Z")},
    }


def test_all_versions_are_read_once_and_then_only_asked_whether_they_changed(loopback: Loopback, tmp_path: Path) -> None:
    document = json.dumps(packument(loopback.url, "1.15.9", "2.0.0-rc.1", "1.15.10")).encode()
    sent: list[int] = []

    def page(asked: Asked) -> Answer:
        if asked.headers.get("if-none-match") == '"e1"':
            sent.append(304)
            return Answer(status=304)
        sent.append(200)
        return Answer(document, headers={"etag": '"e1"'})

    loopback.pages["/pkg"] = page
    settings = RegistrySettings(npm_registry=loopback.url)
    first = NpmRegistry(settings, cache_dir=tmp_path / "cache").versions("pkg")
    again = NpmRegistry(settings, cache_dir=tmp_path / "cache")
    assert first == ("2.0.0-rc.1", "1.15.10", "1.15.9")
    assert again.versions("pkg") == first
    assert again.dates("pkg") == {"1.15.9": "2025-03-04", "2.0.0-rc.1": "2025-03-04", "1.15.10": None}
    assert sent == [200, 304, 304]
    (cached,) = (tmp_path / "cache").rglob("*.json")
    assert cached.stat().st_size < 300


def test_a_damaged_cache_is_read_anew_and_one_that_cannot_be_written_does_not_matter(loopback: Loopback, tmp_path: Path) -> None:
    loopback.pages["/pkg"] = as_json(packument(loopback.url, "1.0.0"), etag='"e1"')
    settings = RegistrySettings(npm_registry=loopback.url)
    registry = NpmRegistry(settings, cache_dir=tmp_path)
    registry.versions("pkg")
    (cached,) = tmp_path.rglob("*.json")
    cached.write_text("{")
    assert registry.versions("pkg") == ("1.0.0",)
    (tmp_path / "file").write_text("in the way")
    assert NpmRegistry(settings, cache_dir=tmp_path / "file").versions("pkg") == ("1.0.0",)


def test_an_archive_is_downloaded_and_checked(loopback: Loopback, registry: NpmRegistry, tmp_path: Path) -> None:
    loopback.pages["/pkg/1.0.0"] = as_json(manifest(loopback.url, "pkg", "1.0.0"))
    loopback.pages["/pkg/-/pkg-1.0.0.tgz"] = Answer(ARCHIVE)
    found = registry.manifest("pkg", "1.0.0")
    assert registry.download(found, tmp_path / "p.tgz", max_bytes=100) == len(ARCHIVE)
    loopback.pages["/pkg/-/pkg-1.0.0.tgz"] = Answer(b"another!!!")
    with pytest.raises(SourceRefused, match="checksum differs"):
        registry.download(found, tmp_path / "q.tgz", max_bytes=100)
    assert [path.name for path in tmp_path.iterdir()] == ["p.tgz"]


def test_a_mirror_that_names_the_public_registry_is_asked_itself(loopback: Loopback, registry: NpmRegistry) -> None:
    loopback.pages["/pkg/1.0.0"] = as_json(manifest(npm_registry(), "pkg", "1.0.0"))
    assert registry.manifest("pkg", "1.0.0").url == f"{loopback.url}/pkg/-/pkg-1.0.0.tgz"


def test_an_archive_elsewhere_over_plain_http_is_refused(loopback: Loopback, registry: NpmRegistry) -> None:
    loopback.pages["/pkg/1.0.0"] = as_json(manifest("http://192.0.2.1", "pkg", "1.0.0"))
    with pytest.raises(SourceRefused, match=r"192\.0\.2\.1, which is not read"):
        registry.manifest("pkg", "1.0.0")


def test_a_scope_has_its_own_registry_and_token(loopback: Loopback, other_loopback: Loopback, tmp_path: Path) -> None:
    (tmp_path / ".npmrc").write_text(
        f"registry={loopback.url}/\n@acme:registry={other_loopback.url}/npm/\n"
        f"{other_loopback.url.removeprefix('http:')}/npm/:_authToken=${{ACME_TOKEN}}\n"
    )
    settings = RegistrySettings.read(environ={"ACME_TOKEN": "t0ken"}, home=tmp_path)
    other_loopback.pages["/npm/@acme%2Fui/latest"] = as_json(manifest(f"{other_loopback.url}/npm", "@acme/ui", "1.0.0"))
    loopback.pages["/pkg/latest"] = as_json(manifest(loopback.url, "pkg", "1.0.0"))
    registry = NpmRegistry(settings)
    assert registry.manifest("@acme/ui").version == "1.0.0"
    assert registry.manifest("pkg").version == "1.0.0"
    assert other_loopback.asked[0].headers["authorization"] == "Bearer t0ken"
    assert "authorization" not in loopback.asked[0].headers


@pytest.mark.registry
def test_the_real_registry_answers(tmp_path: Path) -> None:
    registry = NpmRegistry(cache_dir=tmp_path)
    assert registry.manifest("fastify", "5.0.0").version == "5.0.0"
    assert registry.manifest("@trpc/server", "10.0.0").integrity is not None
    assert "latest" in registry.dist_tags("next")
    versions = registry.versions("is-odd")
    assert versions[0] == "3.0.1"
    assert registry.versions("is-odd") == versions
    small = registry.manifest("is-odd", "3.0.1")
    assert registry.download(small, tmp_path / "x.tgz", max_bytes=100_000) > 500
