"""Words that developers use for one another: what a question says and what a reference page calls it.

General language only. No name of a library's API stands here, so nothing is known about any one library.
"""

from __future__ import annotations

_GROUPS = """
login signin authenticate session
logout signout
secret password credential hidden
terminal screen console stdout output
print wrote written output stdout
broke broken fail failed failure
rerun again repeat retry
stop cancel kill abort terminate revoke
discard drop throw remove skip
resume continue pause persist
parallel concurrent simultaneously group
wait delay backoff
longer increase exponential backoff
itself automatically auto
temporary temp tmp
directory folder path
environment env variable
settings configuration options
switch flag toggle option
argument parameter value
several many multiple any
callback handler hook listener
failed error exception failure
mock stub fake patch
fetch request load
save store write export persist
entry record item row
cache memoize
schedule cron periodic interval
validate check verify schema
protect secure guard
redirect forward
performance fast speed optimize
limit throttle rate
share common scope
start run launch execute invoke
show display render
twice confirm confirmation
ask prompt input
send emit publish
delete remove destroy
change update modify edit
rename alias
combine merge join
split divide partition
order sort
number count amount
background worker job
cleanup teardown dispose
nested child subcommand
"""

SYNONYM_GROUPS: tuple[tuple[str, ...], ...] = tuple(tuple(line.split()) for line in _GROUPS.strip().splitlines())
"""Groups of words any of which may stand for another in a question."""
