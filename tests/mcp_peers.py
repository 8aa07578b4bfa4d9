"""Small foreign MCP servers as scripts, for the faults that real ones have. They speak the older protocol, without an SDK."""

from __future__ import annotations

import sys
from pathlib import Path

FRAME = """
import json, os, sys, time

QUERY_SCHEMA = {"type": "object", "properties": {"libraryId": {"type": "string"}, "query": {"type": "string"}}}
RESOLVE_SCHEMA = {"type": "object", "properties": {"libraryName": {"type": "string"}, "query": {"type": "string"}}}
TOOLS = [
    {"name": "query-docs", "inputSchema": QUERY_SCHEMA},
    {"name": "resolve-library-id", "inputSchema": RESOLVE_SCHEMA},
]

def send(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

def answer(request, result):
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})

def fail(request, code, message):
    send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": message}})

def text(request, words, **more):
    answer(request, {"content": [{"type": "text", "text": words}], **more})

def on_start():
    pass

def on_request(request):
    return False

def on_call(request):
    text(request, "### Title\\n\\nSource: https://d.example.invalid/x\\n\\nHow to do it.")

def serve():
    on_start()
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request or on_request(request):
            continue
        if request["method"] == "initialize":
            version, server = request["params"]["protocolVersion"], {"name": "peer", "version": "1"}
            answer(request, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server})
        elif request["method"] == "tools/list":
            answer(request, {"tools": TOOLS})
        elif request["method"] == "tools/call":
            on_call(request)
        else:
            fail(request, -32601, "Method not found")
"""


def peer(folder: Path, changes: str = "") -> tuple[str, list[str]]:
    """Command and arguments of a server in which `changes` redefine parts of `FRAME`."""
    script = folder / "peer.py"
    script.write_text(f"{FRAME}\n{changes}\nserve()\n", encoding="utf-8")
    return sys.executable, ["-I", "-S", str(script)]
