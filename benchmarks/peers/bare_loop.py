"""The floor: a loop over stdin that answers a handshake, a list of one tool, and calls with a fixed text, and nothing else."""

import json
import sys
from typing import Any

TEXT = "word " * 1_500
TOOL = {"name": "query-docs", "description": "A fixed text.", "inputSchema": {"type": "object"}}
RESULTS: dict[str, Any] = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "bare", "version": "0"},
    },
    "tools/list": {"tools": [TOOL]},
    "tools/call": {"content": [{"type": "text", "text": TEXT}]},
}

for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": RESULTS[message["method"]]}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
