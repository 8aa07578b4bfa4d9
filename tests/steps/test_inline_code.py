"""Inline code of an answer: what was read, is put together from it, or needs no reading stands; an invented name does not."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_researcher.core.ledger import Ledger
from docs_researcher.core.passages import Passage
from docs_researcher.steps.checks.inline_code import mark_code, unread_code

PAGE = Passage(
    "Timeouts > Setting a timeout",
    r"""Use `acme.Client(timeout=10.0)` to set a default. The `Timeout` class takes `connect` and `read`.

```python
import acme
timeout = acme.Timeout(10.0, connect=60.0)
client = acme.Client(timeout=timeout)
response = client.get("https://example.com/")
```

Run `acme --follow-redirects URL`. Set SSL\_CERT\_FILE or `ACME_LOG_LEVEL`,
or the option <code>max_keepalive</code> of `acme.Limits`.
Types live in `@types/acme`, the router in `acme/navigation`. Use the App Router. There is `acme.config.js`, too.
Install it with `pip install acme[http2]`, or `npx create-acme-app@latest`. `const { a, b } = useAcme()` &lt;Image&gt;.""",
    "https://acme.example/timeouts",
    "/encode/acme",
    path="docs/advanced/timeouts.md",
    version="0.27.0",
)
KNOWN = ["How do I set a timeout in acme for user_profile? I tried acme.sleep() with --slow."]


def unread(span: str, known: list[str] = KNOWN) -> bool:
    ledger = Ledger()
    ledger.add([PAGE])
    ticks = "``" if "`" in span else "`"
    return unread_code(f"First, use {ticks}{span}{ticks} here.", ledger, known) == (span,)


@pytest.mark.parametrize(
    "span",
    [
        # letter for letter, with other white space, without what Markdown and HTML add
        "acme.Client(timeout=10.0)",
        "acme --follow-redirects URL",
        "const {a, b} = useAcme()",
        "SSL_CERT_FILE",
        "max_keepalive",
        "<Image>",
        "docs/advanced/timeouts.md",
        "/encode/acme",
        "0.27.0",
        # put together from parts that were read
        "client.get()",
        "acme.Limits(max_keepalive=5)",
        "acme.get(url, timeout=5)",
        "with acme.Client() as session:",
        "from acme import Client",
        "import { useAcme } from 'acme/navigation'",
        "pip install acme",
        "pip install 'acme[http2]'",
        "npx create-acme-app my-app",
        "--follow-redirects=true",
        "--no-follow-redirects",
        "AppRouter",
        "maxKeepalive",
        "timeouts.md",
        # the asker's own words
        "acme.sleep()",
        "--slow",
        "user_profile",
        # the language's and everybody's
        "None",
        "true",
        "console.log(response)",
        "response.json()",
        "os.environ['HOME']",
        "asyncio.run(main())",
        "print(response)",
        "ValueError",
        "TypeScript",
        "if __name__ == '__main__':",
        "npm run dev",
        "npm install --save-dev",
        "git commit -m 'x'",
        "text/html",
        "/dev/null",
        "package.json",
        "src/main.py",
        # the reader's own, and prose
        "YOUR_API_KEY",
        "my_client.get(url)",
        "import { useX } from './x'",
        "session.email",
        "example.com",
        "read/write",
        "GET /users",
        "10.5 s",
        "e.g.",
        "[1]",
        "",
        "{}",
    ],
)
def test_what_was_read_and_what_nobody_has_to_read_stands(span: str) -> None:
    assert not unread(span)


@pytest.mark.parametrize(
    "span",
    [
        "acme.magic()",
        "magic()",
        "client.retry_forever()",
        "client.enableWand(true)",
        "acme.retries",
        "acme::wand()",
        "acme.Client(magic_retry=3)",
        "acme.Client(timeout=10, wands=2)",
        "{ wandPower: 3 }",
        "MagicTransport",
        "acme.MagicTransport(retries=3)",
        "useMagicTimeout",
        "max_magic_connections",
        "--magic-flag",
        "acme client --turbo",
        "ACME_MAGIC_MODE",
        "<Wand retries={3}>",
        "pip install acme-magic-auth",
        "npx create-wand-app",
        "npm install @acme/wand",
        "@acme/wand",
        "import { wand } from 'acme/wand'",
        "from acme.magic import Wand",
        "wands/loader.js",
    ],
)
def test_a_name_that_stands_nowhere_is_found(span: str) -> None:
    assert unread(span)


def test_each_is_named_once_and_code_in_blocks_is_judged_elsewhere() -> None:
    ledger = Ledger()
    ledger.add([PAGE])
    text = "Call `acme.magic()`, then `acme.magic()` and `--wand`.\n\n```py\nuse(`acme.other()`)\n```\n\nA ` alone.\n\nAnother `."
    assert unread_code(text, ledger, []) == ("acme.magic()", "--wand")


def test_a_mark_stands_behind_each_span_and_code_in_blocks_is_left_alone() -> None:
    text = "Call `acme.magic()`.\n\n```py\nx = `acme.magic()`\n```\n\nThen ``acme.magic()`` or `get`."
    assert mark_code(text, ["acme.magic()"]) == (
        "Call `acme.magic()` (not stated in what was read).\n\n```py\nx = `acme.magic()`\n```\n\n"
        "Then ``acme.magic()`` (not stated in what was read) or `get`."
    )
    assert mark_code(text, []) == text


CODE = st.text(alphabet=string.ascii_letters + string.digits + " _.-()[]{}<>=:,'\"/@$\\*#&;|!?+~", min_size=1, max_size=60)


@given(span=CODE, before=st.text(max_size=20), after=st.text(max_size=20))
def test_no_true_quote_is_ever_marked(span: str, before: str, after: str) -> None:
    span = span.strip() or "x"
    ledger = Ledger()
    ledger.add([Passage("T", f"{before} `{span}` {after}", "docs/t.md")])
    assert unread_code(f"See `{span}`.", ledger, []) == ()
