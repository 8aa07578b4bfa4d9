# Sourced by the other scripts: goes to the checkout and finds the Python environment to use.
# An active virtual environment comes first, then the checkout's own .venv.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ -n "${VIRTUAL_ENV:-}" ] && [ -x "$VIRTUAL_ENV/bin/python" ]; then
    BIN="$VIRTUAL_ENV/bin"
elif [ -x .venv/bin/python ]; then
    BIN="$PWD/.venv/bin"
else
    echo "No Python environment. Run scripts/setup --dev first." >&2
    exit 1
fi
export PATH="$BIN:$PATH"
