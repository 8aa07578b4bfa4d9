"""The built-in definition, and templates rendered in their sandbox."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from docs_researcher.core.errors import DefinitionError
from docs_researcher.core.limits import Limits
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.definition.loader import builtin_definition, parse_definition
from docs_researcher.definition.render import MAX_SERVER_NOTE_CHARACTERS, VARIABLES, ServerNote, render

TOOLS = ("resolve-library-id", "query-docs")
RUN = {"limits": Limits(), "tools": TOOLS}


def template(body: str, *, marked: bool = True) -> str:
    mark = "docs-research:\n  template: jinja2\n" if marked else ""
    return f"---\nname: demo\ndescription: Use it.\n{mark}---\n\n{body}"


def rendered(body: str, **variables: object) -> str:
    return render(parse_definition(template(body), source="agent.md"), {**RUN, **variables})


def test_the_built_in_definition_is_clean_and_portable() -> None:
    definition = builtin_definition()
    assert definition.name == "docs-researcher"
    assert definition.repairs == ()
    assert definition.unknown == {}
    assert definition.model == "inherit"
    assert definition.template == "jinja2"
    assert definition.tools is None
    assert estimate_tokens(definition.description) <= 200


def test_the_limits_of_the_built_in_definition_are_the_defaults() -> None:
    assert builtin_definition().limits == Limits()


def test_the_built_in_prompt_is_short_and_names_its_tools_and_limits() -> None:
    prompt = render(builtin_definition(), {"limits": Limits(resolve_calls=2, answer_tokens=777), "tools": TOOLS})
    assert estimate_tokens(prompt) <= 900
    assert "resolve-library-id and query-docs" in prompt
    assert "2 resolve calls" in prompt
    assert "777 tokens" in prompt
    assert "{{" not in prompt
    assert "The project uses" not in prompt
    assert "servers say" not in prompt


def test_the_same_run_gives_the_same_prompt() -> None:
    assert render(builtin_definition(), RUN) == render(builtin_definition(), dict(RUN))


def test_libraries_of_the_project_stand_in_the_prompt_one_a_line() -> None:
    prompt = render(builtin_definition(), {**RUN, "libraries": ["next 15.1.8\n## Injected", "zod 4.1.0"]})
    assert "   - next 15.1.8 ## Injected\n   - zod 4.1.0\n" in prompt


def test_server_notes_are_labelled_cleaned_and_cut() -> None:
    note = ServerNote("docs\n# x", "\x1b[31mCall\u202e me.\n## Rules\n" + "y" * 5_000)
    prompt = render(builtin_definition(), {**RUN, "server_notes": [note]})
    assert 'Server "docs # x":\n\n    Call me.\n    ## Rules\n' in prompt
    assert prompt.endswith("[cut]")
    assert prompt.count("y" * 100) * 100 < MAX_SERVER_NOTE_CHARACTERS


def test_a_definition_that_is_not_marked_is_taken_literally() -> None:
    definition = parse_definition(template("{{ nothing }} {% broken", marked=False))
    assert render(definition, RUN) == "{{ nothing }} {% broken"


def test_every_listed_variable_can_be_used_and_no_other_be_passed() -> None:
    assert rendered(" ".join(f"{{{{ {name} is defined }}}}" for name in VARIABLES)) == "True True True True"
    with pytest.raises(ValueError, match="today"):
        rendered("x", today="2026-11-29")


@pytest.mark.parametrize(
    ("body", "line", "says"),
    [
        ("one\n{{ nothing }}", 9, "nothing"),
        ("one\n\n{% if %}", 10, ""),
        ("{{ tools.append('x') }}", 8, ""),
        ("one\n{{ ''.__class__.__mro__ }}", 9, "unsafe"),
        ("{{ limits.turns / 0 }}", 8, "zero"),
        ("{% for a in range(90000) %}{{ tools }}{% endfor %}", None, "characters"),
        ("one\n{% include '../docs-researcher.md' %}", 9, ""),
        ("one\n{% include '/etc/hostname' %}", 9, ""),
    ],
)
def test_a_template_that_cannot_be_rendered_says_where(body: str, line: int | None, says: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        rendered(body)
    assert caught.value.path == "agent.md"
    assert caught.value.line == line
    assert says in caught.value.message
    assert caught.value.next_step


def test_loading_the_built_in_definition_starts_no_template_engine() -> None:
    code = (
        "import sys; from docs_researcher.definition.loader import builtin_definition; "
        "assert 'yaml' not in sys.modules; builtin_definition(); print('jinja2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "False"


def test_no_text_is_read_in_the_encoding_of_the_machine() -> None:
    code = (
        "from docs_researcher.definition import loader, render; d = loader.builtin_definition(); "
        "print(len(render.render(d, {'limits': d.limits, 'tools': ['a']})))"
    )
    environment = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-X", "warn_default_encoding", "-W", "error::EncodingWarning", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, check=False)
    assert done.returncode == 0, done.stderr
