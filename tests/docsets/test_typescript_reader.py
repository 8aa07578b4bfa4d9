"""TypeScript declarations: signatures and comments, under the names that users import."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from docs_researcher.docsets.building.chunks import chunk_page
from docs_researcher.docsets.readers.base import Page
from docs_researcher.docsets.readers.declarations import declared
from docs_researcher.docsets.readers.doc_comments import read_comment
from docs_researcher.docsets.readers.typescript import read_declarations


def pages(files: Mapping[str, str], name: str = "acme", version: str = "4.1.0") -> dict[str, Page]:
    found = declared({path: text.encode() for path, text in files.items()}, name, version).pages
    return {page.path: page for page in found}


def headings(page: Page) -> list[str]:
    return [block.title for block in page.blocks if block.kind == "heading"]


def code(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks if block.kind == "code")


def test_a_name_is_a_heading_with_its_signature_and_its_comment() -> None:
    text = "/** Signs a request.\n * @param secret - the key\n */\nexport declare function sign(secret: string): void;"
    page = pages({"index.d.ts": text})["index.d.ts"]
    assert headings(page) == ["acme", "sign"]
    assert "```ts\nfunction sign(secret: string): void\n```" in code(page)
    [chunk] = [chunk for chunk in chunk_page(page) if chunk.heading == ("sign",)]
    assert "Signs a request." in chunk.content
    assert "- `secret`: the key" in chunk.content


def test_overloads_share_one_heading() -> None:
    page = pages({"index.d.ts": "export function f(a: string): string;\nexport function f(a: number): number;"})["index.d.ts"]
    assert headings(page) == ["acme", "f"]
    assert "f(a: string): string\nfunction f(a: number): number" in code(page)


def test_that_one_overload_is_deprecated_is_said_of_that_one_alone() -> None:
    text = """
export declare function pick(source: string): string;
/** @deprecated Leave the selector out. */
export declare function pick(source: string, selector: undefined): string;
"""
    page = pages({"index.d.ts": text})["index.d.ts"]
    assert not [block for block in page.blocks if "Deprecated" in block.text]
    assert "string\n/** @deprecated Leave the selector out */\nfunction pick(source: string, selector: undefined)" in code(page)


def test_members_with_a_comment_get_a_heading_and_the_others_stand_together() -> None:
    text = """
export declare class Client extends Base<string> {
  private secret: string;
  #hidden: number;
  "~standard": number;
  readonly url: string;
  /** Sends it. */
  send(body: string): Promise<void>;
  /** @internal */
  poke(): void;
}
"""
    page = pages({"index.d.ts": text})["index.d.ts"]
    assert headings(page) == ["acme", "Client", "Client.send"]
    assert "```ts\nclass Client extends Base<string> {\n  readonly url: string\n}\n```" in code(page)
    assert "secret" not in code(page)
    assert "~standard" not in code(page)
    assert "poke" not in code(page)


def test_re_exports_are_followed_and_named_as_users_import_them() -> None:
    files = {
        "package.json": '{"exports": {".": {"types": "./dist/index.d.ts"}, "./extra": {"import": "./dist/extra.js"}}}',
        "dist/index.d.ts": 'import { Hono as Hono$1 } from "./app.js";\nexport { Hono$1 as App };\nexport * from "./tools";',
        "dist/app.d.ts": "/** The app. */\nexport declare class Hono {}",
        "dist/tools/index.d.ts": "export declare const tool: number;",
        "dist/extra.d.ts": "export declare function more(): void;",
        "dist/unused.d.ts": "export declare function unused(): void;",
    }
    found = pages(files)
    assert set(found) == {"dist/app.d.ts", "dist/tools/index.d.ts", "dist/extra.d.ts"}
    assert headings(found["dist/app.d.ts"]) == ["acme: app", "App"]
    assert found["dist/extra.d.ts"].title == "acme/extra"
    assert 'import { more } from "acme/extra"' in code(found["dist/extra.d.ts"])


def test_a_package_may_name_its_own_entry_points_and_offer_files_by_a_pattern() -> None:
    files = {
        "package.json": '{"exports": {".": "./index.js", "./*": "./lib/*.js", "./assets/*": "./assets/*"}}',
        "index.d.ts": 'export * from "acme/vanilla";',
        "lib/vanilla.d.ts": "export declare function create(): void;",
        "lib/middleware/immer.d.ts": "export declare function immer(): void;",
        "lib/_private.d.ts": "export declare function hidden(): void;",
        "assets/icon.d.ts": "export declare function icon(): void;",
    }
    found = pages(files)
    assert headings(found["lib/vanilla.d.ts"]) == ["acme/vanilla", "create"]
    assert headings(found["lib/middleware/immer.d.ts"]) == ["acme/middleware/immer", "immer"]
    assert set(found) == {"lib/vanilla.d.ts", "lib/middleware/immer.d.ts"}


def test_a_namespace_that_is_exported_as_a_whole_gives_its_names_a_prefix() -> None:
    files = {
        "index.d.ts": 'import * as z from "./all.js";\nexport * from "./all.js";\nexport { z, z as default };',
        "all.d.ts": 'export declare function string(): void;\nexport * as iso from "./iso.js";',
        "iso.d.ts": "export declare function date(): void;",
    }
    found = pages(files, "zod")
    assert headings(found["all.d.ts"])[1:] == ["z.string"]
    assert headings(found["iso.d.ts"])[1:] == ["z.iso.date"]


def test_an_assigned_namespace_exports_its_names_and_a_function_keeps_them_behind_its_own() -> None:
    react = """
