"""The notices of an answer, by what was found and what was not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docs_researcher.core.answer import Notice
from docs_researcher.core.messages import ToolResult
from docs_researcher.steps.answer.summarise import Summary


def answer_notices(
    summary: Summary,
    left_out: Sequence[str],
    faults: Sequence[ToolResult],
    *,
    unlisted: Iterable[str],
    known: Iterable[Notice],
) -> tuple[Notice, ...]:
    """What a machine has to know of an answer beside its text.

    `unlisted` says that the version asked for was not read; what is among the `known` notices of the results is not said twice.
    """
    codes = {notice.code for notice in known}
    notices = [Notice("version_substituted", warning) for warning in unlisted if "version_substituted" not in codes]
    if summary.weak and "weak_match" not in codes:
        notices.append(Notice("weak_match", "Weak match: the documentation found does not clearly answer this."))
    if summary.doubtful and "weak_match" not in codes:
        notices.append(Notice("weak_match", "Unsure match: a part of what was found may not answer this."))
    if summary.withheld:
        which = "1 piece of the pages speaks" if summary.withheld == 1 else f"{summary.withheld} pieces of the pages speak"
        text = (
            f"{which} to an assistant or would run a remote script, and {'was' if summary.withheld == 1 else 'were'} not quoted."
        )
        notices.append(Notice("untrusted_text", text))
    if summary.lacking:
        notices.append(Notice("not_covered", summary.lacking))
    if left_out:
        notices.append(Notice("concepts_left_out", f"Not looked up: {', '.join(left_out)}."))
    if faults and "source_unavailable" not in codes:
        notices.append(Notice("source_unavailable", " ".join(faults[0].text.split())[:300]))
    return tuple(notices)
