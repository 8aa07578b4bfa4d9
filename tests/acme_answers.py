"""An invented library, Acme: two of its pages, passages of it, and what an extractive answer makes of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.summarise import ConceptEvidence, Summary, summarise

LIBRARY = AnsweredLibrary("Acme", "/acme/acme", "3.1.0", "newest with docs")

SESSIONS = """Sessions keep a visitor signed in across requests.

## Create a session

To create a session, call `createSession` with the visitor's id:

```ts filename="lib/session.ts" switcher
import { createSession } from 'acme/session'

export async function signIn(userId: string) {
  await createSession(userId, { maxAge: 3600 })
}
```

```js filename="lib/session.js" switcher
import { createSession } from 'acme/session'

export async function signIn(userId) {
  await createSession(userId, { maxAge: 3600 })
}
```

See the [reference](/docs/reference#sessions) for more information.

## Options

| Option | Default | Meaning |
|--------|---------|---------|
| `maxAge` | `86400` | Seconds until a session expires. |
| `path` | `/` | Path for which the cookie is sent. |
"""

STEPS = """Follow these steps to deploy an application:

1. Build the application with `acme build`.
2. Upload the `dist` folder.
3. Start the server with `acme start`.
"""


def passage(content: str, title: str = "Sessions > Create a session", path: str = "docs/sessions.md", **values: float) -> Passage:
    """A passage of the library's guide, as the local provider hands it over."""
    url = f"https://acme.example/{path.removesuffix('.md')}"
    source = f"pkg:npm/acme@3.1.0#{path}"
    return Passage(title, content, source, "/acme/acme", url, path, "3.1.0", confidence=values.get("confidence", 1.0))


def answer(
    question: str, *passages: Passage, budget: int = 1_500, lead: Sequence[str] = (), left_out: Sequence[str] = ()
) -> Summary:
    """What is answered to a question that is one concept."""
    evidence = [ConceptEvidence(question, passages)]
    return summarise(question, evidence, budget=budget, library=LIBRARY, lead=lead, left_out=left_out)


def fenced(text: str) -> list[str]:
    """The code of all blocks in an answer."""
    return re.findall(r"^```[^\n]*\n(.*?)\n```$", text, re.DOTALL | re.MULTILINE)
