"""The official Python SDK as a server, for `tests/lab` and `docs/RELIABILITY.md`: `server.py stdio` or `server.py http`."""

import asyncio
import socket
import sys
from typing import Annotated, Literal

import uvicorn
from mcp.server import MCPServer
from pydantic import BaseModel, Field

server = MCPServer("twin")


@server.tool()
def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


@server.tool()
def echo(text: str) -> str:
    """Give the text back."""
    return text


@server.tool()
async def sleep_ms(ms: int) -> str:
    """Sleep, then say ok."""
    await asyncio.sleep(ms / 1000)
    return "ok"


class Filter(BaseModel):
    field: str
    op: Literal["eq", "ne", "gt", "lt", "contains"]
    value: str | float


class Page(BaseModel):
    offset: int
    size: int


class Options(BaseModel):
    case_sensitive: bool | None = None
    page: Page | None = None


@server.tool()
def search(
    query: str,
    limit: int | None = None,
    filters: list[Filter] | None = None,
    options: Options | None = None,
) -> str:
    """Search with filters; says how many filters there were."""
    return str(len(filters or []))


@server.tool()
def fail(message: str) -> str:
    """Fail with a message."""
    raise ValueError(message)


@server.tool()
def panic() -> str:
    """Fail as a program does that is wrong."""
    raise AssertionError("a fault that this server was asked for")


@server.tool()
def test_custom_header(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]) -> str:
    """Give a parameter back that proxies may read."""
    return region


async def listen():
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    app = server.streamable_http_app()
    print(f"listening on http://127.0.0.1:{port}/mcp", file=sys.stderr, flush=True)
    await uvicorn.Server(uvicorn.Config(app, log_level="error")).serve(sockets=[listener])


if sys.argv[1] == "http":
    asyncio.run(listen())
else:
    server.run("stdio")
