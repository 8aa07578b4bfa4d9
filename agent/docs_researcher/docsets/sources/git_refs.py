"""What a git remote offers, and which of it is meant: tags as versions, branches, the folder in an address."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from docs_researcher.core.errors import UsageError, VersionNotFound
from docs_researcher.core.lines import lines_of
from docs_researcher.docsets.sources.git_address import GitAddress, parse_git_address
from docs_researcher.docsets.sources.git_commands import ASK_SECONDS, command, run
from docs_researcher.library.versions import best_match, parse_version, sort_newest

SHOWN_TAGS = 5
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
REF = re.compile(r"(?!-)[^\s~^:?*\[\\\x00-\x20\x7f]{1,250}")
"""A name that git takes for a ref and not for an option."""

_TAG_NAME = re.compile(r"(?:@[\w.-]+/)?([A-Za-z][\w.-]*?)(?:[@/]|[-_](?=v?\d))v?\d")
_NO_NAMES = frozenset({"", "v", "r", "rel", "release", "releases", "ver", "version"})

ChooseTag = Callable[[Sequence[str]], str | None]
"""Asks the user for one of the tags (newest first); None: none of them."""


@dataclass(frozen=True, slots=True)
class Refs:
    """What a remote offers: the commit behind each branch and tag."""

    branches: dict[str, str] = field(default_factory=dict[str, str])
    tags: dict[str, str] = field(default_factory=dict[str, str])
    default: str = "HEAD"

    def newest_tags(self, name: str = "") -> list[str]:
        """Tags newest first: stable versions, then prereleases, other packages' versions, and what is no version.

        `name` is the package's own; in a repository of several, `create-app@99.0.0` is not the newest of `next`.
        """
        return sorted(sort_newest(self.tags), key=lambda tag: _standing(tag, name))


@dataclass(frozen=True, slots=True)
class Revision:
    """What is read of a repository."""

    ref: str
    """What git is asked for: `refs/tags/v1`, `refs/heads/main`, `HEAD`, or a commit."""
    version: str | None
    folder: str | None = None


def _standing(tag: str, name: str) -> int:
    """Where a tag stands in the list: 0 for a stable version of the package, 3 for what is no version."""
    version = parse_version(tag)
    if version is None:
        return 3
    named = _TAG_NAME.match(tag)
    if named and named[1].lower() not in _NO_NAMES | {name.lower()}:
        return 2
    return int(version.is_prerelease)


def address_of(url: str) -> GitAddress:
    """The repository at a plain address that git can clone from."""
    return parse_git_address(f"git+{url}") or GitAddress(url, "", urlsplit(url).path.strip("/").removesuffix(".git"))


def list_refs(address: GitAddress, *, seconds: float = ASK_SECONDS) -> Refs:
    """Ask the remote for its refs, which may take so many seconds.

    Raises:
        SourceUnavailable: it cannot be reached, does not exist, or git is missing.
    """
    said = run(command("ls-remote", "--symref", "--", address.url), seconds=seconds, what=address.shown)
    refs = Refs()
    default = "HEAD"
    for line in lines_of(said.decode("utf-8", "replace")):
        value, _, name = line.partition("\t")
        if name == "HEAD" and value.startswith("ref: refs/heads/"):
            default = value.removeprefix("ref: refs/heads/")
        elif name.startswith("refs/heads/"):
            refs.branches[name.removeprefix("refs/heads/")] = value
        elif name.startswith("refs/tags/"):
            refs.tags[name.removeprefix("refs/tags/").removesuffix("^{}")] = value  # the commit stands behind the tag object
    return replace(refs, default=default)


def choose_revision(address: GitAddress, refs: Refs, tag: str | None, choose_tag: ChooseTag | None) -> Revision:
    """What is meant: what the address or `tag` says, else what the user picks among the tags, else the only branch there is.

    Raises:
        UsageError: there are tags, and nobody who could pick one.
        VersionNotFound: the remote has no such tag, branch or version.
    """
    if address.rest:
        ref, folder = _split_rest(address, refs)
        return replace(_revision(address, refs, ref), folder=folder or None)
    if tag is not None:
        return _revision(address, refs, tag)
    if not refs.tags:
        return Revision("HEAD", None)
    newest = refs.newest_tags(address.name)
    if choose_tag is None:
        raise UsageError(
            f"{address.path} has {'1 tag; is it' if len(refs.tags) == 1 else f'{len(refs.tags)} tags; which one is'} meant?",
            why=f"the newest are {', '.join(newest[:SHOWN_TAGS])}",
            next_step=f"Name it: --tag {newest[0]} (or --tag {refs.default} for what is being worked on).",
        )
    picked = choose_tag(newest)
    return _revision(address, refs, picked) if picked else Revision("HEAD", None)


def _split_rest(address: GitAddress, refs: Refs) -> tuple[str, str]:
    """Ref and folder: the longest beginning that is a ref of the remote, else a commit."""
    parts = address.rest.strip("/").split("/")
    for count in range(len(parts), 0, -1):
        name = "/".join(parts[:count])
        if name in refs.branches or name in refs.tags:
            return name, "/".join(parts[count:])
    return parts[0], "/".join(parts[1:])


def newest_version(refs: Refs, name: str) -> tuple[str | None, str | None]:
    """The newest stable tag of the package `name`, and its version; None for both where there is none."""
    for tag in refs.newest_tags(name):
        version = parse_version(tag)
        if version is not None and _standing(tag, name) == 0:
            return tag, version.core
    return None, None


def tagged_versions(refs: Refs, pattern: str, name: str) -> dict[str, str]:
    """Every version with its tag, as `pattern` (`svelte@{version}`) reads them; a `v` before the number makes no difference.

    Where no tag is of that form, all that can be read as versions of the package `name` are taken: a project may have changed
    its ways.
    """
    form = re.compile(re.escape(pattern).replace(r"\{version\}", r"v?(?P<version>\d[\w.+-]*)").replace("vv?", "v?"))
    found = {match["version"]: tag for tag in refs.tags if (match := form.fullmatch(tag))}
    if found:
        return {version.replace("_", ".") if "." not in version else version: tag for version, tag in found.items()}
    fitting = [tag for tag in refs.newest_tags(name) if _standing(tag, name) < 2]
    return {version.core: tag for tag in reversed(fitting) if (version := parse_version(tag)) is not None}


def _revision(address: GitAddress, refs: Refs, name: str) -> Revision:
    if name in refs.tags:
        version = parse_version(name)
        return Revision(f"refs/tags/{name}", version.core if version is not None else name)
    if name in refs.branches:
        return Revision(f"refs/heads/{name}", None)
    if name == "HEAD" or _COMMIT.fullmatch(name):
        return Revision(name, None)
    ordered = refs.newest_tags(address.name)
    best = [tag for tag in ordered if _standing(tag, address.name) < 2]
    fitting = best_match(name, best or ordered) if REF.fullmatch(name) else None
    if fitting is not None:
        return _revision(address, refs, fitting)
    near = ", ".join([*ordered[:SHOWN_TAGS], *list(refs.branches)[:SHOWN_TAGS]])
    raise VersionNotFound(
        f"{address.path} has no tag or branch {name}",
        why=f"it has {near}" if near else "",
        next_step="Name one of these with --tag.",
    )
