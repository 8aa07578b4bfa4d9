"""Step 4a over the shared and the own questions, and the rules one by one."""

from __future__ import annotations

import pytest

from case_rows import Row, right_counts, rows
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.steps.queries.split import MOST_QUERIES, Split, split
from docs_researcher.steps.question.identify import identify

CATALOGUE = Catalogue.load()
FILES = ("questions", "own_questions", "fresh_questions", "typed_questions")


def cut(question: str) -> Split:
    return split(question, identify(question, CATALOGUE))


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for name in FILES for row in rows(name)])
def test_every_row_comes_apart_into_the_right_number_of_queries(row: Row) -> None:
    assert len(cut(row["question"]).concepts) in right_counts(row)


@pytest.mark.parametrize(
    "question",
    [
        "How do middleware and route handlers interact in Next.js?",
        "pypdf: count the first sheets i, ii, iii and then go on with 1",
        'Click: take "small", "medium" and "large" for an option',
        "Prisma vs Drizzle for migrations: which is better?",
        "Should I use useMemo or useCallback in React?",
        "How do I use Zustand and TanStack Query together?",
        "React Query: prefetch on the server and hydrate on the client",
        "How do I open and dispose it in a FastAPI app?",
        "httpx: separate connect and read timeouts for one client",
        "Next.js 15 throws on cookies(). What do I have to change?",
        "Angular で signal と observable の違いは？",
        "flask-login 一直跳转到登录页，session 没保存，是什么原因？",
        "デプロイしたら、Nuxt の画面が真っ白になって、エラーも出ません",
        "Чем отличается useMemo от useCallback в React 18 и когда что использовать?",
        "Vite 5 reloads endlessly when I save a file. Is there a known workaround? Any ideas?",
        "NestJS 里 guard 和 interceptor 有什么区别？",
        "drag and drop files in react-dropzone",
        "search and replace text with python-docx",
        "before and after hooks in mongoose",
        "start and stop a container with testcontainers",
        "express get and set cookies",
        "serialize and deserialize dates with marshmallow",
        "lat and lon from address geopy",
        "django signals pre and post save",
    ],
)
def test_interaction_comparison_and_single_questions_stay_whole(question: str) -> None:
    found = cut(question)
    assert len(found.concepts) == 1
    assert found.left_out == ()


@pytest.mark.parametrize(
    "question",
    [
        "React Router: when do I take a Form and when a fetcher?",
        "React Router: when do I use a Form, and when do I use a fetcher?",
        "In React Router, when is a Form right and when is a fetcher right?",
        "React Router: wann nehme ich ein Form und wann einen fetcher?",
        "React Router: ¿cuándo uso Form y cuándo un fetcher?",
        "React Router: quand utiliser Form et quand un fetcher ?",
        "Next.js: where do server actions make sense and where route handlers?",
        "Django: select_related or prefetch_related: which one when?",
        "Vue 3: ¿ref o reactive? ¿cuál y cuándo?",
        "Vue 3: Should I use ref? Or reactive?",
        "Vue 3: When should I use ref? And when reactive?",
        "Vue 3: When should I use ref? When should I use reactive?",
        "Vue 3: wann ref? Und wann reactive?",
        "Django: pros and cons of FBV and CBV",
    ],
)
def test_when_to_take_which_is_one_question(question: str) -> None:
    assert cut(question) == Split((question,))


@pytest.mark.parametrize(
    "question",
    [
        "Django: when are signals sent and when are transactions committed?",
        "React 19: when do I use Suspense and when do effects run?",
        "Vue 3: when to update refs and when to flush watchers?",
        "FastAPI: when should I use async def and how do I run blocking code?",
        "Express: where do I put routes and where do I put middleware?",
    ],
)
def test_two_questions_with_one_question_word_are_two(question: str) -> None:
    assert len(cut(question).concepts) == 2


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("routing and auth and caching in Next.js", ["routing", "auth", "caching"]),
        ("How do I set up routing and auth in Next.js?", ["routing", "auth"]),
        ("Laravel 11: where do I register middleware, and where do commands go?", ["middleware", "commands"]),
        ("How do I add a plugin in Vite? And how do I set a proxy?", ["plugin", "proxy"]),
        ("Vue 里怎么写表单校验？另外怎么懒加载路由？", ["表单校验", "懒加载"]),
        ("Nuxt で認証とキャッシュとエラーページを設定するには？", ["認証", "キャッシュ", "エラーページ"]),
        ("pino shows [Object] for errors, and I also want to redact headers. How?", ["errors", "redact"]),
        ("Serilog: enrich every line with the trace id, and write to Seq", ["enrich", "write"]),
        ("electron-builder: sign the mac build in CI, and auto update from S3", ["sign", "update"]),
        ("scrapy 2.11 : comment gérer les cookies et faire tourner les proxys ?", ["cookies", "proxys"]),
        ("Celery: как ограничить число повторов и как логировать ошибки?", ["повторов", "логировать"]),
        ("nx: cache the e2e target, lint all apps, and publish two libs together. Examples please", ["cache", "lint", "publish"]),
        ("bull queue: delay a job and remove completed jobs", ["delay", "remove"]),
        ("in pytest, how can I parametrize a fixture and also skip a test on windows", ["parametrize", "skip"]),
        ("fastapi: background tasks, websockets, file upload", ["background", "websockets", "upload"]),
        ("FastAPI에서 파일 업로드는 어떻게 하나요? 그리고 테스트는 어떻게 작성하나요?", ["업로드", "테스트"]),
    ],
)
def test_independent_concepts_become_a_query_each(question: str, topics: list[str]) -> None:
    concepts = cut(question).concepts
    assert len(concepts) == len(topics)
    for concept, topic in zip(concepts, topics, strict=True):
        assert topic in concept


def test_more_than_three_concepts_are_named_as_left_out() -> None:
    found = cut("Django: sessions, caching, email backends and file uploads. How do I set up each?")
    assert len(found.concepts) == MOST_QUERIES
    assert len(found.left_out) == 1
    assert "file uploads" in found.left_out[0]


def test_each_query_carries_the_other_libraries_that_all_of_them_need() -> None:
    found = cut("NestJS with TypeORM: transactions, soft deletes and seeding")
    assert len(found.concepts) == 3
    assert all("TypeORM" in concept for concept in found.concepts)


def test_the_place_behind_a_list_belongs_to_all_of_it() -> None:
    concepts = cut("SQLAlchemy 2.0: dispose, pool size and events in FastAPI").concepts
    assert len(concepts) == 3
    assert all("FastAPI" in concept for concept in concepts)


def test_code_and_imports_are_not_part_of_a_query() -> None:
    found = cut("import { useQuery } from '@tanstack/react-query';\nWhy is data undefined on first render?")
    assert found.concepts == ("Why is data undefined on first render?",)


def test_no_lookup_means_no_query() -> None:
    assert cut("How do I reverse a list?") == Split(())
