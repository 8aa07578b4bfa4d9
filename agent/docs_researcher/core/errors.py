"""Every error that this package raises on purpose, in one tree.

    DocsResearchError                    exit 1, status "failed"
    ├── UsageError                       exit 2  arguments that cannot be used
    ├── ConfigurationError               a configuration file that cannot be used
    ├── DefinitionError                  an agent definition that cannot be loaded (path, line, column)
    ├── LibraryNotFound                  exit 3, status "not_found"  no such library, or none of that name installed
    ├── VersionNotFound                  exit 3, status "not_found"  the library exists, the version asked for does not
    ├── DocsetError                      a docset file or the store
    │   ├── DocsetInvalid                not a docset, or damaged
    │   │   └── DocsetNewer              made by a newer docs-researcher
    │   ├── NoDocumentation              exit 3, status "not_found"  a source that holds nothing to index
    │   ├── DocsetUnreadable             a file or folder of docsets that may not be read
    │   ├── StoreUnwritable              the store cannot be written: full disk, read-only, no permission
    │   └── SemanticUnavailable          search by meaning was asked for, and the extra or its model is not there
    ├── SourceError                      where documentation is read from
    │   ├── PackageNotFound              exit 3, status "not_found"  the registry has no such package or version
    │   ├── SourceUnavailable            offline, unreachable, or answering with an error
    │   ├── SourceRefused                too large, or holding what we do not unpack
    │   └── ConsentRequired              a fetch that needs the user's yes (`--yes`)
    ├── ToolError                        a documentation tool that could not answer
    │   ├── ArgumentsRefused             arguments that the tool does not take; costs no call
    │   └── ServerError                  an MCP server that cannot be started, reached or understood
    └── ModelError                       the model could not be reached or answered with an error

Each one says what happened, why, and what to do next. The command line prints these three sentences and exits with
`exit_code`; a traceback is shown only with `--debug`.
"""

from __future__ import annotations

from typing import ClassVar

WITHOUT_STRICT = "without --strict-version (in Python: strict_version=False)"
"""How a caller asks for the nearest version; a server says it in other words, and imports nothing else to do so."""


class DocsResearchError(Exception):
    """Base class: `what` happened, `why`, and the `next_step` for the reader.

    Each part is a sentence or a phrase without a final line break; `why` and `next_step` may be empty.
    """

    code: ClassVar[str] = "error"
    """A stable word for programs (`error.code` in JSON)."""

    exit_code: ClassVar[int] = 1
    """The exit code of the command line."""

    status: ClassVar[str] = "failed"
    """The status of an answer that ended with this error."""

    def __init__(self, what: str, *, why: str = "", next_step: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.what} ({self.why})" if self.why else self.what

    @property
    def message(self) -> str:
        """What happened and why, as one line."""
        return f"{self.what}: {self.why}" if self.why else self.what


class UsageError(DocsResearchError):
    """Arguments that cannot be used as given."""

    code = "usage"
    exit_code = 2


class ConfigurationError(DocsResearchError):
    """A configuration file that cannot be read or says something impossible."""

    code = "configuration"


class DefinitionError(DocsResearchError):
    """An agent definition that cannot be loaded; the place is part of `what` when it is known."""

    code = "definition"

    def __init__(
        self,
        what: str,
        *,
        why: str = "",
        next_step: str = "",
        path: str = "",
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        place = ":".join(str(part) for part in (path, line, column) if part not in ("", None))
        super().__init__(f"{place}: {what}" if place else what, why=why, next_step=next_step)
        self.path = path
        self.line = line
        self.column = column


class LibraryNotFound(DocsResearchError):
    """No library of that name is known, or none is installed under it."""

    code = "library_not_found"
    exit_code = 3
    status = "not_found"


class VersionNotFound(DocsResearchError):
    """The library is known; the version asked for is not to be had."""

    code = "version_not_found"
    exit_code = 3
    status = "not_found"


class DocsetError(DocsResearchError):
    """A docset file, or the store that keeps them."""

    code = "docset"


class DocsetInvalid(DocsetError):
    """A file that is no docset, or is damaged."""

    code = "docset_invalid"


class DocsetNewer(DocsetInvalid):
    """A docset that a newer docs-researcher made, in a form that this one does not know."""

    code = "docset_newer"


class NoDocumentation(DocsetError):
    """A source that holds nothing to index."""

    code = "no_documentation"
    exit_code = 3
    status = "not_found"


class DocsetUnreadable(DocsetError):
    """A file or folder of docsets that is there and may not be read."""

    code = "docset_unreadable"


class StoreUnwritable(DocsetError):
    """The store cannot be written: the disk is full, read-only, or not ours."""

    code = "store_unwritable"


class SemanticUnavailable(DocsetError):
    """Search by meaning cannot be had: the extra is not installed, or there is no model that may be used."""

    code = "semantic_unavailable"


class SourceError(DocsResearchError):
    """The place that documentation is read from."""

    code = "source"


class PackageNotFound(SourceError):
    """The registry knows no such package, or not that version of it."""

    code = "package_not_found"
    exit_code = 3
    status = "not_found"


class SourceUnavailable(SourceError):
    """Offline by choice, unreachable, or answering with an error."""

    code = "source_unavailable"


class SourceRefused(SourceError):
    """Too large, or holding something that we do not unpack."""

    code = "source_refused"


class ConsentRequired(SourceError):
    """A fetch that the trust rule does not allow without the user's yes."""

    code = "consent_required"


class ToolError(DocsResearchError):
    """A documentation tool that could not answer; the model may read the message."""

    code = "tool"


class ArgumentsRefused(ToolError):
    """Arguments that the tool does not take. A refused call costs nothing."""

    code = "arguments_refused"


class ServerError(ToolError):
    """An MCP server that cannot be started, reached or understood."""

    code = "server"


class ModelError(DocsResearchError):
    """The model could not be reached, or answered with an error."""

    code = "model"
