"""What a short piece of code claims to exist: the calls, names, options, variables, modules and packages in it.

Only what plainly looks like code is a claim. A single word may be prose, a variable of the reader's own or a value: it is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docs_researcher.steps.checks.language_names import COMMON_FOLDERS, common_methods, language_names


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that has to stand in what was read: one of `names` does."""

    names: tuple[str, ...]
    title: bool = False
    """Whether the name may stand there as two words, as titles do."""
    below: str = ""
    """The name in front of its dot. If the documentation writes nothing behind that and a dot, it is any variable."""


_TEXT = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`")
_ADDRESS = re.compile(r"\b\w+://\S+|\bpkg:\S+")
_PLACEHOLDER = re.compile(r"^(?:your|my|our|some|foo|bar|baz|qux|example|xxx)", re.IGNORECASE)
_FLAG = re.compile(r"(?<![\w-])--(?:no-)?(?P<name>[A-Za-z][\w-]*)")
_CHAIN = re.compile(r"(?<![\w$/.@-])[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)*(?![\w$])(?P<call>\()?")
_JOINT = re.compile(r"\?\.|\.|::|->")
_TAG = re.compile(r"<(?P<name>[A-Z]\w*)")
_OPTION = re.compile(r"(?:(?<=[(,])\s*|(?<![\w.$-]))(?P<name>[A-Za-z_]\w*)=(?![=>\s])")
_KEY = re.compile(r"[{,]\s*(?P<name>[A-Za-z_$][\w$]{3,})\s*:(?!:)")
_DEFINED = re.compile(
    r"\b(?:const|let|var|def|function\*?|class|interface|type|fn|func|as)\s+(?P<name>[A-Za-z_$][\w$]*)|^\s*(?P<set>[A-Za-z_]\w*)\s+:?=\s"
)
_MODULE = re.compile(r"(?:\bfrom|\bimport|\brequire)\s*\(?\s*['\"](?P<name>[^'\"\n]+)['\"]")
_IMPORTED = re.compile(r"\bimport\s+(?P<names>[A-Za-z_][\w, ]*)")
_OF_ONE_S_OWN = re.compile(r"\bimport\s+(?:type\s+)?\{(?P<names>[^}]*)\}\s*from\s*['\"]\.")
_TOOL = re.compile(
    r"^(?:\$\s+)?(?:npm|npx|pnpm|yarn|bun|node|deno|pip3?|pipx|python3?|uvx?|poetry|git|docker|kubectl|curl|wget|cargo|go|gem|bundle|make"
    r"|brew|apt|apt-get|sudo|ssh|psql|composer|dotnet|mvn|gradle)\s"
)
"""Programs whose own options no library's documentation has to explain."""
_INSTALL = re.compile(
    r"^(?:\$\s+)?(?:(?:npm\s+(?:i|install|add|exec)|(?:pnpm|yarn|bun)\s+(?:add|dlx|install)|uv\s+(?:add|pip\s+install)|poetry\s+add|"
    r"(?:python3?\s+-m\s+)?pip3?\s+install|pipx\s+(?:install|run)|cargo\s+(?:add|install)|go\s+(?:get|install)|gem\s+install|"
    r"composer\s+require|dotnet\s+add\s+package)\s+(?P<several>.+)|(?:npx|bunx|pnpx|uvx)\s+(?:-\S+\s+)*(?P<one>\S+).*)$"
)
_PACKAGE = re.compile(r"^@?[A-Za-z][\w./-]*")
_PATH = re.compile(r"^[@.~]?[\w@.~:\[\](){}*$+-]*(?:/[\w@.~:\[\](){}*$+-]*)+$")
_PLAINLY_PATH = re.compile(r"^(?:[/~@]|\.\.?/)|\.\w{1,5}$|[\[_*]")
_MEDIA = re.compile(r"^(?:text|application|image|audio|video|multipart|font|model)/", re.IGNORECASE)
_EXTENSIONS = frozenset(
    "js jsx ts tsx mjs cjs mts cts py pyi rb go rs java kt php cs c h cpp hpp swift md mdx rst txt json jsonc yaml yml toml ini "
    "cfg env lock html css scss vue svelte sql sh xml csv log db sqlite ipynb conf prisma graphql proto tf gradle".split()
)
_DOMAINS = frozenset("com org net io dev app ai co me local test example invalid".split())
_SHORTEST = 3


def claims(code: str) -> Iterator[Claim]:
    """The claims of one piece of code, white space folded."""
    if _MEDIA.match(code):
        return
    path = list(_path(code))
    if path or _is_path(code):
        yield from path
        return
    yield from _packages(code)
    yield from (Claim((match["name"].rpartition("/")[2],)) for match in _MODULE.finditer(code) if match["name"][0] not in "./@")
    bare = _TEXT.sub(" ", _ADDRESS.sub(" ", code))
    own = {match["name"] or match["set"] for match in _DEFINED.finditer(bare)}
    own |= {name for match in _OF_ONE_S_OWN.finditer(code) for name in re.findall(r"[\w$]+", match["names"])}
    for match in () if _TOOL.match(code) else _FLAG.finditer(bare):
        yield Claim((match["name"], f"no-{match['name']}"))
    named = [*_TAG.finditer(bare), *_OPTION.finditer(bare), *_KEY.finditer(bare)]
    found = [match["name"] for match in named]
    found += [name for match in _IMPORTED.finditer(bare) for name in re.findall(r"\w+", match["names"])]
    yield from (Claim((name,)) for name in found if _is_judged(name) and name not in own)
    for match in _CHAIN.finditer(_FLAG.sub(" ", bare)):
        yield from _chain(match, own)


def _is_judged(name: str) -> bool:
    bare = name.strip("_$")
    return len(bare) >= _SHORTEST and name not in language_names() and not _PLACEHOLDER.match(bare)


def is_coded(name: str) -> bool:
    """Whether a name is plainly no word: an underscore inside, or a capital behind a small letter."""
    bare = name.strip("_$")
    return "_" in bare or re.search(r"[a-z0-9][A-Z]", bare) is not None


def _chain(match: re.Match[str], own: set[str]) -> Iterator[Claim]:
    called = match["call"] is not None
    root, *parts = _JOINT.split(match.group().rstrip("("))
    if root in own or root in language_names() or root in common_methods() or (not called and _is_file_or_host(root, parts)):
        return
    judged = is_coded(root) or (root[:1].isupper() and (called or parts)) or (called and not parts)
    if judged and _is_judged(root):
        yield Claim((root,), title=root[:1].isupper())
    for place, name in enumerate(parts, start=1):
        if not _is_judged(name) or name in common_methods():
            continue
        certain = is_coded(name) or (called and place == len(parts))
        yield Claim((name,), below="" if certain else root)


def _is_file_or_host(root: str, parts: list[str]) -> bool:
    last = parts[-1] if parts else ""
    return last in _EXTENSIONS or (last in _DOMAINS and not any(is_coded(name) for name in (root, *parts)))


def _packages(code: str) -> Iterator[Claim]:
    """The packages that a command installs or runs: what is not there could be anybody's."""
    command = _INSTALL.match(code)
    if command is None:
        return
    for word in (command["several"] or command["one"]).split():
        package = _PACKAGE.match(word.strip("'\""))
        if package is None or word.startswith("-"):
            continue
        name = package.group().rstrip("/.-")
        if not _PLACEHOLDER.match(name.lstrip("@")):
            yield Claim((name, name.rpartition("/")[2]) if not name.startswith("@") else (name.rpartition("/")[2],))


def _is_path(code: str) -> bool:
    return "/" in code and _PATH.match(code) is not None


def _path(code: str) -> Iterator[Claim]:
    """A path claims that one of its own parts is known; a scoped package, that its name is."""
    if not _is_path(code) or not _PLAINLY_PATH.search(code):
        return
    if re.match(r"^@[\w.-]+/[\w.-]+", code):
        name = code.split("/")[1].split("@")[0]
        if not code.startswith("@/") and not _PLACEHOLDER.match(name):
            yield Claim((name,))
        return
    parts = [re.sub(r"\.\w{1,5}$", "", part).strip("~.") for part in code.split("/")]
    own = [part for part in parts if re.fullmatch(r"[A-Za-z][\w.-]*", part) and part.lower() not in COMMON_FOLDERS]
    own = [part for part in own if len(part) >= _SHORTEST and not re.fullmatch(r"v\d+", part)]
    if own and not any(_PLACEHOLDER.match(part) for part in own):
        yield Claim(tuple(piece for part in own for piece in (part, *re.split(r"[.-]", part))))
