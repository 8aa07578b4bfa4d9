"""`docs-research search`: the passages of one installed library that fit a query best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line
from docs_researcher.core.answer import EXIT_CODES
from docs_researcher.core.errors import UsageError
from docs_researcher.core.lines import lines_of
from docs_researcher.core.passages import UNTRUSTED
from docs_researcher.core.untrusted import is_untrusted

if TYPE_CHECKING:
    from docs_researcher.core.passages import RelatedPage
    from docs_researcher.docsets.searching.hits import Hit
    from docs_researcher.docsets.searching.search import SearchResult

SHOWN_LINES = 3
"""Lines of a passage that the list on stdout shows; `--json` has all of it."""


@click.command("search", cls=DocsCommand)
@click.argument("library", metavar="LIB")
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, metavar="N", help="At most N results.")
@click.option("--explain", is_flag=True, help="Show what was looked for, and why each passage comes where it does.")
@click.option("--related", is_flag=True, help="Show the pages that the results link to or are linked from.")
@click.option(
    "--semantic/--no-semantic",
    default=None,
    help="Use the embedding model, or not; without either, where there are its vectors.",
)
@common_options
@click.pass_obj
def search_command(
    output: Output, library: str, query: str, limit: int, explain: bool, related: bool, semantic: bool | None
) -> int:
    """Search one installed library.

    LIB is an id (/vercel/next.js), a name (next), or a package (npm:next), each with or without a version. Without one the
    newest that is installed is searched.
    """
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.cli.question import readable
    from docs_researcher.docsets.installed.store import Store

    if not query.strip():
        raise UsageError("The query is empty", next_step="Say what to look for: docs-research search LIB QUERY")
    store = Store()
    installed = named_library(library, store).chosen()
    docset = store.open(installed)
    result = docset.search(readable(query), limit=limit, semantic=semantic)
    why = docset.explain(readable(query), limit=limit, semantic=semantic) if explain else None
    pages = docset.related(result.hits) if related else ()
    if result.note:
        output.note(result.note)
    if output.json:
        output.value(
            {
                "library": installed.library_id,
                "version": installed.version,
                "results": [_row(hit) for hit in result.hits],
                "confidence": result.confidence,
                "absent": list(result.absent),
                **({"related": [asdict(page) for page in pages]} if related else {}),
                **({"explanation": asdict(why)} if why is not None else {}),
            }
        )
        return _code(result)
    output.note(f"Searched {installed.library_id} {installed.version or '(no version)'}, confidence {result.confidence:.2f}.")
    if result.absent:
        output.note(f"Nowhere in it: {', '.join(map(one_line, result.absent))}.")
    if not result.hits:
        output.note("Nothing in it fits the query.")
    for number, hit in enumerate(result.hits, start=1):
        output.text(_block(number, hit, max(one.score for one in result.hits)))
    if related:
        output.text(_see_also(pages))
    if why is not None:
        from docs_researcher.cli.explained import explained

        output.text("\n" + explained(why))
    return _code(result)


def _code(result: SearchResult) -> int:
    """0, or that of `not_found` where nothing in the documentation fits."""
    return EXIT_CODES["complete" if result.hits else "not_found"]


def _see_also(pages: Sequence[RelatedPage]) -> str:
    if not pages:
        return "\nSee also: no page is linked with these results."
    return "\n".join(["\nSee also:", *(f"  {one_line(page.title)}  ({one_line(page.path)}; {_ways(page)})" for page in pages)])


def _ways(page: RelatedPage) -> str:
    """How a page and the results are linked, in words."""
    ways = (("linked from", page.linked_from), ("links to", page.links_to))
    return ", ".join(f"{way} {count} result{'' if count == 1 else 's'}" for way, count in ways if count)


def _row(hit: Hit) -> dict[str, Any]:
    return {
        "path": hit.path,
        "title": hit.title,
        "heading": hit.heading,
        "url": hit.url,
        "line": hit.line,
        "score": hit.score,
        "tokens": hit.tokens,
        "has_code": hit.has_code,
        "untrusted": is_untrusted(hit.content),
        "content": hit.content,
    }


def _block(number: int, hit: Hit, best: float) -> str:
    """One result for a reader. Scores compare inside one result only, so each is shown as a share of the best."""
    share = hit.score / best if best > 0 else 1.0
    where = " > ".join(part for part in (hit.title, hit.heading) if part)
    lines = [line for line in lines_of(hit.content) if line.strip()][:SHOWN_LINES]
    head = f"{number}. {one_line(where)}  ({one_line(hit.path)}:{hit.line}, {hit.tokens} tokens, score {share:.2f})"
    lines = [UNTRUSTED, *lines] if is_untrusted(hit.content) else lines
    return "\n".join([head, *(f"     {one_line(line)[:110]}" for line in lines)])
