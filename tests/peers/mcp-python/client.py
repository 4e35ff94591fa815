"""Checks a server with a Python client: `client.py CLIENT ERA stdio COMMAND...` or `client.py CLIENT ERA http URL`.

CLIENT is `mcp`, `mcp-1` or `fastmcp`; ERA is `legacy`, `auto`, `fallback` (auto, with a server that is legacy) or a modern
version. The variable `CHECKS` names the checks, with a comma between two; without it all are made. Each is a line of JSON:
`{"check": "list", "ok": true}`, or `"ok": false` with a `reason`.
"""

import asyncio
import json
import os
import sys
import traceback
from contextlib import AsyncExitStack, asynccontextmanager

# Nothing waits so long unless something is wrong.
PATIENCE = 20


class Refused(Exception):
    """The answer was an error of the protocol."""

    def __init__(self, error):
        super().__init__(error.message)
        self.code = error.code


class Result:
    """What a tool answered, however the client calls its parts."""

    def __init__(self, result):
        fields = result.model_dump(by_alias=True)
        self.is_error = bool(fields.get("isError"))
        self.structured = fields.get("structuredContent")
        self.text = "".join(block.get("text", "") for block in fields["content"])


class Mcp:
    """`mcp` 2."""

    def __init__(self, era, transport, target):
        from mcp.client.client import Client
        from mcp.client.stdio import StdioServerParameters

        self.changed = asyncio.Event()
        if transport == "stdio":
            server = StdioServerParameters(command=target[0], args=target[1:])
        else:
            server = target[0]
        mode = "auto" if era == "fallback" else era
        self.client = Client(server, mode=mode, message_handler=self.heard)

    async def heard(self, message):
        if type(message).__name__ == "ToolListChangedNotification":
            self.changed.set()

    @asynccontextmanager
    async def connected(self):
        async with self.client:
            yield

    def version(self):
        return self.client.protocol_version

    async def page(self, cursor):
        page = await self.client.list_tools(cursor=cursor, cache_mode="bypass")
        return page.tools, page.next_cursor

    async def call(self, name, arguments, progress=None):
        from mcp.shared.exceptions import MCPError

        try:
            return Result(await self.client.call_tool(name, arguments, progress_callback=progress))
        except MCPError as error:
            raise Refused(error.error) from error

    async def abandon(self, call, name):
        """Cancels a call of the tool `name`."""
        call.cancel()
        await asyncio.wait([call])

    @asynccontextmanager
    async def listening(self):
        """Gives a function that waits for the next change of the list of tools."""
        if self.version() < "2026":
            yield self.changed.wait
        else:
            async with self.client.listen(tools_list_changed=True) as subscription:
                yield lambda: anext(aiter(subscription))


class FastMcp(Mcp):
    """FastMCP: a client of its own on the sessions of `mcp` 2."""

    def __init__(self, era, transport, target):
        from fastmcp import Client
        from fastmcp.client.transports import StdioTransport

        self.changed = asyncio.Event()
        server = StdioTransport(target[0], target[1:], keep_alive=False) if transport == "stdio" else target[0]
        mode = "auto" if era == "fallback" else era
        self.client = Client(server, mode=mode, message_handler=self.heard)

    async def page(self, cursor):
        page = await self.client.list_tools_mcp(cursor=cursor)
        return page.tools, page.next_cursor

    async def call(self, name, arguments, progress=None):
        from mcp.shared.exceptions import MCPError

        try:
            return Result(await self.client.call_tool_mcp(name, arguments, progress_handler=progress))
        except MCPError as error:
            raise Refused(error.error) from error


