"""Making docs-researcher known to a host, and undoing it: first all changes are worked out, then they are made one by one."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from docs_researcher.core.lines import lines_of
from docs_researcher.hosts import insertions, receipts
from docs_researcher.hosts.clients import Host, Mode, Scope, Target, targets
from docs_researcher.hosts.foreign_files import content_of, delete, read_bytes, write_bytes
from docs_researcher.hosts.insertions import Insertion, Unchangeable
from docs_researcher.hosts.receipts import Receipt, digest

_READERS: Mapping[str, insertions.Reader] = {
    "json": insertions.read_json,
    "toml": insertions.read_toml,
    "section": lambda text: None,  # has no structure to compare
}

Action = Literal["write", "same", "skip", "restore", "delete", "keep"]


@dataclass(frozen=True, slots=True)
class Change:
    """What is done with one file: written, left as it is, skipped for a reason, put back, deleted, kept for another host."""

    path: Path
    what: str
    action: Action
    reason: str = ""
    before: bytes | None = None
    after: bytes | None = None
    receipt: Receipt | None = None
    """What is noted when the change is made; when it is undone, the note that goes."""

    @property
    def changes(self) -> bool:
        """Whether the file is touched."""
        return self.action in ("write", "restore", "delete")

    @property
    def is_ours(self) -> bool:
        """Whether all of the file comes from us."""
        return self.before is None or self.after is None

    def diff(self) -> str:
        """The change as a unified diff."""
        old, new = _lines(self.before), _lines(self.after)
        return "".join(f"{line}\n" for line in difflib.unified_diff(old, new, str(self.path), str(self.path), lineterm="", n=1))


def planned(host: Host, scope: Scope, project: Path, mode: Mode = "mcp") -> tuple[Change, ...]:
    """What has to be done so that a host knows docs-researcher. Nothing is written.

    Raises:
        ConfigurationError: our own list of what was written cannot be read.
    """
    known = receipts.load()
    owner = Receipt(host, scope, str(project) if scope == "project" else "", "", "", "", (), "", "", "")
    wanted = targets(host, scope, project, mode)
    dropped = [item for item in planned_removal(host, scope, project) if item.path not in {target.path for target in wanted}]
    return (*dropped, *(_planned(target, owner, known) for target in wanted))


def planned_removal(host: Host, scope: Scope, project: Path, leaving: Sequence[Host] = ()) -> tuple[Change, ...]:
    """What has to be done so that nothing of ours is left at a host. Nothing is written.

    A file that another host needs too is kept, unless that is one of `leaving`: hosts that are taken out before this one.

    Raises:
        ConfigurationError: our own list of what was written cannot be read.
    """
    known = receipts.load()
    root = str(project) if scope == "project" else ""
    mine = [item for item in reversed(known) if item.belongs_to(host, scope, root)]  # a folder goes with its last file
    others = [item for item in known if not any(item.belongs_to(name, scope, root) for name in (host, *leaving))]
    return tuple(_removal(item, [other for other in others if other.path == item.path]) for item in mine)


def make(change: Change) -> Change:
    """Make one change and tell how it ended: one that failed is a skip with its reason."""
    try:
        if change.changes:
            now = read_bytes(change.path)
            if now == change.after and change.action == "write":  # another host of the same run needed it too
                change = replace(change, action="same")
            elif now != change.before:
                return replace(change, action="skip", reason="it was changed meanwhile; run setup again")
        if change.action == "write":
            _write(change)
        elif change.action == "restore":
            write_bytes(change.path, change.after or b"")
        elif change.action == "delete" and change.receipt is not None:
            delete(change.path, tuple(Path(item) for item in change.receipt.made))
        if change.receipt is not None and change.action != "write":
            _note(change.receipt, gone=change.action in ("restore", "delete", "keep") or bool(change.reason))
    except (OSError, Unchangeable) as error:
        return replace(change, action="skip", reason=getattr(error, "strerror", None) or str(error))
    return change


def _planned(target: Target, owner: Receipt, known: tuple[Receipt, ...]) -> Change:
    own = [item for item in known if item.path == str(target.path)]
    try:
        before = read_bytes(target.path)
        base = _base(before, own)
        after, piece = _after(target, base)
    except Unchangeable as reason:
        return Change(target.path, target.what, "skip", str(reason))
    mine = any(item.belongs_to(owner.host, owner.scope, owner.root) for item in own)
    receipt = replace(
        own[0] if own else owner,
        host=owner.host,
        scope=owner.scope,
        root=owner.root,
        path=str(target.path),
        kind=target.kind,
        what=target.what,
        entry=target.entry,
        piece=piece,
        before=digest(base),
        after=digest(after),
    )
    if after == before:
        noted = receipt if own and not mine else None
        return Change(target.path, target.what, "same", before=before, after=after, receipt=noted)
    return Change(target.path, target.what, "write", before=before, after=after, receipt=receipt)


def _base(before: bytes | None, own: Sequence[Receipt]) -> bytes | None:
    """What the file would be without us: what an earlier set-up put in is taken out first, so that it can be put in anew."""
    if not own or before is None:
        return before
    try:
        return _undone(before, own[0])
    except Unchangeable:
        if own[0].kind == "file":
            raise
        return before  # somebody else has changed or taken out what was put in: what stands there now counts


def _after(target: Target, base: bytes | None) -> tuple[bytes, str]:
    """The file with what is ours in it, and the piece that is ours."""
    if target.kind == "file":
        data = target.text.encode()
        if base is not None and base != data:
            raise Unchangeable("a file of that name is there already and was not written by setup")
        return data, target.text
    content = content_of(base or b"")
    found = _insertion(target, content.text)
    return (base or b"", "") if found is None else (content.bytes_of(found.into(content.text)), found.text)


def _insertion(target: Target, text: str) -> Insertion | None:
    if target.kind == "section":
        return insertions.section(text, target.text)
    if target.kind == "toml":
        return insertions.toml_table(text, target.entry, target.value or {})
    return insertions.jsonc_entry(text, target.entry, target.value)


def _undone(data: bytes, receipt: Receipt) -> bytes | None:
    """The file without what the receipt says was put in; None where there was no file before.

    Raises:
        Unchangeable: it cannot be taken out without touching something else.
    """
    if digest(data) == receipt.after:
        if not receipt.before:
            return None
        kept = receipts.backup(receipt.before)
        if kept is not None:
            return kept
    if receipt.kind == "file":
        raise Unchangeable("it was changed after it was written")
    content = content_of(data)
    try:
        left = insertions.without(content.text, receipt.piece, _READERS[receipt.kind], receipt.entry)
    except Unchangeable:
        if receipt.kind != "json":
            raise
        left = insertions.without_entry(content.text, receipt.piece, receipt.entry)
    return None if not receipt.before and not left.strip() else content.bytes_of(left)


def _is_gone(data: bytes, receipt: Receipt) -> bool:
    """Whether nothing of ours stands in a file of somebody else any more."""
    if receipt.kind == "file":
        return False
    text = content_of(data).text
    if receipt.kind == "section":
        return insertions.MARK_START not in text
    return not insertions.has(_READERS[receipt.kind](text), receipt.entry)


def _removal(receipt: Receipt, others: Sequence[Receipt]) -> Change:
    path = Path(receipt.path)
    if others:
        names = ", ".join(sorted({other.host for other in others}))
        return Change(path, receipt.what, "keep", f"{names} needs it too", receipt=receipt)
    try:
        before = read_bytes(path)
        if before is None or digest(before) == receipt.before or _is_gone(before, receipt):
            return Change(path, receipt.what, "same", "it was taken out already", before, before, receipt)
        after = _undone(before, receipt)
    except Unchangeable as reason:
        return Change(path, receipt.what, "skip", f"{reason}; take out {_named(receipt)} by hand")
    return Change(path, receipt.what, "delete" if after is None else "restore", "", before, after, receipt)


def _named(receipt: Receipt) -> str:
    return ".".join(receipt.entry) if receipt.entry else f"the {receipt.what}"


def _write(change: Change) -> None:
    """The backup and the note come first: what is in a file and not in the list could not be taken out again."""
    receipt = change.receipt
    if receipt is None or change.after is None:
        return
    if change.before is not None and digest(change.before) == receipt.before:
        receipts.keep_backup(change.before)
    _note(receipt)
    made = write_bytes(change.path, change.after)
    if made:
        _note(replace(receipt, made=tuple(map(str, made))))


def _note(receipt: Receipt, *, gone: bool = False) -> None:
    """Bring the list up to date: one note for a host and a file. Other hosts' notes on the same file follow the new text."""
    kept: list[Receipt] = []
    found = False
    for item in receipts.load():
        mine = item.path == receipt.path and item.belongs_to(receipt.host, receipt.scope, receipt.root)
        found = found or mine
        if item.path != receipt.path or (gone and not mine):
            kept.append(item)
        elif not gone:
            kept.append(replace(receipt, host=item.host, scope=item.scope, root=item.root, made=receipt.made or item.made))
    if not gone and not found:
        kept.append(replace(receipt, made=receipt.made or next((item.made for item in kept if item.path == receipt.path), ())))
    receipts.save(kept)
    if gone:
        receipts.forget_backups(kept)


def _lines(data: bytes | None) -> list[str]:
    if data is None:
        return []
    try:
        return lines_of(content_of(data).text)
    except Unchangeable:
        return []