export = React;
declare namespace React {
  /** State. */
  function useState(): void;
  namespace JSX { interface E { a: 1 } }
}
"""
    assert headings(pages({"index.d.ts": react}, "react")["index.d.ts"]) == ["react", "useState", "JSX.E"]
    express = "declare function e(): void;\ndeclare namespace e { var json: number; }\nexport = e;"
    page = pages({"index.d.ts": express}, "express")["index.d.ts"]
    assert headings(page) == ["express", "express", "express.json"]
    assert "function express(): void" in code(page)


def test_files_that_are_named_by_path_belong_to_the_one_that_names_them() -> None:
    files = {
        "index.d.ts": '/// <reference path="./common/array.d.ts" />\nexport = _;\ndeclare const _: _.Static;\n',
        "common/array.d.ts": 'import _ = require("../index");\ndeclare module "../index" {\n'
        "  interface Static {\n    /** Splits it. */\n    chunk<T>(array: T[], size?: number): T[][];\n  }\n}",
    }
    assert headings(pages(files, "lodash")["common/array.d.ts"]) == ["lodash: array", "Static", "Static.chunk"]


def test_an_older_version_and_translations_in_the_same_package_are_left_out() -> None:
    files = {
        "package.json": '{"types": "index.d.ts", "exports": {".": "./index.js", "./v3": "./v3/index.js"}}',
        "index.d.ts": 'export * from "./locales/index.js";\nexport declare const now: 1;',
        "v3/index.d.ts": "export declare const old: 1;",
        "locales/index.d.ts": "export declare const de: 1;",
    }
    assert set(pages(files)) == {"index.d.ts"}


def test_programs_of_types_and_names_marked_as_internal_need_a_comment_to_be_shown() -> None:
    program = "export type Deep<T> = " + " : ".join(f"T extends {number} ? {number}" for number in range(40)) + " : never;\n"
    text = f"{program}export declare const $mark: 1;\n/** Told. */\nexport declare const _told: 1;\nexport type Short = 1;\n"
    assert headings(pages({"index.d.ts": text})["index.d.ts"]) == ["acme", "_told", "Short"]


def test_variance_words_and_unnamed_defaults_are_read() -> None:
    found = read_declarations("export interface Box<in out T, const U> { get(): T }\nexport default function (): void;")
    assert set(found.symbols) == {"Box", "_default"}
    assert found.symbols["Box"].plain == ("get(): T",)


def test_a_broken_declaration_does_not_hide_its_neighbours() -> None:
    found = read_declarations("export declare const a: @@@ ];\nexport declare function b(): void;\n")
    assert "b" in found.symbols


def test_a_long_list_of_members_is_shown_in_blocks_that_repeat_the_first_line() -> None:
    members = "\n".join(f"  member{number}: {'x' * 80};" for number in range(100))
    page = pages({"index.d.ts": f"export interface Big {{\n{members}\n}}"})["index.d.ts"]
    blocks = [block.text for block in page.blocks if block.kind == "code"]
    assert len(blocks) > 2
    assert all(block.startswith("```ts\ninterface Big {\n") and block.endswith("\n}\n```") for block in blocks)
    assert "\n".join(blocks).count("member") == 100
    assert max(chunk.tokens for chunk in chunk_page(page)) <= 800


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("/** One. {@link Client.send the way} */", "One. `the way`"),
        ("/** See {@link https://a.example Docs}. */", "See [Docs](https://a.example)."),
        ("/**\n * A.\n *\n * @example\n * const a = 1\n *   + 2\n */", "A.\n\n```ts\nconst a = 1\n  + 2\n```"),
        ("/**\n * @example\n * ```tsx\n * <A @b />\n * ```\n */", "```tsx\n<A @b />\n```"),
        ("/** @param {string} [name='x'] - who */", "- `name` (default `'x'`): who"),
        ("/** @deprecated Use b. @see */", "Deprecated: Use b. @see"),
        ("/** @returns {number} how many */", "Returns: how many"),
        ("/** @module x */", ""),
    ],
)
def test_a_comment_is_read_as_markdown(comment: str, text: str) -> None:
    assert read_comment(comment).text == text


def test_what_is_marked_as_internal_is_hidden() -> None:
    assert read_comment("/** Ours.\n * @internal */").is_hidden


def test_a_public_type_shows_the_members_of_the_private_one_that_it_extends() -> None:
    text = """
