"""A question in another language, as the words that English documentation is searched with."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from docs_researcher.steps.queries import in_english as glossary
from docs_researcher.steps.queries.in_english import LANGUAGES, in_english, language_of

LANGUAGE_FILES = Path(glossary.__file__).parent / "languages"


@pytest.mark.parametrize(
    ("question", "code", "words"),
    [
        ("Wie richte ich die Authentifizierung in Next.js ein?", "de", "authentication Next.js"),
        ("Wie leite ich in Next.js auf eine andere Seite weiter?", "de", "redirect Next.js page"),
        ("¿Cómo subo un archivo con Flask?", "es", "upload file Flask"),
        ("Comment gérer l'authentification dans Next.js 15 ?", "fr", "handle authentication Next.js 15"),
        ("Como enviar um arquivo com o requests?", "pt", "upload file requests"),
        ("Come posso validare i dati con la libreria zod?", "it", "validate data libreria zod"),
        ("Как сделать аутентификацию в Next.js?", "ru", "authentication Next.js"),
        ("Next.jsで認証を設定するには？", "ja", "Next.js authentication configuration"),
        ("fastify 怎么验证查询参数 schema", "zh", "fastify validate query parameter schema"),
        ("Flask에서 파일을 업로드하는 방법", "ko", "Flask file upload"),
        ("как сделать пагинацию в django", "ru", "pagination django"),
        ("¿Cómo hago la paginación en Django?", "es", "pagination Django"),
        ("Wie mache ich eine Route dynamisch?", "de", "Route dynamic"),
        ("Wie nutze ich das Bild richtig, wenn ich es lade?", "de", "image, load"),
        ("Wie kann ich ein Bild hochladen und optimieren?", "de", "image upload optimize"),
        ("Wie setze ich die minimale Länge einer Zeichenkette in zod?", "de", "minimum length string zod"),
        ("¿Cómo creo una vista en Django y uso el correo?", "es", "create view Django email"),
        ("¿Cómo valido solo un campo con TypeScript?", "es", "validate field TypeScript"),
        ("Comment utiliser la mise en page dans Next.js ?", "fr", "layout Next.js"),
        ("Come uso il middleware in Express per le stringhe?", "it", "middleware Express string"),
        ("Como usar injeção de dependência no FastAPI?", "pt", "dependency injection FastAPI"),
        ("Как использовать внедрение зависимостей в FastAPI?", "ru", "dependency injection FastAPI"),
        ("Как развёрнуть контейнер?", "ru", "deploy container"),
        ("zodで文字列の最小の長さを検証するには", "ja", "zod string minimum length validation"),
        ("配列の状態管理をする方法", "ja", "array state"),
        ("zod 怎么验证字符串的最小长度", "zh", "zod validate string minimum length"),
        ("Next.js 动态路由怎么使用", "zh", "Next.js dynamic routing"),
        ("zod로 문자열 배열을 검증하는 방법", "ko", "zod string array validation"),
        ("FastAPI에서 의존성 주입을 사용하는 방법", "ko", "FastAPI dependency injection"),
    ],
)
def test_words_of_the_trade_become_english_and_names_stay(question: str, code: str, words: str) -> None:
    assert language_of(question) == code
    assert in_english(question, code) == words


def test_everything_that_a_word_may_mean_is_searched_for() -> None:
    assert in_english("Como enviar um arquivo?", "pt", all_terms=True) == "upload send file"


@pytest.mark.parametrize(
    ("question", "code", "words"),
    [
        ("Wie führe ich eine Aufgabe periodisch aus?", "de", "run task periodic"),
        ("¿Cómo ejecuto una tarea periódica?", "es", "run task periodic"),
        ("Comment lancer une tâche périodique ?", "fr", "run task periodic"),
        ("Come eseguo un compito periodico?", "it", "run task periodic"),
        ("Como executar uma tarefa periódica?", "pt", "run task periodic"),
        ("Как запустить периодическую задачу?", "ru", "run periodic task"),
        ("定期タスクを実行する方法", "ja", "periodic task run"),
        ("怎么运行定期任务", "zh", "run periodic task"),
        ("주기 작업을 실행하는 방법", "ko", "periodic task run"),
    ],
)
def test_what_is_done_again_and_again_is_periodic(question: str, code: str, words: str) -> None:
    assert in_english(question, code) == words


def test_a_term_of_several_words_is_one_and_not_its_words() -> None:
    assert in_english("¿Cómo pongo un tiempo de espera en la base de datos?", "es") == "timeout database"
    assert in_english("el tiempo, de espera", "es") == "time, wait"


@pytest.mark.parametrize("text", ["进行", "行う", "있나요"])
def test_a_word_that_says_nothing_is_not_read_as_the_words_in_it(text: str) -> None:
    assert in_english(text, language_of(text) or "zh") == ""


@pytest.mark.parametrize("code", ["de", "es", "fr", "it", "pt"])
def test_names_that_begin_like_a_word_stay(code: str) -> None:
    kept = "TypeScript Oracle SendGrid Formik Guards Listener environment clean trigger coroutine"
    assert in_english(kept, code).casefold() == kept.casefold()


@pytest.mark.parametrize("code", ["de", "es", "fr", "it", "pt"])
def test_no_library_of_the_catalogue_is_taken_for_a_word(code: str) -> None:
    """But for those that are called by a word of the language itself."""
    words = {"minimalapis", "zustand", "copier", "flux", "salvo"}
    catalogue = json.loads(
        (Path(glossary.__file__).parents[2] / "library" / "data" / "catalogue.json").read_text(encoding="utf-8")
    )
    names = {name for name in catalogue["names"] if name.isalpha() and name.isascii() and len(name) > 2} - words
    assert len(names) > 1_500
    assert {name: english for name in names if (english := in_english(name, code)) not in (name, "")} == {}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_glossary_says_each_word_once_in_the_form_that_is_looked_for(code: str) -> None:
    text = (LANGUAGE_FILES / f"{code}.txt").read_text(encoding="utf-8")
    known = [word.strip() for line in text.splitlines() if "|" in line for word in line.split("|")[0].split(",")]
    assert len(known) > 150
    assert sorted(known) == sorted(set(known))
    marks = [word for word in known if code in {"de", "es", "fr", "it", "pt"} and not word.isascii()]
    assert marks == []


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
        "solo form mode in Vue",
        "How do I translate `¿Cómo está?` with i18next",
        "",
    ],
)
def test_a_question_in_english_is_one(question: str) -> None:
    assert language_of(question) is None


@pytest.mark.parametrize("text", ["the sign \ubdc1 in flask", "flask \u0416 template", "\ub9cf\ucedd\u447a\x01\x02 flask"])
def test_a_sign_of_a_script_is_no_language(text: str) -> None:
    assert language_of(text) is None


@pytest.mark.parametrize("encoding", ["utf-8", "shift-jis", "euc-kr", "gbk", "latin-1"])
def test_bytes_that_are_no_text_are_in_no_language(encoding: str) -> None:
    drawn = Random(20261130)
    texts = [drawn.randbytes(120).decode(encoding, errors="replace") for _ in range(200)]
    assert {language_of(text) for text in texts} == {None}


def test_search_words_with_one_small_word_are_in_the_language_of_the_others() -> None:
    assert language_of("django bild hochladen und verkleinern") == "de"
    assert language_of("celery und retry task queue") is None
