"""The model without a model: the five steps as turns of the loop, over the documentation's own sentences and code.

A pure function of the request. Turn 1 names the library and asks for candidates (or goes straight to its id); turn 2 picks one
and queries, one call a concept; turn 3 summarises. What it needs to know of earlier turns it reads out of the messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from docs_researcher.core.answer import AnsweredLibrary, Status
from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.messages import QUERY, RESOLVE, Reply, ToolCall, ToolResult
from docs_researcher.core.secrets import REDACTED, remove_secrets
from docs_researcher.docsets.installed.known import OWN_ECOSYSTEM
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.packages import parse_package
from docs_researcher.models.answer_notices import answer_notices
from docs_researcher.models.asked_language import AskedLanguage
from docs_researcher.models.base import ModelRequest
from docs_researcher.models.comparison import Comparison
from docs_researcher.models.conversation import Conversation, call_id, second_id
from docs_researcher.models.further_queries import FurtherQueries
from docs_researcher.models.ids import names_library, of_side, pick_own, read_without_version, versioned, wider
from docs_researcher.models.unanswered import (
    ROTATE,
    cut_short,
    failed,
    no_lookup,
    no_such_library,
    no_such_version,
    nothing_found,
    refused_version,
    tied,
    with_rotation_advice,
)
from docs_researcher.steps.answer.summarise import ConceptEvidence, summarise
from docs_researcher.steps.candidates.pick import Pick, pick
from docs_researcher.steps.queries.query_words import query_words, without_addresses
from docs_researcher.steps.queries.split import Split, split
from docs_researcher.steps.question.asked_apart import may_ask_apart
from docs_researcher.steps.question.compared_libraries import Side, may_compare
from docs_researcher.steps.question.identify import Identification, identify
from docs_researcher.steps.question.in_project import at_project_version, package_of, project_version, with_dependencies
from docs_researcher.steps.question.named import Named
from docs_researcher.steps.question.registry import guess_sentence
from docs_researcher.steps.question.sides import sides_of

MOST_RESOLVES = 2
"""The asked name, and once a wider one."""
_OF_THE_API = ("identifier", "code")
"""Kinds of mentions that are part of the question's subject."""


class ExtractiveModel:
    """`models.base.Model` that needs no key and no network."""

    def __init__(self, known: Callable[[], Catalogue]) -> None:
        """`known` is asked at each turn for the libraries that a question may name: what is installed may change."""
        self._known = known

    @property
    def name(self) -> str:
        """The name shown in `usage.model`."""
        return "extractive"

    @property
    def thinks_for_free(self) -> bool:
        """Its turns cost milliseconds."""
        return True

    @property
    def only_quotes(self) -> bool:
        """Its sentences and code are the documentation's, and those of the tools."""
        return True

    async def prepare(self) -> None:
        """Nothing to make ready."""

    async def reply(self, request: ModelRequest) -> Reply:
        """The next calls, or the final text."""
        catalogue = self._known()
        sides = _sides(request, catalogue)
        if sides:
            return Comparison(request, sides, lambda one: _Turn(one, catalogue).reply()).reply()
        return _Turn(request, catalogue).reply()

    async def aclose(self) -> None:
        """Nothing to release."""


def _sides(request: ModelRequest, catalogue: Catalogue) -> tuple[Side, ...]:
    """The libraries that a question compares, or asks different things of, where the asker fixes none."""
    question = request.question
    if question.library or not (may_compare(question.text) or may_ask_apart(question.text)):
        return ()
    catalogue = with_dependencies(catalogue, question.project)
    return sides_of(identify(question.text, catalogue, None, question.project), catalogue)


