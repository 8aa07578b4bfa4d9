"""`docs-research trace`: the transcript of a run, readable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docs_researcher.cli.commands import PATH, DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line

if TYPE_CHECKING:
    from docs_researcher.runtime.timeline import Step, Timeline

SHOWN = 70
"""Characters of a step's text, and of one argument, that the timeline shows; `--json` has all of them."""


@click.command("trace", cls=DocsCommand)
@click.argument("file", type=PATH)
@common_options
@click.pass_obj
def trace_command(output: Output, file: Path) -> int:
    """Show the transcript of a run as a timeline.

    FILE was written by `--trace FILE`. Each step is shown with its time, its tokens, and the tokens of the conversation after
    it, and with the passages that were found, each with its score and how sure the search was. Of a result that was trimmed for
    a model it is said how much of it was passed on. Tokens are estimates.
    """
    from docs_researcher.runtime.timeline import read_timeline

    timeline = read_timeline(file)
    if output.json:
        output.value(_value(timeline))
        return 0
    if timeline.steps:
        output.text(f"{'seconds':>9}  {'tokens':>7}  {'sum':>7}  step")
    for number, step in enumerate(timeline.steps, start=1):
        output.text(f"{step.at:9.3f}  {step.tokens:7,}  {step.total:7,}  {number}. {_line(step)}")
        for more in (*step.found, *step.notices):
            output.text(f"{'':9}  {'':7}  {'':7}     {one_line(more)}")
    if not timeline.steps:
        output.note("The transcript holds no step.")
    if timeline.damaged:
        output.note(f"{timeline.damaged} damaged line{'s' if timeline.damaged > 1 else ''} left out.")
    return 0


def _line(step: Step) -> str:
    if step.kind == "tool":
        arguments = ", ".join(f"{name}={_short(value)}" for name, value in step.arguments.items())
        passages = f", {step.passages} passage{'' if step.passages == 1 else 's'}" if step.passages else ""
        passages += f", {step.tokens:,} of {step.tokens_read:,} tokens passed on" if _is_trimmed(step) else ""
        passages += f", confidence {step.confidence:.2f}" if step.confidence is not None else ""
        ahead = "ahead: " if step.ahead else ""
        return one_line(f"{ahead}{step.tool}({arguments}) -> {step.outcome or 'no outcome'}{passages}")
    parts = [step.kind]
    if step.kind == "answer" and step.outcome:
        parts.append(f"({step.outcome})")
    if step.calls:
        parts.append(f"calls {', '.join(step.calls)}")
    if step.text:
        parts.append(_short(step.text))
    return one_line(" ".join(parts))


def _is_trimmed(step: Step) -> bool:
    return step.tokens_read is not None and step.tokens_read > step.tokens


def _short(value: object) -> str:
    text = one_line(str(value))
    return repr(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")


def _value(timeline: Timeline) -> dict[str, Any]:
    return {"steps": [_step(step) for step in timeline.steps], "damaged": timeline.damaged}


def _step(step: Step) -> dict[str, Any]:
    return {
        "at": step.at,
        "kind": step.kind,
        "text": step.text,
        "tokens": step.tokens,
        "total": step.total,
        "tool": step.tool,
        "arguments": dict(step.arguments),
        "outcome": step.outcome,
        "passages": step.passages,
        "ahead": step.ahead,
        "calls": list(step.calls),
        "notices": list(step.notices),
        "found": list(step.found),
        "confidence": step.confidence,
        "tokens_read": step.tokens_read,
    }
