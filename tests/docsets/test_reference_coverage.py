"""A library whose package ships no guide is answered from its README and declarations, and that is said."""

from __future__ import annotations

import asyncio
import io
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from docs_researcher.core.errors import NoDocumentation
from docs_researcher.docsets.acquiring.acquire import Acquired, Acquirer, FetchPolicy
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.acquiring.notices import coverage_notices
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources.pypi import PypiSource
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry
from docs_researcher.tools.local import LocalProvider
from loopback_npm import Files, LoopbackNpm, npm_registry, page

DECLARED = "/** Compiles a shader. */\nexport declare function compileShader(source: string): Program;\n"
TYPED = '{"types": "index.d.ts"}'
MANY = "".join(f"/** Adds {unit}. */\nexport declare function add{unit}(): Date;\n" for unit in (f"Unit{n}" for n in range(40)))
PACKAGES: Mapping[str, Mapping[str, Files]] = {
    "typed": {"1.0.0": {"package.json": '{"types": "index.d.ts"}', "README.md": page("Typed", "Small."), "index.d.ts": DECLARED}},
    "guided": {"1.0.0": {"docs/use.md": page("Use", "Read this."), "README.md": page("G", "x"), "index.d.ts": DECLARED}},
    "plain": {"3.1.0": {"README.md": page("Plain", "Only words."), "index.js": "x"}},
    "untyped": {"2.1.0": {"README.md": page("Untyped", "Small."), "index.js": "x"}},
    "@types/untyped": {
        "2.1.4": {"index.d.ts": DECLARED},
        "2.2.0": {"index.d.ts": ""},
        "3.0.1": {"index.d.ts": "export declare function tooNew(): void;"},
    },
    "noted": {
        "1.0.0": {
            "PACKAGE.md": "Implements its core.",
            "README.md": page("Noted", "Small."),
            "package.json": TYPED,
            "index.d.ts": DECLARED,
        }
    },
    "aged": {"1.1.5": {"README.md": page("Aged", "Small."), "index.js": "x", "docs/C:odd.md": "A name that is refused."}},
    "@types/aged": {"8.18.1": {"index.d.ts": DECLARED}},
    "@scope/part": {"1.0.0": {"index.js": "x"}},
    "@types/scope__part": {"1.0.4": {"index.d.ts": DECLARED}},
    "sided": {
        "1.0.0": {
            "package.json": '{"exports": {".": "./index.mjs", "./browser": {"types": "./browser.d.ts"}}}',
            "index.mjs": "x",
            "browser.d.ts": "/** In a browser. */\nexport declare function inBrowser(): void;\n",
        }
    },
    "@types/sided": {"1.0.2": {"index.d.ts": DECLARED}},
    "dates": {"1.0.0": {"docs/zones.md": page("Time zones", "Clocks differ."), "package.json": TYPED, "index.d.ts": MANY}},
    "named": {"1.0.0": {"docs/use.md": page("Use", MANY), "package.json": TYPED, "index.d.ts": MANY}},
    "shown": {"1.0.0": {"docs/examples/README.md": page("Run it", "Now."), "package.json": TYPED, "index.d.ts": DECLARED}},
    "moved": {
        "1.0.0": {
            "README.md": page("Moved", "Small."),
            "UPGRADING.md": page("Upgrading", "Rename it."),
            "lib/dialects/NOTES.md": page("Dead code", "Remove it."),
            "package.json": TYPED,
            "index.d.ts": DECLARED,
        }
    },
    "hollow": {"1.0.0": {"index.js": "x"}},
}


@dataclass(frozen=True)
class Release:
    name: str = "acme"
    version: str = "2.0.1"
    date: str | None = "2026-03-18"


