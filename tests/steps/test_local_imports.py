"""Code that takes something from a file beside it: what it takes, which block defines it, and that both are shown."""

from __future__ import annotations

from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.local_imports import defines, is_stub, local_imports, words_for_what_is_missing
from docs_researcher.steps.answer.summarise import ConceptEvidence, summarise

FORM = "import { signUp } from '@/app/actions/auth'\nimport { useState } from 'react'\n\nexport function Form() {\n  signUp()\n}"
ACTION = "export async function signUp(form) {\n  await save(form)\n}"


def passage(code: str, heading: str, path: str = "docs/auth.md") -> Passage:
    content = f"To sign a visitor up, use the {heading}:\n\n```ts\n{code}\n```\n"
    return Passage(f"Authentication > {heading}", content, f"pkg:npm/acme#{path}", "/acme/acme", path=path, confidence=1.0)


def test_only_names_from_files_beside_it_count() -> None:
    code = "import fs from 'node:fs'\nimport Form, { type Props, b as c } from './form'\nimport '../x.css'\nimport x from '~/y'"
    assert local_imports(code) == (("Form", "form"), ("Props", "form"), ("c", "form"), ("x", "y"))
    assert local_imports("import os\nfrom .models import User, Group\nfrom flask import Flask") == (
        ("User", "models"),
        ("Group", "models"),
    )


def test_a_function_without_a_body_defines_nothing() -> None:
    assert defines(ACTION, "signUp")
    assert defines("const signUp = 1", "signUp")
    assert defines("def sign_up(form):\n    pass", "sign_up")
    assert not defines("export async function signUp(form: FormData) {}", "signUp")
    assert not defines("signUp()", "signUp")
    assert is_stub("export async function signUp(form: FormData) {\n  // later\n}")
    assert not is_stub(ACTION)


def test_what_is_imported_and_defined_nowhere_is_looked_up() -> None:
    assert words_for_what_is_missing([passage(FORM, "form")]) == "define signUp app/actions/auth"
    assert words_for_what_is_missing([passage(FORM, "form"), passage(ACTION, "action")]) is None
    assert words_for_what_is_missing([passage("x()", "call"), passage(FORM, "form", "docs/other.md")]) is None


def test_the_block_that_defines_what_a_shown_one_imports_is_shown_too() -> None:
    found = (passage(FORM, "form"), passage(ACTION, "action"))
    question = "How do I build a sign-up form?"
    text = summarise(question, [ConceptEvidence(question, found)], budget=1_500, library=None).text
    assert FORM in text
    assert ACTION in text


def page(*codes: str, language: str = "py") -> tuple[Passage, ...]:
    return tuple(
        Passage(
            f"Logging > Part {number}",
            f"{words}:\n\n```{language}\n{code}\n```\n",
            "pkg:pypi/acme#docs/logging.md",
            "/acme/acme",
            path="docs/logging.md",
            confidence=1.0,
            score=score,
        )
        for number, (words, code, score) in enumerate(
            zip(
                ("Rotate the file of a log every night", "Unrelated beginnings of something else"), codes, (5.0, 1.0), strict=True
            )
        )
    )


def answered(passages: tuple[Passage, ...]) -> str:
    question = "Acme: how do I rotate the file of a log every night?"
    return summarise(question, [ConceptEvidence(question, passages)], budget=600, library=None).text


def test_the_import_that_another_example_of_the_page_holds_is_shown_with_the_code_that_needs_it() -> None:
    text = answered(
        page('logger.add("a.log", rotation="00:00")', "import os\nfrom acme import logger, nothing\n\nlogger.debug(os.name)")
    )
    assert 'logger.add("a.log"' in text
    assert "Imported in another example of the page:\n\n```py\nfrom acme import logger, nothing\n```" in text
    assert "import os" not in text


def test_code_that_imports_or_defines_what_it_uses_gets_no_further_imports() -> None:
    other = "from acme import logger\n\nlogger.debug(1)"
    for code in ("from acme import logger\nlogger.add()", "logger = make()\nlogger.add()", "def run(logger):\n    logger.add()"):
        assert "Imported in another example" not in answered(page(code, other))


def test_an_import_of_types_is_not_shown_with_javascript() -> None:
    other = "import acme, { type Options } from 'acme'\n\nacme.run()"
    assert "Imported in another example" not in answered(page("acme.rotate('night')", other, language="js"))
    assert "import acme, { type Options } from 'acme'" in answered(page("acme.rotate('night')", other, language="ts"))


def test_a_name_that_the_page_imports_from_several_packages_is_left_to_the_reader() -> None:
    other = "import { rotate } from '@acme/react'\n\nimport { rotate } from '@acme/vue'\n"
    assert "Imported in another example" not in answered(page("rotate('night')", other, language="ts"))