class _Turn:
    """One turn: what was asked, what was understood, what has been found so far."""

    def __init__(self, request: ModelRequest, catalogue: Catalogue) -> None:
        self._request = request
        self._project = request.question.project
        self._catalogue = catalogue = with_dependencies(catalogue, self._project)
        self._said = Conversation.of(request.messages)
        text, self._secrets = remove_secrets(request.question.text)
        text = text.replace(REDACTED, "")  # no word of the question, and an address around it stays one
        self._understood: Identification = identify(text, catalogue, request.question.library, self._project)
        self._split: Split = split(text, self._understood)
        self._language = AskedLanguage.of(text)

    def reply(self) -> Reply:
        """The next calls, or the final text; nothing of a secret in the question stands in either."""
        reply = self._reply()
        return with_rotation_advice(reply) if self._secrets and not reply.tool_calls else reply

    def _reply(self) -> Reply:
        if not self._understood.use_docs or not (self._understood.libraries or self._understood.docs_id):
            return no_lookup(self._understood, self._catalogue)
        if not self._request.tools:
            return self._last_words()
        if self._said.queried:
            return self._listed() or self._further.reply() or self._answer()
        if self._said.resolved:
            return self._picked()
        if self._understood.docs_id is not None:
            return self._query(self._given_id(self._understood.docs_id))
        if self._asked.id is not None and self._is_settled:
            return self._query(LibraryId.parse(self._asked.id).at(self._asked.version).text)
        return self._resolve(self._resolve_name(), 0)

    @property
    def _is_settled(self) -> bool:
        """Whether there is nothing to look for: the asker's own documentation, or an agent that may not resolve."""
        own = self._asked.entry is not None and self._asked.entry.ecosystem == OWN_ECOSYSTEM
        return own or all(tool.name != RESOLVE for tool in self._request.tools)

    @property
    def _asked(self) -> Named:
        """The library that is asked about, at the version of the project where the asker names none."""
        docs_id = self._understood.docs_id
        if self._understood.libraries:
            return at_project_version(self._understood.libraries[0], self._project)
        return Named(docs_id.base if docs_id else "", None, docs_id.text if docs_id else None, None)

    def _given_id(self, docs_id: LibraryId) -> str:
        """The id that the asker gave, byte for byte; without a version in it at that of the question or the project."""
        return docs_id.at(self._asked.version).text if docs_id.version is None and self._asked.version else docs_id.text

    # Resolving and picking

    def _resolve_name(self) -> str:
        """The name to look up: as canonical; a package that the catalogue does not know as its purl's short form."""
        package = parse_package(self._request.question.library or "")
        if package is not None and self._asked.entry is None:
            return f"{package.type}:{package.name}"
        return package_of(self._asked, self._project) or self._asked.name

    def _resolve(self, name: str, number: int) -> Reply:
        arguments = {"query": without_addresses(self._understood.query), "libraryName": name}
        return Reply(tool_calls=(ToolCall(f"resolve-{number + 1}", RESOLVE, arguments),), stop="tool_calls")

    def _picked(self) -> Reply:
        call, result = self._said.resolved[-1]
        if result.outcome not in ("ok", "not_found"):
            return failed(f"Looking for {self._asked.name}", [result])
        choice = self._pick(result, str(call.arguments.get("libraryName", "")))
        if choice.tied:
            return tied(self._asked.name, choice.tied)
        if choice.candidate is not None:
            return self._query_choice(choice, result)
        looked_up = str(call.arguments.get("libraryName", ""))
        other = self._asked.name if package_of(self._asked, self._project) == looked_up else wider(self._asked.name)
        if other and len(self._said.resolved) < MOST_RESOLVES and self._request.meter.may_call(RESOLVE):
            return self._resolve(other, len(self._said.resolved))
        offered = [candidate for _, found in self._said.resolved for candidate in found.candidates]
        return no_such_library(self._asked.name, offered, self._catalogue)

    @property
    def _wider_name(self) -> str:
        """The wider name under which a library was found, since none is called as asked; else empty."""
        call = self._said.resolved[-1][0] if self._said.resolved else None
        looked_up = str(call.arguments.get("libraryName", "")) if call is not None else ""
        return looked_up if looked_up == wider(self._asked.name) else ""

    def _query_choice(self, choice: Pick, result: ToolResult) -> Reply:
        """Query what was picked, at the listed version that fits.

        Without one: at the version asked for, if the provider finds versions by itself; else without a version, which is said, or
        refused where the asker wants no other.
        """
        if choice.version is not None or not self._asked.version or result.finds_versions:
            return self._query(versioned(choice, self._asked.version))
        if self._request.question.strict_version:
            return no_such_version(choice.missing)
        return self._query(versioned(choice, None))

    def _pick(self, result: ToolResult, looked_up: str) -> Pick:
        if self._understood.docs_id is not None:
            return pick_own(self._understood.docs_id, self._asked.version, self._understood.query, result.candidates)
        entry = self._asked.entry
        aliases = (*entry.aliases, *entry.npm, *entry.pypi) if entry is not None else ()
        name = looked_up if looked_up == wider(self._asked.name) else self._asked.name
        return pick(name, self._asked.version, self._understood.query, of_side(entry, result.candidates), aliases)

    def _listed(self) -> Reply | None:
        """Where a given id is not there at its version: one look at what is listed, then the version of it that fits."""
        called, docs_id = self._said.queried, self._understood.docs_id
        if docs_id is None or self._said.rounds > 1 or LibraryId.parse(self._said.library_id).version is None:
            return None
        if any(result.outcome != "not_found" or result.library is not None for _, result in called):
            return None
        if not self._said.resolved:
            may = any(tool.name == RESOLVE for tool in self._request.tools) and self._request.meter.may_call(RESOLVE)
            return self._resolve(self._resolve_name(), 0) if may else None
        choice = self._pick(self._said.resolved[-1][1], "")
        if choice.candidate is None:
            return None
        if choice.version is None and self._request.question.strict_version:
            return refused_version(choice.warnings)
        left = self._request.meter.remaining_calls(QUERY)
        arguments = [{**call.arguments, "libraryId": versioned(choice, None)} for call, _ in called[:left]]
        calls = [ToolCall(second_id(number, "other-words"), QUERY, one) for number, one in enumerate(arguments)]
        return Reply(tool_calls=tuple(calls), stop="tool_calls") if calls else None

    # Querying

    @property
    def _concepts(self) -> tuple[str, ...]:
        return self._split.concepts or (self._understood.query,)

    def _query(self, library_id: str) -> Reply:
        most = self._request.meter.remaining_calls(QUERY)
        if not most:
            return self._last_words()
        calls = [
            ToolCall(call_id(number), QUERY, {"libraryId": library_id, "query": self._words_for(concept)})
            for number, concept in enumerate(self._concepts[:most])
        ]
        return Reply(tool_calls=tuple(calls), stop="tool_calls")

    def _words_for(self, concept: str) -> str:
        """The query for a concept, without the library's name and version, which the id says already.

        A name out of its API (`generateMetadata`) tells which library is meant, and is what is looked for.
        """
        names = {
            mention.text
            for mention in self._understood.mentions
            if mention.name == self._asked.name and mention.kind not in _OF_THE_API
        }
        return query_words(self._language.query(concept), names, self._asked.version)

    @property
    def _further(self) -> FurtherQueries:
        return FurtherQueries(
            self._said,
            self._concepts,
            self._understood.query,
            meter=self._request.meter,
            ignore=(self._asked.name,),
            is_foreign=self._language.is_foreign,
            strict_version=self._request.question.strict_version,
        )

    # Answering

    def _answer(self, status: Status = "complete") -> Reply:
        asked = self._said.concepts_asked
        found = [
            ConceptEvidence(self._language.as_read(concept, self._read), self._said.passages_for(number))
            for number, concept in enumerate(self._concepts[:asked])
        ]
        faults = self._said.faults()
        if self._wider_name and not any(names_library(self._asked.name, text) for text in self._read):
            offered = [candidate for _, result in self._said.resolved for candidate in result.candidates]
            return no_such_library(self._asked.name, offered, self._catalogue)
        if not any(evidence.passages for evidence in found):
            return self._without_passages(faults)
        library = self._library()
        left_out = (*self._concepts[asked:], *self._split.left_out)
        summary = summarise(
            self._language.as_read(without_addresses(self._understood.query), self._read),
            found,
            budget=self._request.question.answer_tokens,
            library=library,
            lead=self._lead(),
            left_out=left_out,
            description=self._description(library),
            only_reference=any(notice.code == "reference_only" for notice in self._said.notices),
        )
        missing = any(not evidence.passages for evidence in found) and bool(faults)
        if left_out or missing or summary.passed_over or summary.lacking or summary.weak or self._asks_by_name_alone:
            status = "partial"
        return Reply(
            summary.text,
            status=status,
            notices=answer_notices(summary, left_out, faults, unlisted=self._unlisted(), known=self._said.notices),
            library=library,
        )

    @property
    def _asks_by_name_alone(self) -> bool:
        """Whether of a question in another language only the library's name is known in English, and was looked for."""
        names = {word for mention in self._understood.mentions for word in mention.text.lower().split()}
        return self._language.is_foreign and all(set(self._words_for(one).lower().split()) <= names for one in self._concepts)

    def _description(self, library: AnsweredLibrary | None) -> str:
        """What the package of a library says that it is."""
        entry = self._catalogue.by_id(library.id) if library is not None else None
        return entry.description if entry is not None else ""

    @property
    def _read(self) -> list[str]:
        """The texts that were found."""
        return [passage.content for _, result in self._said.queried for passage in result.passages]

    def _without_passages(self, faults: Sequence[ToolResult]) -> Reply:
        if faults:
            return failed(f"Reading the documentation of {self._asked.name}", faults)
        absent = [result for _, result in self._said.queried if result.library is None and result.text.strip()]
        if absent:
            return replace(failed("", absent), status="not_found")
        asked = [without_addresses(concept) for concept in self._concepts[: self._said.concepts_asked]]
        reply = nothing_found(self._asked.name, asked, self._lead(), also_other_words=self._said.rounds > 1)
        return replace(reply, library=self._said.library)

    def _last_words(self) -> Reply:
        """The tool-free turn: what there is, marked as partial where something would have been asked for first."""
        if not self._said.queried:
            return cut_short(self._request.stopped_by)
        if self._listed() or self._further.reply():
            return self._answer("partial")
        reply = self._answer()
        return replace(reply, is_finished=reply.status in (None, "complete"))

    def _library(self) -> AnsweredLibrary | None:
        known = self._said.library
        if known is not None:
            entry = self._catalogue.by_id(known.id)
            return replace(known, name=entry.name) if entry is not None else known
        parsed = LibraryId.try_parse(self._said.library_id)
        if parsed is None:
            return None
        how = "asked for" if parsed.version else "not stated by the source"
        return AnsweredLibrary(self._asked.name, parsed.base, parsed.version, how)

    def _lead(self) -> tuple[str, ...]:
        """What has to be said first. The provider's word on the version counts more than what the list of candidates promised."""
        told = (*self._said.told_first, *((ROTATE,) if self._secrets else ()))
        warnings: tuple[str, ...] = ()
        if self._said.resolved:
            call, result = self._said.resolved[-1]
            warnings = self._pick(result, str(call.arguments.get("libraryName", ""))).warnings
        if self._said.library is not None:
            # The provider knows which version it read and says so itself; what the list of candidates let expect is no news.
            asked = self._asked.version or ""
            warnings = tuple(warning for warning in warnings if not asked or asked not in warning)
        queries = [str(call.arguments.get("query", "")) for call, _ in self._said.queried[: len(self._concepts)]]
        if name := self._wider_name:
            warnings = (
                f"No library called {self._asked.name} was found; this is what the documentation of {name} says.",
                *warnings,
            )
        return tuple(
            dict.fromkeys(
                [*self._language.told(queries, self._read), *self._of_project(), *told, *warnings, *self._unversioned()]
            )
        )

    def _unlisted(self) -> tuple[str, ...]:
        """That the version asked for was not read, where the provider does not say it itself."""
        asked, queried = self._asked.version, LibraryId.try_parse(self._said.library_id)
        if not asked or self._said.library is not None or queried is None or queried.version is not None:
            return ()
        return tuple(warning for warning in self._lead() if asked in warning)[:1]

    def _of_project(self) -> tuple[str, ...]:
        """Said where the project has the library, or nothing says which client of it: the reader knows what counted and why."""
        named, docs_id, read = self._understood.asked, self._understood.docs_id, self._said.library
        if named is None or (docs_id is not None and docs_id.version is not None):
            return ()
        if (found := project_version(named, self._project)) is not None:
            return (found.sentence(named.name),)
        guess = guess_sentence(named) if read is not None and named.entry is not None and read.id == named.entry.id else ""
        return (guess,) if guess else ()

    def _unversioned(self) -> tuple[str, ...]:
        """Said when the id with its version held nothing and the one without was read instead."""
        listed = self._understood.docs_id is not None and self._said.resolved
        ids = list(dict.fromkeys(str(call.arguments.get("libraryId", "")) for call, _ in self._said.queried))
        return () if listed else read_without_version(ids)