interface _Text<T> { min(length: number): this; /** Cuts blanks. */ trim(): this }
export interface Text extends _Text<string> { email(): this }
"""
    page = pages({"index.d.ts": text})["index.d.ts"]
    assert headings(page) == ["acme", "Text", "Text.trim"]
    assert "  min(length: number): this\n  email(): this" in code(page)


def test_members_that_are_only_deprecated_have_no_heading() -> None:
    text = "export declare class A {\n  /** @deprecated Use `b()` instead. */\n  a(): void;\n  /** Does it. */\n  b(): void;\n}"
    page = pages({"index.d.ts": text})["index.d.ts"]
    assert headings(page) == ["acme", "A", "A.b"]
    assert "  /** @deprecated Use `b()` instead */\n  a(): void" in code(page)


def test_a_lower_layer_that_is_passed_on_shows_what_has_a_comment_and_no_marked_names() -> None:
    files = {
        "package.json": '{"exports": {".": "./classic/index.js", "./core": "./core/index.js"}}',
        "classic/index.d.ts": 'export * as core from "../core/index.js";\nexport declare function object(): void;',
        "core/index.d.ts": (
            "export declare function bare(): void;\n/** Told. */\nexport declare function told(): void;\n"
            "/** Ours. */\nexport declare const $mark: 1;"
        ),
    }
    found = pages(files)
    assert headings(found["classic/index.d.ts"]) == ["acme", "object"]
    assert headings(found["core/index.d.ts"])[1:] == ["core.told"]


def test_the_numbers_of_bundlers_are_no_part_of_a_name() -> None:
    text = "/** Options. */\ninterface Options$1 { port?: number }\nexport declare function serve(options: Options$1): void;"
    page = pages({"index.d.ts": text})["index.d.ts"]
    assert headings(page) == ["acme", "Options", "serve"]
    assert "serve(options: Options): void" in code(page)


def test_names_of_one_thing_share_a_chunk_and_others_do_not() -> None:
    names = "\n".join(
        f"export interface My{name} {{ {' '.join(f'part{n}(value: string, other: number): this;' for n in range(9))} }}\n"
        f"export declare function {name.lower()}(): My{name};"
        for name in ("Text", "Count")
    )
    found = chunk_page(pages({"index.d.ts": names})["index.d.ts"])
    assert [chunk.heading for chunk in found if "part0" in chunk.content] == [("MyText / text",), ("MyCount / count",)]


def test_an_empty_interface_without_a_comment_says_nothing() -> None:
    text = "interface Base { a: string }\nexport interface Empty extends Base {}\nexport declare function f(): void;"
    assert headings(pages({"index.d.ts": text})["index.d.ts"]) == ["acme", "f"]


def test_words_of_comments_and_strings_are_kept_as_they_are_written() -> None:
    text = """
/** The last fetch, in milliseconds.
 *
 * @example
 * export default function (options) {}
 */
export interface Cache<in out T> {
  /** A list, out of order: costs$1. */
  order: "a,  b" | "x$1";
  plain: T$1; // said, in short
}
"""
    shown = "\n".join(block.text for block in pages({"index.d.ts": text})["index.d.ts"].blocks)
    assert "The last fetch, in milliseconds." in shown
    assert "export default function (options) {}" in shown
    assert "A list, out of order: costs$1." in shown
    assert 'order: "a,  b" | "x$1"' in shown
    assert "interface Cache<T> {" in shown
    assert "plain: T\n" in shown


def test_a_long_type_loses_its_comments_and_keeps_strings_that_look_like_them() -> None:
    rows = "".join(f'  | "kind{number}" /* number {number} */\n' for number in range(90))
    text = f'/** Kinds. */\nexport type Kind =\n  | "text/*"\n  | "image/png"\n  | "*/*"\n{rows};'
    shown = code(pages({"index.d.ts": text})["index.d.ts"])
    assert '| "text/*"\n| "image/png"\n| "*/*"\n| "kind0"\n| "kind1"\n' in shown
    assert "number 3" not in shown


def test_a_computed_member_is_headed_by_its_whole_name() -> None:
    text = """
