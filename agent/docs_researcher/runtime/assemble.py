"""From what a loop ended with to the one Answer that leaves the run."""

from __future__ import annotations

from collections.abc import Iterator

from docs_researcher.core.answer import Answer, AnsweredLibrary, AnswerUsage, Notice, Status
from docs_researcher.core.clean import clean
from docs_researcher.core.messages import StopReason
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.models.base import Question
from docs_researcher.models.unanswered import no_such_version
from docs_researcher.runtime.in_project import told
from docs_researcher.runtime.loop import Loop, Run
from docs_researcher.runtime.repair import Unread, unread_in
from docs_researcher.runtime.tool_runner import ToolRunner
from docs_researcher.steps.answer.fit import fit
from docs_researcher.steps.answer.summarise import ConceptEvidence, summarise
from docs_researcher.steps.checks.ground import ground
from docs_researcher.steps.checks.inline_code import mark_code
from docs_researcher.steps.checks.marking import mark
from docs_researcher.steps.checks.version_claims import mark_versions

_CUT: dict[StopReason, str] = {
    "cut": "The time ran out while the model was answering; the answer holds what had been read by then.",
    "max_tokens": "The model's answer reached its length limit and ends early.",
}


def assemble(run: Run, loop: Loop) -> Answer:
    """Build the answer: text grounded in the ledger, an honest status, every notice once.

    The text is never empty, never over the budget, and an answer for which nothing was read is never "complete".
    """
    runner, question = loop.runner, loop.question
    library, of_project = told(run.reply.library or runner.library, question)
    text = clean(run.reply.text).strip()
    notices = [*of_project, *runner.notices, *run.reply.notices]
    status = _status(run, runner)
    unmet = runner.unmet_version if status in ("complete", "partial") else ""
    if unmet:
        instead = no_such_version(unmet)
        notices += instead.notices
        status, text = ("partial", text) if len(runner.ledger) else ("not_found", instead.text)
    if not text:
        text = _fallback(runner, question, library, run.stopped_by)
        if not run.stopped_by and run.reply.stop == "end":
            notices.append(Notice("no_answer", "The model gave no answer; this is what had been read."))
    grounded = ground(text, runner.ledger, (notice.text for notice in notices))
    marked = mark(grounded)
    unread = unread_in(run, loop, grounded)
    notices += [*_limits_reached(run), *marked.notices, *_marked_as_unread(unread)]
    text = fit(mark_versions(mark_code(marked.text, unread.code), unread.versions), question.answer_tokens)
    return Answer(
        status=status,
        text=text,
        library=library,
        examples=grounded.examples,
        references=grounded.references,
        notices=tuple(dict.fromkeys(notices)),
        needs=run.reply.needs,
        usage=AnswerUsage(
            model=loop.model.name,
            turns=runner.meter.turns,
            tool_calls=runner.meter.tool_calls,
            tokens_read=runner.meter.tokens_read,
            tokens_returned=estimate_tokens(text),
            seconds=round(runner.deadline.elapsed, 3),
            cost=loop.cost_of(run.usage),
        ),
    )


def _limits_reached(run: Run) -> Iterator[Notice]:
    if run.stopped_by and not run.reply.is_finished:
        yield Notice("limit_reached", f"Stopped by {run.stopped_by}; the answer may lack something.")
    elif run.reply.stop in _CUT:
        yield Notice("limit_reached", _CUT[run.reply.stop])


def _marked_as_unread(unread: Unread) -> Iterator[Notice]:
    if unread.versions:
        yield Notice("version_unread", f"{len(unread.versions)} version(s) that nothing read states are marked.")
    if unread.code:
        yield Notice("name_unread", f"{len(unread.code)} name(s) in code that nothing read holds are marked.")


def _status(run: Run, runner: ToolRunner) -> Status:
    if run.reply.stop == "refused":
        return "refused"
    status = run.reply.status or "complete"
    if status != "complete":
        return status
    stopped = run.stopped_by and not run.reply.is_finished
    if stopped or run.reply.stop != "end" or not run.reply.text.strip():
        return "partial"
    if not len(runner.ledger):
        return "partial"  # nothing was read, so nothing stands behind the text
    return "complete"


def _fallback(runner: ToolRunner, question: Question, library: AnsweredLibrary | None, stopped_by: str | None) -> str:
    """What is said when the model said nothing: the extract of what was read, or that nothing was read."""
    why = f"The research was stopped by {stopped_by}." if stopped_by else "The model gave no answer."
    if not len(runner.ledger):
        return f"{why} No documentation had been read."
    evidence = ConceptEvidence(question.text, runner.ledger.passages)
    return summarise(question.text, [evidence], budget=question.answer_tokens, library=library, lead=[why]).text
