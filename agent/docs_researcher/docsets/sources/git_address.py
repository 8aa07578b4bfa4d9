"""Addresses of git repositories as people write them: of a web page, for cloning, in scp's form, with a ref and a folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from docs_researcher.core.errors import UsageError

SCHEMES = ("https", "http", "ssh", "file")
"""What git is allowed to use. `ext::` would run a command, `git://` can be changed on its way by anybody."""

_SHORT_HOSTS = {"github": "github.com", "gitlab": "gitlab.com", "bitbucket": "bitbucket.org", "codeberg": "codeberg.org"}
_HOST_LABELS = frozenset({*_SHORT_HOSTS, "gitea", "forgejo", "git"})
_SCP = re.compile(r"(?P<user>[\w.-]+@)?(?P<host>[\w.-]{2,}|\[[0-9a-f:]+\]):(?P<path>(?!//)[^\s:]+)")
_PART = re.compile(r"(?!-|\.\.?$)[\w.~+-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class GitAddress:
    """Where a repository is cloned from, and what of it is meant.

    Attributes:
        url: what git is given.
        host: without a user; empty for a repository on this disk.
        path: owner and name, groups included, without `.git`; on this disk the whole path.
        rest: behind `/tree/` and the like: a ref and perhaps a folder, which only the remote's refs can tell apart.
    """

    url: str
    host: str
    path: str
    rest: str = ""

    @property
    def name(self) -> str:
        """The repository's name without its owner."""
        return self.path.rpartition("/")[2]

    @property
    def shown(self) -> str:
        """The address without credentials, for people and for the docset."""
        parts = urlsplit(self.url)
        if parts.username is None or parts.scheme == "ssh":
            return self.url
        return self.url.replace(f"{parts.netloc.rpartition('@')[0]}@", "", 1)

    def page_of(self, path: str, commit: str) -> str | None:
        """The web page of a file at a commit; None for a host whose pages are not known."""
        if not self.host or self.url.startswith("http://"):
            return None
        base = f"https://{self.host}/{self.path}"
        kind = _kind_of(self.host)
        if kind == "github":
            return f"{base}/blob/{commit}/{path}"
        if kind == "gitlab":
            return f"{base}/-/blob/{commit}/{path}"
        if kind == "bitbucket":
            return f"{base}/src/{commit}/{path}"
        return f"{base}/src/commit/{commit}/{path}" if kind in ("codeberg", "gitea", "forgejo") else None


def parse_git_address(text: str) -> GitAddress | None:
    """The repository that a text names, or None when it is something else (a package, a web page, a path).

    Raises:
        UsageError: it is meant for git, but in a way that is not allowed.
    """
    text = text.strip()
    if re.match(r"[\w+-]+::", text):
        raise _forbidden(text.partition("::")[0] + "::")
    forced = text.startswith("git+")
    text = text.removeprefix("git+")
    if "://" in text:
        return _from_url(text, forced)
    short = re.fullmatch(r"(github|gitlab|bitbucket|codeberg):([^\s:]+/[^\s:]+)", text)
    if short:
        return _hosted(_SHORT_HOSTS[short[1]], "https://", short[2].split("/"), True)
    scp = _SCP.fullmatch(text)
    if scp and (scp["user"] or text.endswith(".git") or forced):
        return _cloned(text, scp["host"], scp["path"])
    host = text.partition("/")[0].lower()
    if host.removeprefix("www.") in _SHORT_HOSTS.values():
        return _from_url(f"https://{text}", forced)
    return None


def _from_url(text: str, forced: bool) -> GitAddress | None:
    parts = urlsplit(text)
    scheme = parts.scheme.lower()
    path = unquote(parts.path)
    if scheme == "git" or (forced and scheme not in SCHEMES):
        raise _forbidden(f"{scheme}://")
    if scheme == "file":
        return GitAddress(f"file://{parts.path}", "", path.rstrip("/").removesuffix("/.git").removesuffix(".git"))
    if scheme == "ssh" and parts.hostname:
        return _cloned(text, parts.hostname, path)
    if scheme not in ("http", "https") or not parts.hostname or text.partition("?")[0].endswith(".db"):
        return None
    host = parts.netloc.rpartition("@")[2].lower()
    host = host.removeprefix("www.")
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    segments = [part for part in path.split("/") if part]
    return _hosted(host, f"{scheme}://{user}", segments, forced or path.rstrip("/").endswith(".git"))


def _hosted(host: str, before: str, segments: list[str], forced: bool) -> GitAddress | None:
    """An address on a code host; the ends of its pages' addresses differ from host to host."""
    kind = _kind_of(host)
    if not forced and kind is None:
        return None
    repository, rest = _split(kind, segments)
    if len(repository) < (1 if forced and kind is None else 2) or not all(map(_PART.fullmatch, repository)):
        return None
    repository[-1] = repository[-1].removesuffix(".git")
    if not repository[-1]:
        return None
    path = "/".join(repository)
    suffix = ".git" if kind is not None or segments[-1].endswith(".git") else ""
    return GitAddress(f"{before}{host}/{path}{suffix}", host, path, "/".join(rest))


def _split(kind: str | None, segments: list[str]) -> tuple[list[str], list[str]]:
    """The repository's parts, and what stands behind `tree`, `blob` or `src`."""
    if kind == "gitlab" or kind is None:
        for mark in ("-", "tree", "blob"):
            if mark in segments[1:]:
                place = segments.index(mark, 1)
                rest = segments[place:]
                return segments[:place], rest[2:] if mark == "-" else rest[1:]
        return list(segments), []
    repository, rest = segments[:2], segments[2:]
    if rest[:1] in (["tree"], ["blob"], ["raw"]):
        return repository, rest[1:]
    if rest[:1] == ["src"]:
        rest = rest[1:]
        return repository, rest[1:] if rest[:1] in (["branch"], ["tag"], ["commit"]) else rest
    return repository, []


def _kind_of(host: str) -> str | None:
    """The make of a code host, by its name."""
    for label in host.partition(":")[0].split("."):
        if label in _HOST_LABELS:
            return label
    return None


def _cloned(url: str, host: str, path: str) -> GitAddress | None:
    parts = [part for part in path.removesuffix("/").removesuffix(".git").split("/") if part not in ("", "~")]
    if not parts or url.startswith("-") or not all(map(_PART.fullmatch, parts)) or host.startswith("-"):
        return None
    return GitAddress(url, host, "/".join(parts))


def _forbidden(scheme: str) -> UsageError:
    return UsageError(
        f"Repositories are not read through {scheme}",
        why=f"allowed are {', '.join(SCHEMES)}",
        next_step="Give the repository's https address.",
    )
