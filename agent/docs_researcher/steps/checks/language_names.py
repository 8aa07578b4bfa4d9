"""Names that belong to a programming language, its runtime or its tools, and that no library's documentation has to explain."""

from __future__ import annotations

import builtins
import keyword
import sys
from functools import lru_cache

_JAVASCRIPT = """
AbortController AbortSignal Array ArrayBuffer BigInt Blob Boolean Buffer Date Error EvalError Event EventTarget File FormData
Headers Infinity Intl JSON Map Math NaN Number Object Promise Proxy RangeError ReadableStream ReferenceError Reflect RegExp
Request Response Set String Symbol SyntaxError TextDecoder TextEncoder TransformStream TypeError URL URLSearchParams Uint8Array
WeakMap WeakSet WebAssembly WebSocket WritableStream __dirname __filename clearInterval clearTimeout console crypto
customElements decodeURIComponent document encodeURIComponent exports fetch globalThis history import isNaN localStorage location
module navigator parseFloat parseInt performance process queueMicrotask requestAnimationFrame require sessionStorage setImmediate
setInterval setTimeout structuredClone undefined window
HTMLElement KeyboardEvent MouseEvent MessageEvent CustomEvent IntersectionObserver MutationObserver ResizeObserver
Awaited Exclude Extract NonNullable Omit Parameters Partial Pick Readonly ReadonlyArray Record Required ReturnType InstanceType
addEventListener removeEventListener appendChild getElementById innerHTML preventDefault querySelector querySelectorAll
textContent toISOString toLocaleString
async await break case catch class const continue debugger default delete do else enum export extends false finally for from
function if implements in instanceof interface let new null of private protected public readonly return satisfies static super
switch this throw true try type typeof var void while with yield
"""
_METHODS = """
at concat entries every filter find findIndex findLast flat flatMap forEach from fromEntries has includes indexOf isArray join
keys lastIndexOf length log map match matchAll padEnd padStart parse push reduce reduceRight replaceAll resolve reverse shift
slice some sort splice stringify substring test then catch finally toFixed toLowerCase toString toUpperCase trim trimEnd trimStart
unshift values json text blob arrayBuffer warn error info debug bind call apply all allSettled any race now max min round floor
read write close open readline readlines
"""
_OTHERS = """
fmt std java javax kotlin System errors context self cls super props args kwargs
NODE_ENV NODE_OPTIONS NODE_PATH LD_LIBRARY_PATH VIRTUAL_ENV GITHUB_TOKEN
main __main__ __init__ __name__ __all__ __file__
"""
_BRANDS = """
JavaScript TypeScript CoffeeScript GitHub GitLab BitBucket PostgreSQL MySQL SQLite MongoDB MariaDB GraphQL OpenAPI OAuth OAuth2
CommonJS DevTools YouTube LinkedIn StackOverflow macOS iOS iPadOS tvOS FreeBSD OpenSSL PowerShell IntelliJ PyCharm WebStorm
VSCode XCode PyPI LaTeX README ReadTheDocs JetBrains CloudFlare DockerHub WordPress IPv4 IPv6 UTF8 UTF16 ISO8601 HTTPS
"""
COMMON_FOLDERS = frozenset(
    """
    api app apps assets bin build cache client common components conf config core css data dev dist doc docs etc example examples
    home hooks html images img index init lib libs local main middleware models modules node_modules opt package packages pages
    page path plugins project projects null public py resources root routes route scripts server setup site-packages src static
    style styles target template templates test tests tmp tools types usr util utils var vendor venv views web www
    """.split()
)
"""Parts of a path that say nothing about a library."""


@lru_cache(maxsize=1)
def language_names() -> frozenset[str]:
    """Names that may stand in an answer without standing in what was read; each as it is written."""
    written = f"{_JAVASCRIPT} {_OTHERS} {_BRANDS}".split()
    return frozenset([*written, *keyword.kwlist, *keyword.softkwlist, *dir(builtins), *sys.stdlib_module_names])


@lru_cache(maxsize=1)
def common_methods() -> frozenset[str]:
    """Methods of texts, lists, tables, files and promises: what they are called on may be anything."""
    of_python = (name for kind in (str, bytes, list, dict, set, tuple, int, float) for name in dir(kind))
    return frozenset([*_METHODS.split(), *of_python])