@pytest.fixture
def npm(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    with npm_registry(monkeypatch, PACKAGES) as registry:
        yield registry


def acquire(name: str) -> Acquired:
    return Acquirer(Store(), Catalogue.load(), FetchPolicy(yes=True)).acquire(f"/npm/{name}")


def found(acquired: Acquired, query: str) -> list[tuple[str, str]]:
    return [(hit.path, hit.heading) for hit in Store().open(acquired.installed).search(query).hits]


def said(acquired: Acquired) -> list[str]:
    return [notice.text for notice in acquired.notices if notice.code == "reference_only"]


def test_declarations_and_readme_answer_for_a_package_without_a_guide(npm: LoopbackNpm) -> None:
    first = acquire("typed")
    assert found(first, "compile a shader")[0] == ("index.d.ts", "compileShader")
    assert found(first, "small")[0][0] == "README.md"
    assert said(first) == ["The package of typed ships no guide; its README and declarations are searched instead."]
    again = acquire("typed")
    assert said(again) == said(first), "it is said each time, not only when it is fetched"


def test_a_website_in_the_catalogue_is_named_with_the_command_that_reads_it(npm: LoopbackNpm) -> None:
    installed = acquire("plain").installed
    entry = Entry("Plain Sail", "/plain/plain", "npm", "", website="https://plain.example/docs/")
    fact, advice = coverage_notices(installed, entry)
    assert (fact.code, advice.code) == ("reference_only", "guide_elsewhere")
    assert "is at plain.example/docs; to read it: docs-research add plain.example/docs --crawl" in advice.text
    assert advice.text.endswith("--name 'Plain Sail'")
    assert coverage_notices(installed, entry, tried=True) == (fact,), "what could not be read just now is not advised"


def test_a_guide_needs_no_declarations_and_no_word_about_them(npm: LoopbackNpm) -> None:
    acquired = acquire("guided")
    assert acquired.installed.meta.pages == 2
    assert said(acquired) == []


def test_notes_on_upgrades_and_notes_beside_the_sources_are_no_guide(npm: LoopbackNpm) -> None:
    acquired = acquire("moved")
    assert acquired.installed.meta.pages == 4
    assert said(acquired) == ["The package of moved ships no guide; its README and declarations are searched instead."]


def test_a_remark_beside_the_readme_is_no_guide(npm: LoopbackNpm) -> None:
    acquired = acquire("noted")
    assert {path for path, _ in found(acquired, "implements core")} == {"PACKAGE.md"}
    assert said(acquired) == ["The package of noted ships no guide; its README and declarations are searched instead."]


def test_a_package_with_nothing_but_a_readme_says_so(npm: LoopbackNpm) -> None:
    assert said(acquire("plain")) == ["The package of plain ships no guide; its README is searched instead."]


def test_the_types_package_of_the_same_major_version_stands_in(npm: LoopbackNpm) -> None:
    acquired = acquire("untyped")
    assert found(acquired, "compile a shader")[0] == ("node_modules/@types/untyped/index.d.ts", "compileShader")
    assert acquired.installed.version == "2.1.0"
    assert "archives/@types/untyped/2.1.4.tgz" in npm.downloads


def test_types_of_another_major_version_are_not_read_and_named_first_among_what_is_left_out(npm: LoopbackNpm) -> None:
    acquired = acquire("aged")
    assert {path for path, _ in found(acquired, "compile a shader small")} == {"README.md"}
    first = Store().open(acquired.installed).skipped()[0]
    assert first == ("@types/aged", "its newest types are those of version 8.18.1, and this is 1.1.5")


def test_a_page_of_another_package_is_cited_as_that_package(npm: LoopbackNpm) -> None:
    acquire("untyped")
    provider = LocalProvider(Store(), Catalogue.load(), policy=FetchPolicy(offline=True))
    outcome = asyncio.run(provider.call("query-docs", {"libraryId": "/npm/untyped", "query": "compile a shader"}))
    assert "Source: pkg:npm/%40types/untyped@2.1.4#index.d.ts" in outcome.text
    assert "pkg:npm/untyped@2.1.0#index.d.ts" not in outcome.text


def test_the_types_package_stands_in_where_only_another_entry_point_is_declared(npm: LoopbackNpm) -> None:
    acquired = acquire("sided")
    assert found(acquired, "compile a shader")[0] == ("node_modules/@types/sided/index.d.ts", "compileShader")
    assert found(acquired, "browser")[0][1] == "inBrowser"


def test_a_guide_that_names_little_of_the_api_leaves_it_to_the_declarations(npm: LoopbackNpm) -> None:
    acquired = acquire("dates")
    assert found(acquired, "time zones")[0][0] == "docs/zones.md"
    assert "addUnit7" in found(acquired, "addUnit7")[0][1]
    assert said(acquired) == []
    assert acquire("named").installed.meta.pages == 1, "a guide that names all of it needs no declarations"


def test_a_docs_folder_with_nothing_but_the_readme_of_an_example_is_no_guide(npm: LoopbackNpm) -> None:
    acquired = acquire("shown")
    assert found(acquired, "compile a shader")[0][1] == "compileShader"
    assert said(acquired) != []


def test_the_types_package_of_a_scoped_name_is_found(npm: LoopbackNpm) -> None:
    assert found(acquire("@scope/part"), "compile a shader")[0][1] == "compileShader"


def test_a_package_with_nothing_to_read_is_named_with_what_to_do(npm: LoopbackNpm) -> None:
    with pytest.raises(NoDocumentation, match="hollow ships no documentation") as caught:
        acquire("hollow")
    assert "docs-research add" in caught.value.next_step


CODE = 'class Client:\n    """Talks to the broker."""\n\n    def send(self, body):\n        """Send one message."""\n'


def sdist(path: Path, files: Mapping[str, str]) -> Path:
    with tarfile.open(path / "acme-2.0.1.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(f"acme-2.0.1/{name}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return path / "acme-2.0.1.tar.gz"


def test_docstrings_answer_for_an_sdist_without_a_docs_folder(tmp_path: Path, store: Store) -> None:
    archive = sdist(tmp_path, {"README.md": "# Acme\n\nHi.\n", "src/acme/__init__.py": CODE, "tests/test_x.py": CODE})
    report = build_docset(PypiSource(Release(), archive), store)
    assert report.installed.meta.coverage == "reference"
    [hit, *_] = store.open(report.installed).search("send one message").hits
    assert (hit.path, hit.title) == ("src/acme/__init__.py", "acme")
    assert "```python\ndef send(body)\n```\n\nSend one message." in hit.content


def test_docstrings_of_a_namespace_package_answer_under_its_whole_name(tmp_path: Path, store: Store) -> None:
    files = {"README.md": "# Acme\n\nHi.\n", "acme/types.py": CODE, "acme/graph/__init__.py": "", "bench/__init__.py": CODE}
    report = build_docset(PypiSource(Release(), sdist(tmp_path, files)), store)
    hits = store.open(report.installed).search("send one message").hits
    assert [(hit.path, hit.title) for hit in hits] == [("acme/types.py", "acme.types")]


def test_docstrings_stand_beside_a_guide_that_names_little_of_the_api(tmp_path: Path, store: Store) -> None:
    code = "".join(f'def measure{n}():\n    """Measure number {n}."""\n' for n in range(40))
    archive = sdist(tmp_path, {"docs/about.md": "# About\n\nWhy it is.\n", "acme/__init__.py": code})
    docset = store.open(build_docset(PypiSource(Release(), archive), store).installed)
    assert docset.search("measure7").hits[0].heading == "acme.measure7"
    assert docset.search("why it is").hits[0].path == "docs/about.md"


def test_what_a_guide_leaves_to_autodoc_is_filled_in(tmp_path: Path, store: Store) -> None:
    pages = {"docs/api.rst": "API\n===\n\n.. currentmodule:: acme\n\n.. autoclass:: Client\n   :members:\n"}
    code = CODE + '\n\nclass Other:\n    """Not asked for."""\n'
    report = build_docset(PypiSource(Release(), sdist(tmp_path, {**pages, "acme/__init__.py": code})), store)
    docset = store.open(report.installed)
    assert report.installed.meta.coverage == ""
    assert docset.search("send one message").hits[0].path == "acme/__init__.py"
    assert all("Other" not in piece.heading for piece in docset.pieces())


def test_a_wheel_gives_its_readme_and_docstrings(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "acme-2.0.1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("acme/__init__.py", CODE)
        wheel.writestr(
            "acme-2.0.1.dist-info/METADATA",
            "Name: acme\nSummary: Does things\nDescription-Content-Type: text/markdown\n\n# Acme\n\nStart the turbine.\n",
        )
    report = build_docset(PypiSource(Release(), path), store)
    docset = store.open(report.installed)
    assert docset.meta.description == "Does things"
    assert docset.search("start the turbine").hits[0].path == "README.md"
    assert docset.search("send one message").hits[0].path == "acme/__init__.py"


@pytest.mark.registry
@pytest.mark.parametrize(
    ("package", "query", "heading"),
    [
        ("npm:react", "useState stateful value", "useState"),
        ("npm:hono", "CORS middleware", "cors"),
        ("pypi:requests", "sends a PUT request", "requests.put"),
    ],
)
def test_well_known_libraries_without_a_guide_are_answered(home: Path, package: str, query: str, heading: str) -> None:
    from docs_researcher.docsets.acquiring.add import add_source

    report = add_source(package, store=Store(), catalogue=Catalogue.load())
    assert report.installed.meta.coverage == "reference"
    headings = [hit.heading for hit in Store().open(report.installed).search(query).hits[:3]]
    assert any(heading in names.split(" / ") for names in headings), headings
