"""A question in another language, as the words that English documentation is searched with."""

from __future__ import annotations

import pytest

from docs_researcher.steps.in_english import LANGUAGES, in_english, language_of


@pytest.mark.parametrize(
    ("question", "code", "words"),
    [
        ("Wie richte ich die Authentifizierung in Next.js ein?", "de", "setup authentication Next.js"),
        ("¿Cómo subo un archivo con Flask?", "es", "upload file Flask"),
        ("Comment gérer l'authentification dans Next.js 15 ?", "fr", "handle authentication Next.js 15"),
        ("Como enviar um arquivo com o requests?", "pt", "upload file requests"),
        ("Come posso validare i dati con la libreria zod?", "it", "validate data libreria zod"),
        ("Как сделать аутентификацию в Next.js?", "ru", "authentication Next.js"),
        ("Next.jsで認証を設定するには？", "ja", "Next.js authentication configuration"),
        ("fastify 怎么验证查询参数 schema", "zh", "fastify validate query parameter schema"),
        ("Flask에서 파일을 업로드하는 방법", "ko", "Flask file upload"),
    ],
)
def test_words_of_the_trade_become_english_and_names_stay(question: str, code: str, words: str) -> None:
    assert language_of(question) == code
    assert in_english(question, code) == words


def test_everything_that_a_word_may_mean_is_searched_for() -> None:
    assert in_english("Como enviar um arquivo?", "pt", all_terms=True) == "upload send file"


@pytest.mark.parametrize("code", LANGUAGES)
def test_code_and_identifiers_stay_as_they_are(code: str) -> None:
    kept = "`der.die(das)` useEffect docs/los/guide.md @scope/name"
    assert in_english(kept, code) == kept


@pytest.mark.parametrize(
    "question",
    [
        "How do I set up auth in Next.js 15?",
        "Vue 3 para beginners",
        "django: die on timeout in a test",
        "What is de.json for, and why is es.json not read?",
        "zod optional con default",
        "How do I translate `¿Cómo está?` with i18next",
        "",
    ],
)
def test_a_question_in_english_is_one(question: str) -> None:
    assert language_of(question) is None
