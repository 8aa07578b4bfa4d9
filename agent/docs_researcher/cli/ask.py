"""`docs-research ask`, which is also what a question without a command's name runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from docs_researcher.cli.commands import COMMANDS, PATH, DocsCommand, common_options
from docs_researcher.cli.output import Output
from docs_researcher.cli.project_options import project_folder, project_options
from docs_researcher.cli.question import read_question
from docs_researcher.cli.research_options import research_options
from docs_researcher.core.answer import Answer
from docs_researcher.core.errors import UsageError

MAX_QUESTIONS_BACK = 3
"""How often a terminal is asked back about one question. More would be an interview."""


@click.command("ask", cls=DocsCommand)
@click.argument("words", metavar="QUESTION", nargs=-1, required=True)
@click.option("--library", metavar="LIB", help="Fix the library: a name, name@version, a purl or an id.")
@research_options("docs_from")
@click.option(
    "--server", metavar="NAME", help="Ask this MCP server out of `docs-research mcp list`; short for --docs-from mcp:NAME."
)
@click.option("--no-cache", "cache", flag_value=False, default=True, help="Ask MCP servers again for what they said before.")
@research_options(
    *("model", "answer_tokens", "turns", "seconds", "strict_version", "offline", "yes", "agent", "config"),
    seconds={"help": "The most time that the question may take, a first fetch included.  [default: 55, and a first fetch]"},
)
@click.option("--trace", type=PATH, metavar="FILE", help="Write the transcript to this file.")
@click.option("--markdown", is_flag=True, help="Print plain Markdown on a terminal too.")
@project_options
@common_options
@click.pass_obj
def ask_command(output: Output, words: tuple[str, ...], markdown: bool, server: str | None, **options: Any) -> int:
    """Ask a question and get one short, cited answer.

    QUESTION is one quoted argument or several words, of 20,000 characters at most; `-` reads it from stdin. The name of this
    command may be left out.

    \b
    Examples:
      docs-research "How do I validate a query string in fastify 5?"
      docs-research "How do redirects work?" --library next@15 --json
      echo "How do I sign a request?" | docs-research ask - --library relay
    """  # noqa: D301 - click wants the character itself
    from docs_researcher.cli.progress import Narrator

    options["project_dir"] = project_folder(options["project_dir"], options.pop("no_project"))
    if server is not None:
        if options["docs_from"] is not None:
            raise UsageError("--server and --docs-from were both given", next_step="Give one of them.")
        options["docs_from"] = f"mcp:{server}"
    question = read_question(words)
    _point_to_command(question, output)
    with Narrator(output, answer_follows=True) as narrator:
        answer = _researched(question, output, narrator, options)
    from docs_researcher.cli.answer_view import show_answer

    show_answer(answer, output, plain=markdown, said=narrator.said)
    return answer.exit_code


def _point_to_command(question: str, output: Output) -> None:
    """Tell somebody who misspelt a command that the one word was read as a question."""
    if not question.isalpha():
        return
    from difflib import get_close_matches

    for name in get_close_matches(question.lower(), COMMANDS, n=1):
        output.note(f"{question} is no command and was read as a question. Did you mean: docs-research {name}")


def _researched(question: str, output: Output, narrator: Any, options: dict[str, Any]) -> Answer:
    """Research, and at a terminal ask back what the answer needs and go on with the reply."""
    from docs_researcher.cli.asking import choose, confirm_after, library_in, settled
    from docs_researcher.runtime.research import research_sync

    given, notices = settled(options)
    place = str(given["docs_from"])
    if place.startswith("mcp:") and output.may_ask:
        from docs_researcher.cli.approving import server_named

        narrator.pause()
        server_named(output, place.removeprefix("mcp:"))
    options = {
        **given,
        "listener": narrator,
        "confirm": confirm_after(narrator.pause) if output.may_ask else None,
        "first_fetch_free": "seconds" not in given["limits"],
    }
    answer = research_sync(question, **options)
    for _ in range(MAX_QUESTIONS_BACK):
        if not output.may_ask or not _can_be_settled(answer) or answer.needs is None:
            break
        narrator.pause()
        reply = choose(answer.needs)
        if reply is None:
            break
        if question:
            options["library"] = library_in(reply)
        else:
            question = reply
        answer = research_sync(question, **options)
    return replace(answer, notices=(*answer.notices, *notices))


def _can_be_settled(answer: Answer) -> bool:
    """Whether a reply can lead further: not where nothing has to be looked up at all."""
    return answer.status == "needs_input" and all(notice.code != "docs_not_needed" for notice in answer.notices)