class Mcp1(Mcp):
    """`mcp` 1, which knows the legacy era only."""

    def __init__(self, era, transport, target):
        assert era == "legacy"
        self.changed = asyncio.Event()
        self.transport = transport
        self.target = target
        self.tokens = {}

    async def heard(self, message):
        await super().heard(getattr(message, "root", message))

    @asynccontextmanager
    async def connected(self):
        from mcp import ClientSession, StdioServerParameters, stdio_client
        from mcp.client.streamable_http import streamable_http_client

        async with AsyncExitStack() as stack:
            if self.transport == "stdio":
                server = StdioServerParameters(command=self.target[0], args=self.target[1:])
                read, write = await stack.enter_async_context(stdio_client(server))
            else:
                read, write, _ = await stack.enter_async_context(streamable_http_client(self.target[0]))
            self.client = await stack.enter_async_context(ClientSession(read, write, message_handler=self.heard))
            self.agreed = (await self.client.initialize()).protocolVersion
            yield

    def version(self):
        return self.agreed

    async def page(self, cursor):
        page = await self.client.list_tools(cursor)
        return page.tools, page.nextCursor

    async def call(self, name, arguments, progress=None):
        from mcp import McpError

        self.tokens[name] = self.client._request_id
        try:
            return Result(await self.client.call_tool(name, arguments, progress_callback=progress))
        except McpError as error:
            raise Refused(error.error) from error

    async def abandon(self, call, name):
        """This client leaves it to its user to tell the server."""
        from mcp import types

        params = types.CancelledNotificationParams(requestId=self.tokens[name], reason="no longer wanted")
        notification = types.CancelledNotification(params=params)
        await self.client.send_notification(types.ClientNotification(notification))
        await super().abandon(call, name)


def same(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"


async def tools_of(client):
    names, cursor = [], None
    while True:
        tools, cursor = await client.page(cursor)
        names += [tool.name for tool in tools]
        if cursor is None:
            return names


async def listed(client, era):
    names = await tools_of(client)
    same(len(names), len(set(names)))
    for name in ["add", "fail", "until_cancelled", "grow", "test_image_content"]:
        assert name in names, f"{name} is missing in {names}"


async def called(client, era):
    same((await client.call("add", {"a": 2, "b": 3})).text, "5")


async def structured(client, era):
    version = "2025-11-25" if era in ("legacy", "fallback") else "2026-07-28"
    same(client.version(), version)
    same((await client.call("whoami", {})).structured["protocol_version"], version)


async def failed(client, era):
    result = await client.call("fail", {"message": "out of paper"})
    same((result.is_error, result.text), (True, "out of paper"))


async def unknown(client, era):
    try:
        await client.call("no_such_tool", {})
    except Refused as error:
        same(error.code, -32602)
        assert "no_such_tool" in str(error), str(error)
    else:
        raise AssertionError("it was answered")


async def progressed(client, era):
    seen = []

    async def progress(done, total, message):
        seen.append([done, total, message])

    await client.call("test_tool_with_progress", {}, progress)
    same(seen, [[done, 100, f"Completed step {done} of 100"] for done in (0, 50, 100)])


async def cancelled(client, era):
    running = asyncio.Event()

    async def progress(done, total, message):
        running.set()

    call = asyncio.create_task(client.call("until_cancelled", {}, progress))
    await running.wait()
    await client.abandon(call, "until_cancelled")
    assert call.cancelled(), "the call ended by itself"
    same((await client.call("after_cancel", {})).text, "it was cancelled")


async def four(client, era):
    texts = ["north", "east", "south", "west"]
    results = await asyncio.gather(*(client.call("four_together", {"text": text}) for text in texts))
    same([result.text for result in results], texts)


async def changed(client, era):
    assert "fresh" not in await tools_of(client)
    async with client.listening() as change:
        await client.call("grow", {})
        await change()
    assert "fresh" in await tools_of(client)


CHECKS = {
    "list": listed,
    "call": called,
    "structured": structured,
    "isError": failed,
    "unknown tool": unknown,
    "progress": progressed,
    "cancel": cancelled,
    "4 in parallel": four,
    "list_changed": changed,
}


def report(check, reason=None):
    line = {"check": check, "ok": True} if reason is None else {"check": check, "ok": False, "reason": reason}
    print(json.dumps(line), flush=True)


async def run(check, task):
    try:
        async with asyncio.timeout(PATIENCE):
            await task
        report(check)
    except Exception:
        report(check, traceback.format_exc())


async def main():
    kind, era, transport, *target = sys.argv[1:]
    client = {"mcp": Mcp, "mcp-1": Mcp1, "fastmcp": FastMcp}[kind](era, transport, target)
    connection = client.connected()
    # Without a connection nothing can be checked, and the trace says why.
    async with asyncio.timeout(PATIENCE):
        await connection.__aenter__()
    wanted = os.environ.get("CHECKS", ",".join(CHECKS)).split(",")
    for name, check in CHECKS.items():
        if name in wanted:
            await run(name, check(client, era))
    await run("close", connection.__aexit__(None, None, None))


asyncio.run(main())