export declare class Keys {
  /** Yields keys. */
  [Symbol.asyncIterator]: () => AsyncIterator<string>;
  /** A quoted one. */
  "a.b": number;
}
export { Keys as Bunch };
"""
    found = headings(pages({"index.d.ts": text})["index.d.ts"])
    assert "Keys[Symbol.asyncIterator]" in found
    assert 'Keys."a.b"' in found


def test_a_package_or_decorator_at_the_start_of_a_line_is_no_tag() -> None:
    comment = read_comment("/**\n * Made for\n * @acme/core, which starts it.\n * @example\n * @Injectable()\n * class A {}\n */")
    assert "Made for\n@acme/core, which starts it." in comment.text
    assert "@Injectable()\nclass A {}" in comment.text


def test_a_namespace_that_is_there_without_an_import_is_read_and_additions_to_others_are_not() -> None:
    text = """
declare global {
  namespace Taste { interface Assertion { not: Assertion; equal(value: unknown): Assertion } }
  namespace NodeJS { interface Global { taste: unknown } }
  interface Array<T> { taste(): T }
}
export const expect: (value: unknown) => Taste.Assertion;
"""
    page = pages({"index.d.ts": text})["index.d.ts"]
    assert headings(page) == ["acme", "Taste.Assertion", "expect"]
    assert "equal(value: unknown): Assertion" in code(page)


@pytest.mark.parametrize("subpath", ["./internal/*", "./dist/cjs/*.js", "./src/*.ts"])
def test_what_opens_the_inside_of_a_package_gives_its_names_no_other_home(subpath: str) -> None:
    exports = {".": {"types": "./lib/index.d.ts"}, subpath: {"types": "./lib/*.d.ts"}}
    found = pages({
        "package.json": json.dumps({"exports": exports}),
        "lib/index.d.ts": 'export { spin } from "./spin";\n',
        "lib/spin.d.ts": "export declare function spin(): void;\n",
        "lib/own.d.ts": "/** Of its own. */\nexport declare function own(): void;\n",
    })  # fmt: skip
    assert [(path, page.title) for path, page in found.items()] == [("lib/spin.d.ts", "acme: spin")]


def test_what_a_class_or_interface_inherits_is_named_with_it() -> None:
    files = {
        "index.d.ts": """
import type * as t from "./types";
import { Named as Called } from "./types";
/** The way to sign. */
export declare class Sign extends t.Base<string> implements Called, Gone {
  /** Own one. */
  issue(): void;
}
export interface Options extends Partial<t.Limits> {
  own: number;
}
export { Base, Limits, Named } from "./types";
""",
        "types.d.ts": """
export interface Root { _hidden: number; deep(): void; issue(): void; }
export declare class Base<T> extends Root { constructor(); static of: T; /** Says it. */ say(word: string): T; }
export interface Named { name?: string; say(word: string): string; }
export interface Limits { size: number; }
""",
    }
    shown = code(pages(files)["index.d.ts"])
    assert (
        "class Sign extends t.Base<string> implements Called, Gone {\n  // from Base: of, say\n  // from Named: name\n" in shown
    )
    assert "  // from Root: deep\n}" in shown
    assert "interface Options extends Partial<t.Limits> {\n  own: number\n  // from Limits: size\n}" in shown


def test_of_very_many_inherited_names_the_first_are_shown() -> None:
    members = " ".join(f"m{number}: string;" for number in range(60))
    text = f"export interface Many {{ {members} }}\nexport interface More extends Many {{ own: 1 }}"
    shown = " ".join(code(pages({"index.d.ts": text})["index.d.ts"]).replace("//", "").split())
    assert "from Many: m0, m1," in shown
    assert "m39 and 20 more }" in shown


def test_interfaces_that_extend_each_other_come_to_an_end() -> None:
    text = "export interface A extends B { a: 1 }\nexport interface B extends A { b: 2 }"
    shown = code(pages({"index.d.ts": text})["index.d.ts"])
    assert "interface A extends B {\n  a: 1\n  // from B: b\n}" in shown


def test_a_class_is_shown_with_what_the_compiler_put_behind_it() -> None:
    text = """
export interface Produce { /** Sets it. */ setExpiry(at: number): this; }
/** @param payload What it says. */
declare const Sign_base: new (payload?: string) => Produce;
/** Produces tokens. */
export declare class Sign extends Sign_base {
  /** Does it. */
  sign(key: string): string;
}
export {};
"""
    page = pages({"index.d.ts": text})["index.d.ts"]
    assert headings(page) == ["acme", "Produce", "Produce.setExpiry", "Sign", "Sign.sign"]
    assert "class Sign extends Produce {\n  constructor(payload?: string)\n  // from Produce: setExpiry\n}" in code(page)
    assert 'import { Sign } from "acme"' in code(page)
    assert "- `payload`: What it says." in [block.text for block in page.blocks]
