"""The catalogue: what is in it, how it is looked up, how page addresses are made, how it is compiled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.library.catalogue import COMPILED, Catalogue, DocsLocation, Entry, fold_name, url_for
from docs_researcher.library.compile_catalogue import DATA, compile_folder, refuse_shared
from docs_researcher.library.packages import PackageRef, parse_package
from docs_researcher.library.registries.public import npm_registry, pypi_index


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue.load()


def entry_named(catalogue: Catalogue, name: str) -> Entry:
    entry = catalogue.by_name(name)
    assert entry is not None, name
    return entry


def test_the_shipped_file_is_what_the_source_says() -> None:
    assert COMPILED.read_text(encoding="utf-8") == compile_folder(DATA)


def test_no_two_entries_share_a_name_an_id_or_a_package(catalogue: Catalogue) -> None:
    refuse_shared(catalogue.entries)
    folded = [fold_name(name) for entry in catalogue.entries for name in {fold_name(n) for n in (entry.name, *entry.aliases)}]
    assert len(folded) == len(set(folded))


def test_the_catalogue_covers_many_libraries_of_every_ecosystem(catalogue: Catalogue) -> None:
    assert len(catalogue.entries) >= 300
    known = {entry.ecosystem for entry in catalogue.entries}
    assert known >= {"npm", "pypi", "go", "rust", "java", "dotnet", "ruby", "php", "cli", "cloud", "database"}
    assert catalogue.checked >= "2026-11-29"


def test_loading_costs_neither_yaml_nor_a_network_library() -> None:
    script = (
        "import sys\n"
        "from docs_researcher.library.catalogue import Catalogue\n"
        "assert Catalogue.load().by_name('next').id == '/vercel/next.js'\n"
        "heavy = ('yaml', 'httpx2', 'packageurl', 'packaging', 'nodesemver', 'rapidfuzz')\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("next.js", "Next.js"),
        ("NextJS", "Next.js"),
        ("next", "Next.js"),
        ("DRF", "Django REST framework"),
        ("fast api", "FastAPI"),
        ("RHF", "React Hook Form"),
        ("스프링 부트", "Spring Boot"),
        ("@tanstack/react-query", "TanStack Query"),
        ("react_query", "TanStack Query"),
        ("sklearn", "scikit-learn"),
        ("C#", "C#"),
        ("github.com/gin-gonic/gin", "Gin"),
        ("gin-gonic/gin", "Gin"),
        ("https://github.com/vercel/next.js", "Next.js"),
        ("/vercel/next.js", "Next.js"),
        ("/vercel/next.js/v15.1.8", "Next.js"),
        ("/reactjs/react.dev", "React"),
        ("npm:@prisma/client@6", "Prisma"),
        ("pkg:pypi/django@5.2", "Django"),
        ("/npm/next", "Next.js"),
        ("/npm/@tanstack/react-query", "TanStack Query"),
        ("/pypi/Pillow", "Pillow"),
    ],
)
def test_an_entry_is_found_by_name_id_package_and_repository(catalogue: Catalogue, text: str, name: str) -> None:
    entry = catalogue.find(text)
    assert entry is not None
    assert entry.name == name


@pytest.mark.parametrize("text", ["", "no such library", "/etc/hosts", "npm:left-pad", "/npm/left-pad", "///", "@"])
def test_what_is_not_known_is_not_found(catalogue: Catalogue, text: str) -> None:
    assert catalogue.find(text) is None


def test_a_package_name_of_two_entries_stands_for_neither(catalogue: Catalogue) -> None:
    one = Entry("One", "/a/one", "npm", "", npm=("shared",))
    two = Entry("Two", "/a/two", "pypi", "", pypi=("shared",))
    small = Catalogue([one, two])
    assert small.by_name("shared") is None
    assert small.by_package(PackageRef("pypi", "shared", "1.0")) is two
    assert catalogue.by_name("redis") is entry_named(catalogue, "Redis")


def test_no_registrys_host_stands_in_the_catalogue() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in DATA.iterdir())
    for address in (npm_registry(), pypi_index()):
        domain = ".".join((urlsplit(address).hostname or "").split(".")[-2:])
        assert domain
        assert domain not in text


def test_names_that_are_everyday_words_are_marked(catalogue: Catalogue) -> None:
    for name in ("Express", "Spring", "Go", "Gin", "Click", "Flask", "Helm", "Compose", "Requests", "Celery", "Pillow", "next"):
        assert fold_name(name) in map(fold_name, entry_named(catalogue, name).words)
    assert "nextjs" not in map(fold_name, entry_named(catalogue, "Next.js").words)
    assert not entry_named(catalogue, "FastAPI").words


def test_misspelt_names_are_recognised_by_distance(catalogue: Catalogue) -> None:
    assert [entry.name for entry in catalogue.similar("sqlalchmy")] == ["SQLAlchemy"]
    assert catalogue.similar("djnago")[0].name == "Django"
    near = catalogue.similar_names("Fastfy")[0]
    assert (near.entry.name, near.name, near.distance) == ("Fastify", "fastify", 1)
    assert catalogue.similar("gni") == ()
    assert catalogue.similar("quarterly budget") == ()
    assert len(catalogue.similar("reactt", limit=1)) == 1


def test_the_package_to_read_is_the_one_with_documentation(catalogue: Catalogue) -> None:
    assert entry_named(catalogue, "AI SDK").package == PackageRef("npm", "ai")
    assert entry_named(catalogue, "Django").package == PackageRef("pypi", "django")
    assert entry_named(catalogue, "Zod").package == PackageRef("npm", "zod")
    assert entry_named(catalogue, "Polars").package == PackageRef(
        "pypi", "polars"
    )  # a Python library that has an npm package too
    assert entry_named(catalogue, "Stripe").package == PackageRef("npm", "stripe")
    assert entry_named(catalogue, "Terraform").package is None
    next_js = entry_named(catalogue, "Next.js")
    assert next_js.docs is not None
    assert (next_js.docs.since, next_js.docs.folder) == ("16.2.0", "dist/docs")


def test_every_documented_package_belongs_to_its_entry(catalogue: Catalogue) -> None:
    documented = [entry for entry in catalogue.entries if entry.docs is not None and entry.docs.package is not None]
    assert len(documented) >= 50
    for entry in documented:
        assert entry.docs is not None
        package = parse_package(entry.docs.package or "")
        assert package is not None
        assert catalogue.by_package(package) is entry


@pytest.mark.parametrize(
    ("library", "path", "version", "url"),
    [
        ("Next.js", "dist/docs/01-app/02-guides/authentication.md", None, "https://nextjs.org/docs/app/guides/authentication"),
        ("Next.js", "dist/docs/01-app/index.md", None, "https://nextjs.org/docs/app"),
        ("Next.js", "dist/docs/index.md", None, "https://nextjs.org/docs"),
        ("Next.js", "dist/docs/02-pages/02-guides/authentication.md", "16.2.0",
         "https://nextjs.org/docs/pages/guides/authentication"),
        ("Next.js", "dist/docs/01-app/03-api-reference/05-config/01-next-config-js/output.md", None,
         "https://nextjs.org/docs/app/api-reference/config/next-config-js/output"),
        ("Next.js", "README.md", None, None),
        ("Next.js", "dist/docs/../secret.md", None, None),
        ("Next.js", "dist/docs/01-app/logo.png", None, None),
        ("AI SDK", "docs/03-ai-sdk-core/05-generating-text.mdx", None, "https://ai-sdk.dev/docs/ai-sdk-core/generating-text"),
        ("AI SDK", "docs/02-foundations/index.mdx", None, "https://ai-sdk.dev/docs/foundations"),
        ("Fastify", "docs/Reference/Validation-and-Serialization.md", None,
         "https://fastify.dev/docs/latest/Reference/Validation-and-Serialization"),
        ("Fastify", "docs/index.md", None, "https://fastify.dev/docs/latest/"),
        ("Django", "docs/topics/auth/default.txt", "5.2.19", "https://docs.djangoproject.com/en/5.2/topics/auth/default/"),
        ("Django", "docs/topics/auth/index.txt", "5.2", "https://docs.djangoproject.com/en/5.2/topics/auth/"),
        ("Django", "docs/topics/auth/index.txt", None, None),
        ("Django", "docs/requirements.txt", "5.2", None),
        ("SQLAlchemy", "doc/build/orm/session_basics.rst", "2.0.36",
         "https://docs.sqlalchemy.org/en/20/orm/session_basics.html"),
        ("SQLAlchemy", "doc/build/changelog/unreleased_20/README.txt", "2.0.36", None),
        ("pytest", "doc/en/how-to/cache.rst", "9.2.0", "https://docs.pytest.org/en/stable/how-to/cache.html"),
        ("pytest", "doc/en/_getdoctarget.rst", "9.2.0", None),
        ("Flask", "docs/quickstart.rst", None, "https://flask.palletsprojects.com/en/stable/quickstart/"),
        ("Celery", "docs/includes/introduction.rst", None, None),
        ("NumPy", "doc/source/user/quickstart.rst", None, "https://numpy.org/doc/stable/user/quickstart.html"),
        ("React Router", "docs/how-to/accessibility.md", None, "https://reactrouter.com/how-to/accessibility"),
        ("React Router", "docs/index.md", None, "https://reactrouter.com/home"),
        ("Bun", "docs/snippets/cli/bunx.mdx", None, None),
        ("Mastra", "dist/docs/references/docs-agents-code-mode.md", None, None),
        ("Terraform", "docs/x.md", None, None),
    ],
)  # fmt: skip
def test_a_page_has_its_address_or_none(
    catalogue: Catalogue, library: str, path: str, version: str | None, url: str | None
) -> None:
    assert url_for(path, entry_named(catalogue, library), version) == url


def test_rules_rewrite_the_path_and_what_is_odd_is_quoted() -> None:
    docs = DocsLocation(site="https://example.org/d", rules=(("^old/", "new/"), ("^private/", None)))
    entry = Entry("X", "/a/x", "npm", "", docs=docs)
    assert url_for("old/a page.md", entry) == "https://example.org/d/new/a%20page"
    assert url_for("private/a.md", entry) is None


def test_a_users_file_stands_before_ours(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "ecosystem: npm\nentries:\n"
        "  - {name: House UI, id: /acme/house-ui, aliases: [hui], npm: ['@acme/house-ui']}\n"
        "  - {name: Next.js, id: /vercel/next.js, aliases: [our next], npm: [next], description: ours}\n"
    )
    catalogue = Catalogue.load(own)
    assert entry_named(catalogue, "HUI").id == "/acme/house-ui"
    assert entry_named(catalogue, "next.js").description == "ours"
    assert len([entry for entry in catalogue.entries if entry.id == "/vercel/next.js"]) == 1
    assert entry_named(catalogue, "Django").name == "Django"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("entries: [", "flow"),
        ("- a", "not a mapping"),
        ("entries: {}", "no list"),
        ("entries: []\nmore: 1", "more"),
        ("ecosystem: npm\nentries: [{name: X}]", "`id` is missing"),
        ("entries: [{name: X, id: /a/x}]", "`ecosystem` is missing"),
        ("ecosystem: npm\nentries: [{name: X, id: a/x}]", "no id of the form"),
        ("ecosystem: npm\nentries: [{name: X, id: /a/x, colour: red}]", "colour"),
        ("ecosystem: npm\nentries: [{name: X, id: /a/x, aliases: y}]", "`aliases` must be a list"),
        ("ecosystem: npm\nentries: [{name: X, id: /a/x, words: [y]}]", "none of its names"),
        ("ecosystem: npm\nentries: [{name: X, id: /a/x, npm: ['../y']}]", "no npm package name"),
        ("ecosystem: npm\nentries: [{name: X, id: /a/x, pypi: [A_b]}]", "no normalised PyPI name"),
        ("ecosystem: npm\nentries: [{name: X, id: /a/x, docs: {package: next}}]", "no package of the form"),
        ("ecosystem: npm\nentries: [{name: X, id: /a/x, docs: {pages: odd}}]", "`pages` must be one of"),
        ("ecosystem: npm\nentries: [{name: X, id: /a/x, docs: {rules: [['(', x]]}}]", "no regular expression"),
        ("ecosystem: npm\nentries: [{name: X, id: /a/x, docs: {rules: [x]}}]", "a rule is a pair"),
    ],
)
def test_a_file_of_another_form_is_refused_with_its_path_and_the_reason(tmp_path: Path, text: str, why: str) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        Catalogue.load(own)
    assert str(own) in caught.value.what
    assert why in caught.value.why


def test_a_missing_users_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be used"):
        Catalogue.load(tmp_path / "absent.yaml")


def test_two_entries_with_one_folded_name_are_refused() -> None:
    entries = [Entry("Fast API", "/a/x", "npm", ""), Entry("X", "/a/y", "npm", "", aliases=("fast-api",))]
    with pytest.raises(ConfigurationError, match="share the name fastapi"):
        refuse_shared(entries)
    with pytest.raises(ConfigurationError, match="share the"):
        refuse_shared([Entry("X", "/a/x", "npm", ""), Entry("X", "/a/x", "npm", "")])
