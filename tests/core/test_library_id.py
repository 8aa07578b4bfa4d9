import pytest

from docs_researcher.core.library_id import LibraryId, find_ids


@pytest.mark.parametrize(
    ("text", "base", "version"),
    [
        ("/vercel/next.js", "/vercel/next.js", None),
        ("/vercel/next.js/v15.1.8", "/vercel/next.js", "v15.1.8"),
        ("/vercel/next.js@v15.1.8", "/vercel/next.js", "v15.1.8"),
        ("/tanstack/query/@tanstack/react-query@5.60.5", "/tanstack/query", "@tanstack/react-query@5.60.5"),
        ("/vercel/next.js/__branch__canary", "/vercel/next.js", "__branch__canary"),
        ("/npm/@tanstack/react-query", "/npm/@tanstack/react-query", None),
        ("/npm/@tanstack/react-query/5.60.5", "/npm/@tanstack/react-query", "5.60.5"),
        ("/npm/@tanstack/react-query@5.60.5", "/npm/@tanstack/react-query", "5.60.5"),
        ("/websites/code_claude", "/websites/code_claude", None),
    ],
)
def test_an_id_is_taken_apart_and_kept_byte_for_byte(text: str, base: str, version: str | None) -> None:
    parsed = LibraryId.parse(text)
    assert (parsed.base, parsed.version, str(parsed)) == (base, version, text)


@pytest.mark.parametrize("text", ["", "/", "//", "next", "vercel/next.js", "/vercel", "/vercel/", "/a b/c", "/@x/y", "/a/b c"])
def test_what_is_no_id_is_refused(text: str) -> None:
    assert LibraryId.try_parse(text) is None
    with pytest.raises(ValueError, match="library id"):
        LibraryId.parse(text)


def test_an_id_moves_to_another_version() -> None:
    assert LibraryId.parse("/vercel/next.js/v14").at("15").text == "/vercel/next.js/15"
    assert LibraryId.parse("/vercel/next.js/v14").at(None).text == "/vercel/next.js"


def test_ids_are_found_in_a_sentence_without_its_punctuation() -> None:
    text = "use /vercel/next.js/v15.1.8 - or (/tanstack/query/@tanstack/react-query@5.60.5), not a/b/c; see /a/b."
    assert find_ids(text) == ("/vercel/next.js/v15.1.8", "/tanstack/query/@tanstack/react-query@5.60.5", "/a/b")


def test_a_url_holds_no_id() -> None:
    assert find_ids("https://example.com/vercel/next.js and file:///etc/hosts/x") == ()
