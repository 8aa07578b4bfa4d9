"""A package without a guide is read with the example programs that it ships, and with what it passes on of its own parts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest

from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.acquiring.notices import coverage_notices
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.readers.examples import MAX_EXAMPLE_BYTES, example_page, example_pages, is_example
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.library.catalogue import Catalogue
from loopback_npm import Files, LoopbackNpm, npm_registry, page


def needing(package: str, range: str) -> str:
    return json.dumps({"types": "index.d.ts", "dependencies": {package: range}})


PROGRAM = """#!/usr/bin/env node
/**
 * Stop a turbine in a storm.
 *
 * Brakes are released afterwards.
 */
import { brake } from "turbine";

brake();
release();
"""
DECLARED = '{"types": "index.d.ts"}'
PACKAGES: Mapping[str, Mapping[str, Files]] = {
    "turbine": {
        "1.0.0": {
            "package.json": DECLARED,
            "README.md": page("turbine", "Spins."),
            "index.d.ts": "/** Brakes. */\nexport function brake(): void;\n",
            "examples/storm.ts": PROGRAM,
            "examples/node_modules/other/use.js": PROGRAM,
            "examples/storm.test.ts": PROGRAM,
        }
    },
    "guided": {
        "1.0.0": {
            "docs/use.md": page("Use", "Turn it."),
            "examples/storm.ts": PROGRAM,
            "EXAMPLES.md": page("Examples", "Storms."),
        }
    },
    "mill": {
        "3.1.0": {
            "package.json": needing("@mill/core", "3.1.0"),
            "index.d.ts": "export * from '@mill/core';\nexport * from 'stranger';\nexport declare function mill(): void;\n",
        }
    },
    "@mill/core": {
        "3.0.0": {"package.json": DECLARED, "index.d.ts": "/** The old stone. */\nexport function grind(): void;\n"},
        "3.1.0": {
            "package.json": needing("@mill/stone", "^2.0.0"),
            "index.d.ts": "export * from '@mill/stone';\n/** Grinds. */\nexport function grind(): void;\n",
        },
        "4.0.0": {"package.json": DECLARED, "index.d.ts": "/** A new stone. */\nexport function grind(): void;\n"},
    },
    "@mill/stone": {
        "2.4.0": {"package.json": DECLARED, "index.d.ts": "/** Sharpens a stone. */\nexport function sharpen(): void;\n"}
    },
    "weave": {
        "1.0.0": {
            "package.json": needing("@weave/loom", "1.0.0"),
            "index.d.ts": (
                "import { knot as knot$1 } from '@weave/loom';\n"
                "export { thread, spin as twist } from '@weave/loom';\n"
                "export type { Hidden } from 'stranger';\n"
                "export declare const knot: typeof knot$1;\n"
            ),
        }
    },
    "@weave/loom": {
        "1.0.0": {
            "package.json": DECLARED,
            "index.d.ts": "".join(
                f"/** Does a {name}. */\nexport declare function {name}(): void;\n" for name in ("knot", "thread", "spin", "own")
            ),
        }
    },
    "lamp": {
        "1.0.0": {
            "package.json": needing("lamp-element", "1.0.0"),
            "index.d.ts": "export * from 'lamp-element/bulb.js';\nexport * from 'lamp-element/wick.js';\n",
        }
    },
    "lamp-element": {
        "1.0.0": {
            "package.json": json.dumps(
                {"exports": {".": "./index.js", "./bulb.js": "./lib/bulb.js", "./wick.js": "./lib/wick.js"}}
            ),
            "index.d.ts": "/** Of its own. */\nexport declare function inner(): void;\n",
            "lib/bulb.d.ts": "/** Shines. */\nexport declare function shine(): void;\n",
            "lib/wick.d.ts": "/** Burns. */\nexport declare function burn(): void;\n",
        }
    },
    "rig": {
        "2.1.0": {
            "package.json": json.dumps({"types": "index.d.ts", "peerDependencies": {"@rig/core": "^2.0.0"}}),
            "index.d.ts": "export * from '@rig/core';\n",
        }
    },
    "@rig/core": {"2.3.0": {"package.json": DECLARED, "index.d.ts": "/** Hoists. */\nexport function hoist(): void;\n"}},
    "@types/rig": {
        "1.0.0": {"package.json": DECLARED, "index.d.ts": "/** Of long ago. */\ndeclare function heave(): void;\n"},
        "2.0.0": {"package.json": DECLARED, "index.d.ts": "/** Lowers. */\ndeclare function lower(): void;\n"},
    },
    "flock": {"7.0.0": {"package.json": json.dumps({"dependencies": {f"flock-{n}": "1" for n in range(12)}}), "index.js": ""}},
    "@types/flock": {
        "7.0.0": {
            "package.json": json.dumps({"types": "index.d.ts", "dependencies": {f"@types/flock-{n}": "*" for n in range(12)}}),
            "index.d.ts": "".join(f"export * from 'flock-{n}';\n" for n in range(10)),
        }
    },
    **{
        f"@types/flock-{n}": {
            "1.0.0": {"package.json": DECLARED, "index.d.ts": f"/** Flies {n}. */\nexport function fly{n}(): void;\n"}
        }
        for n in range(12)
    },
    "flat-es": {"1.0.0": {"index.js": ""}},
    "@types/flat-es": {
        "1.0.0": {
            "package.json": json.dumps({"types": "index.d.ts", "dependencies": {"@types/flat": "*"}}),
            "index.d.ts": "export { default as fold } from './fold';\n",
            "fold.d.ts": "import { fold } from 'flat';\nexport default fold;\n",
        }
    },
    "@types/flat": {
        "1.0.0": {
            "package.json": DECLARED,
            "index.d.ts": "export = _;\ndeclare const _: Flat;\ninterface Flat {\n  /** Folds. */\n  fold(): void;\n}\n",
        }
    },
    "stranger": {"1.0.0": {"package.json": DECLARED, "index.d.ts": "/** Not of it. */\nexport function alien(): void;\n"}},
}


@pytest.fixture
def npm(home: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    with npm_registry(monkeypatch, PACKAGES) as registry:
        yield registry


def add(package: str) -> tuple[BuildReport, list[str]]:
    store = Store()
    report = add_source(package, store=store, catalogue=Catalogue.load())
    return report, [path for path, _ in store.open(report.installed).pages()]


def test_example_programs_are_pages_beside_readme_and_declarations(npm: LoopbackNpm) -> None:
    report, pages = add("npm:turbine")
    assert pages == ["README.md", "examples/storm.ts", "index.d.ts"]
    assert report.installed.meta.coverage == "examples"
    assert "README, declarations and example programs" in coverage_notices(report.installed)[0].text
    hit = Store().open(report.installed).search("stop in a storm").hits[0]
    assert (hit.path, hit.title) == ("examples/storm.ts", "Example: Stop a turbine in a storm")
    assert "Brakes are released afterwards." in hit.content
    assert 'import { brake } from "turbine";' in hit.content


def test_a_guide_makes_example_programs_needless_and_pages_beside_it_are_read(npm: LoopbackNpm) -> None:
    assert add("npm:guided")[1] == ["EXAMPLES.md", "docs/use.md"]


def test_what_a_package_passes_on_whole_of_what_it_needs_is_read_under_its_name(npm: LoopbackNpm) -> None:
    report, pages = add("npm:mill")
    assert pages == ["index.d.ts", "node_modules/@mill/core/index.d.ts", "node_modules/@mill/stone/index.d.ts"]
    found = Store().open(report.installed)
    assert "Grinds." in found.search("grind").hits[0].content
    assert found.search("sharpen").hits[0].title == "mill: @mill/stone"
    assert "The old stone" not in " ".join(piece.content for piece in found.pieces())


def test_single_names_that_a_package_passes_on_are_read_under_the_names_that_it_gives_them(npm: LoopbackNpm) -> None:
    report, pages = add("npm:weave")
    assert pages == ["node_modules/@weave/loom/index.d.ts"]
    text = "\n".join(piece.content for piece in Store().open(report.installed).pieces())
    assert [name for name in ("knot", "thread", "twist", "spin", "own") if f"function {name}()" in text] == [
        "knot",
        "thread",
        "twist",
    ]
    assert not any("stranger" in path for path in npm.downloads)


def test_entry_points_of_another_package_are_passed_on_without_the_rest_of_it_and_fetched_once(npm: LoopbackNpm) -> None:
    report, pages = add("npm:lamp")
    assert pages == ["node_modules/lamp-element/lib/bulb.d.ts", "node_modules/lamp-element/lib/wick.d.ts"]
    assert sum("lamp-element" in path for path in npm.downloads) == 1
    assert Store().open(report.installed).search("shine").hits[0].title == "lamp: lamp-element"


def test_few_declarations_are_read_with_the_types_for_the_same_major_version_and_peers_are_passed_on(npm: LoopbackNpm) -> None:
    report, pages = add("npm:rig")
    assert pages == ["node_modules/@rig/core/index.d.ts", "node_modules/@types/rig/index.d.ts"]
    text = "\n".join(piece.content for piece in Store().open(report.installed).pieces())
    assert "Hoists." in text
    assert "Lowers." in text
    assert "Of long ago." not in text


def test_all_parts_of_a_package_of_packages_are_read_from_their_types(npm: LoopbackNpm) -> None:
    report, pages = add("npm:flock")
    assert set(pages) == {f"node_modules/@types/flock-{n}/index.d.ts" for n in range(12)}
    assert Store().open(report.installed).search("fly7").hits[0].title == "flock: flock-7"


def test_names_that_another_package_holds_in_one_object_are_read_with_all_of_it(npm: LoopbackNpm) -> None:
    report, pages = add("npm:flat-es")
    assert pages == ["node_modules/@types/flat/index.d.ts"]
    assert "Folds." in Store().open(report.installed).search("fold").hits[0].content


def test_a_package_that_is_only_imported_and_not_needed_is_not_fetched(npm: LoopbackNpm) -> None:
    add("npm:mill")
    assert not any("stranger" in path for path in npm.downloads)


@pytest.mark.parametrize(
    ("code", "title"),
    [
        ('"""Read a meter."""\nimport meter\n\nmeter.read()\n', "Example: Read a meter"),
        ("# Copyright 2020 Somebody\n# Read a meter\nimport meter\nmeter.read()\n", "Example: Read a meter"),
        ("# /// script\n# dependencies = []\n# ///\nimport meter\n\nmeter.read()\n", "Example: read meter"),
        ("# -*- coding: utf-8 -*-\nimport meter\n\nmeter.read()\n", "Example: read meter"),
        ('"""Example of a meter."""\nimport meter\nmeter.read()\nmeter.stop()\n', "Example of a meter"),
        ("def broken(:\n    pass\n\nmeter.read()\n", "Example: read meter"),
    ],
)
def test_an_example_is_called_after_what_it_opens_with(code: str, title: str) -> None:
    read = example_page("examples/read_meter.py", code.encode())
    assert read is not None
    assert read.title == title
    assert code.strip() in "\n".join(block.text for block in read.blocks)


def test_what_shows_nothing_is_no_page_and_what_is_large_is_counted() -> None:
    skipped: list[Skipped] = []
    files = {"examples/a.py": b"x = 1\n", "examples/b.py": b"x\n" * MAX_EXAMPLE_BYTES, "examples/c.py": b"\xff\x00\xfe" * 9}
    assert example_pages(files, skipped) == []
    assert [(item.path, item.reason) for item in skipped] == [("examples/b.py", "an example of more than 40 kB")]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("examples/a.py", True),
        ("example/deep/a.tsx", True),
        ("demo/a.mjs", True),
        ("src/examples/a.py", False),
        ("examples/__init__.py", False),
        ("examples/vite.config.ts", False),
        ("examples/types.d.ts", False),
        ("examples/.hidden/a.py", False),
        ("examples/data.csv", False),
        ("examples.py", False),
    ],
)
def test_examples_are_programs_in_a_folder_of_that_name_at_the_root(path: str, expected: bool) -> None:
    assert is_example(path) is expected
