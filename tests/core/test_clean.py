import pytest

from docs_researcher.core.clean import clean
from docs_researcher.core.secrets import REDACTED, remove_secrets


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        ("plain", "plain"),
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("a\x1b]8;;https://evil.example/\x07link\x1b]8;;\x07", "alink"),
        ("x\u202ey\u2066z", "xyz"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("tag\U000e0041", "tag"),
        ("nul\x00bell\x07", "nulbell"),
        ("one\r\ntwo\rthree\tfour", "one\ntwo\nthree\tfour"),
        ("c1\x9b31mx", "c1x"),
        ("é 中文 👩\u200d💻 — “ok”", "é 中文 👩\u200d💻 — “ok”"),
    ],
)
def test_only_what_could_do_harm_is_removed(dirty: str, expected: str) -> None:
    assert clean(dirty) == expected


# Put together from halves, so that no scanner takes these made-up values for real ones.
SECRETS = [
    "sk-ant-" + "api03-abcdefghijklmnopqrstuv",
    "sk-proj-" + "abcdefghijklmnopqrstuvwx",
    "ctx7sk-" + "1234-abcd-5678",
    "ghp_" + "a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6",
    "github_pat_" + "11ABCDEFG0abcdefghijkl_mnop",
    "glpat-" + "abcdefghij1234567890",
    "npm_" + "a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6",
    "hf_" + "abcdefghijklmnopqrstuvwxyz",
    "xoxb-" + "1234567890-abcdef",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "sk_live_" + "a1b2c3d4e5f6g7h8",
    "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklmnop",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_known_kinds_of_secrets_are_cut_out(secret: str) -> None:
    text, count = remove_secrets(f"why does {secret} not work?")
    assert (text, count) == (f"why does {REDACTED} not work?", 1)


@pytest.mark.parametrize(
    "text",
    [
        "postgres://user:hunter2@db.invalid/x",
        "API_KEY=abcdefghijkl123456",
        '"client_secret": "abcdEFGH12345678"',
        "Authorization: Bearer abcdefgh12345678",
    ],
)
def test_values_behind_a_telling_name_are_cut_out(text: str) -> None:
    cleaned, count = remove_secrets(text)
    assert count == 1
    assert REDACTED in cleaned


@pytest.mark.parametrize(
    "text",
    [
        "How do I refresh a token with next-auth?",
        "token = request.headers.get('x-token')",
        "const apiKey = process.env.ANTHROPIC_API_KEY",
        "https://example.com:8080/path",
        "task-queue sk-learn risk-free",
        "SELECT password FROM users",
    ],
)
def test_harmless_text_is_left_alone(text: str) -> None:
    assert remove_secrets(text) == (text, 0)
