"""The official Python SDK as a server, for `tests/lab` and `docs/RELIABILITY.md`: `server.py stdio`,
`server.py http`, or `server.py guarded`, which wants a token on HTTP."""

import asyncio
import socket
import sys
from typing import Annotated, Literal

import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import Elicit, Resolve
from pydantic import BaseModel, Field

TOKENS = {
    "good": AccessToken(token="good", client_id="ann", scopes=["use"]),
    "narrow": AccessToken(token="narrow", client_id="ann", scopes=[]),
    "old": AccessToken(token="old", client_id="ann", scopes=["use"], expires_at=1),
}


class Verifier:
    async def verify_token(self, token: str) -> AccessToken | None:
        return TOKENS.get(token)


def guards():
    auth = AuthSettings(
        issuer_url="https://login.example.com",
        resource_server_url="http://127.0.0.1/mcp",
        required_scopes=["use"],
        validate_token_resource=False,
    )
    return {"auth": auth, "token_verifier": Verifier()}


server = MCPServer("twin", **(guards() if sys.argv[1] == "guarded" else {}))


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


class Name(BaseModel):
    name: str


async def ask_name() -> Elicit[Name]:
    return Elicit("What is your name?", Name)


@server.tool()
def test_input_required_result_elicitation(answer: Annotated[Name, Resolve(ask_name)]) -> str:
    """Greet the user by name."""
    return f"Hello, {answer.name}!"


async def listen():
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    app = server.streamable_http_app()
    print(f"listening on http://127.0.0.1:{port}/mcp", file=sys.stderr, flush=True)
    await uvicorn.Server(uvicorn.Config(app, log_level="error")).serve(sockets=[listener])


if sys.argv[1] == "stdio":
    server.run("stdio")
else:
    asyncio.run(listen())
