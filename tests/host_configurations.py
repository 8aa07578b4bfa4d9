"""Configuration files as people have them: each with the host that reads it, its place, its bytes, and why it may be refused."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """One file below the user's home. `refused` is a part of the reason for leaving it alone; empty if it can be changed."""

    name: str
    host: str
    path: str
    data: bytes
    refused: str = ""
    read_only: bool = False
    linked: bool = False


CLAUDE, CURSOR, CODEX = ".claude.json", ".cursor/mcp.json", ".codex/config.toml"
_SERVERS = b'{\n  "mcpServers": {\n    "github": {\n      "command": "gh-mcp",\n      "args": ["stdio"]\n    }\n  }\n}\n'


def _claude(name: str, data: bytes, refused: str = "") -> Case:
    return Case(name, "claude-code", CLAUDE, data, refused)


def _cursor(name: str, data: bytes, refused: str = "") -> Case:
    return Case(name, "cursor", CURSOR, data, refused)


def _codex(name: str, data: bytes, refused: str = "") -> Case:
    return Case(name, "codex", CODEX, data, refused)


CASES = [
    _claude(
        "written by Claude Code",
        b'{\n  "numStartups": 12,\n  "projects": {\n    "/src/app": {\n      "mcpServers": {}\n    }\n  }\n}',
    ),
    _claude("with servers", _SERVERS),
    _claude("minified", b'{"numStartups":3,"mcpServers":{"a":{"command":"x","args":[]}},"theme":"dark"}'),
    _claude("minified and empty table", b'{"mcpServers":{}}\n'),
    _claude("an empty object", b"{}"),
    _claude("an empty object in two lines", b"{\n}\n"),
    _claude("an empty file", b""),
    _claude("only blanks", b" \n\n"),
    _claude("no line end at the end", b'{\n  "mcpServers": {}\n}'),
    _claude("four blanks", b'{\n    "mcpServers": {\n        "a": {"command": "x"}\n    },\n    "z": 1\n}\n'),
    _claude(
        "letters of all kinds", '{\n  "name": "Zoë 🦊 \\u00e9 \\"q\\"",\n  "mcpServers": {"ü": {"command": "é"}}\n}\n'.encode()
    ),
    _claude(
        "keys that nobody knows",
        b'{\n  "x-own": [1, {"mcpServers": {"no": 1}}],\n  "mcpServers": {\n    "a": {"command": "x"}\n  }\n}\n',
    ),
    _claude("a key inside a text", b'{\n  "note": "\\"mcpServers\\": {",\n  "mcpServers": {}\n}\n'),
    _cursor(
        "comments",
        b'// servers\n{\n  "mcpServers": { // mine\n    // the first\n    "a": {"command": "x"} /* the last */\n  } // end\n}\n',
    ),
    _cursor("a comment after the last value", b'{\n  "mcpServers": {\n    "a": {"command": "x"} // keep me here\n  }\n}\n'),
    _cursor(
        "a server that is commented out",
        b'{\n  "mcpServers": {\n    // "old": {"command": "o"},\n    "a": {"command": "x"}\n  }\n}\n',
    ),
    _cursor("only a comment in the table", b'{\n  "mcpServers": { /* none yet */ }\n}\n'),
    _cursor("trailing commas", b'{\n  "mcpServers": {\n    "a": {"command": "x", "args": ["1", "2",],},\n  },\n}\n'),
    _cursor("CRLF", _SERVERS.replace(b"\n", b"\r\n")),
    _cursor("CRLF and comments", b'{\r\n  // c\r\n  "mcpServers": { // d\r\n    "a": {"command": "x"}\r\n  }\r\n}\r\n'),
    _cursor("mixed line ends", b'{\r\n  "mcpServers": {\n    "a": {"command": "x"}\r\n  }\n}\n'),
    _cursor("a byte order mark", b"\xef\xbb\xbf" + _SERVERS),
    _cursor("UTF-16", "\ufeff".encode("utf-16-le") + _SERVERS.decode().encode("utf-16-le")),
    _cursor("tabs", b'{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n'),
    Case("a link into a folder of dot files", "cursor", CURSOR, _SERVERS, linked=True),
    _codex(
        "tables and comments",
        b'# mine\nmodel = "o4" # fast\n\n[mcp_servers.a]\ncommand = "x"\nargs = ["-y"]\n\n[mcp_servers.a.env]\nA = "1"\n',
    ),
    _codex("no line end at the end", b'model = "o4"\n[tools]\nweb = true'),
    _codex("CRLF", b'model = "o4"\r\n\r\n[mcp_servers.a]\r\ncommand = "x"\r\n'),
    _codex("dotted keys", b'mcp_servers.a.command = "x"\nmcp_servers.a.args = ["1"]\n'),
    _codex("an empty file", b""),
    _codex("a byte order mark", b'\xef\xbb\xbfmodel = "o4"\n'),
    # Left as they are, with the reason
    _codex("an inline table", b'mcp_servers = { a = { command = "x" } }\n', "form into which nothing can be put"),
    _codex("broken", b'model = "o4\n[mcp_servers.a\n', "line 1"),
    _codex(
        "a server of our name that says something else",
        b'[mcp_servers.docs-researcher]\ncommand = "mine"\n',
        "says something else",
    ),
    Case("read-only", "claude-code", CLAUDE, _SERVERS, "read-only", read_only=True),
    _claude("broken off", b'{ "mcpServers": { ', "line 1"),
    _claude("a conflict of git", b'{\n<<<<<<< HEAD\n  "a": 1\n=======\n  "a": 2\n>>>>>>> x\n}\n', "line 2"),
    _claude("a list", b"[1, 2]\n", "holds no object"),
    _claude("servers that are a list", b'{\n  "mcpServers": []\n}\n', "mcpServers is no table"),
    _claude("a table that stands there twice", b'{\n  "mcpServers": {"a": {}},\n  "mcpServers": {"b": {}}\n}\n', "twice"),
    _claude(
        "a server of our name that says something else",
        b'{"mcpServers": {"docs-researcher": {"command": "mine"}}}\n',
        "says something else",
    ),
    _cursor("Latin-1", b'{\n  "name": "Zo\xeb"\n}\n', "not UTF-8"),
    _cursor("binary", bytes(range(256)), "not UTF-8"),
    _cursor("only a comment", b"// nothing here\n", "where a value is due"),
]
