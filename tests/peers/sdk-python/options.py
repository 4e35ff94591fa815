"""Starts a CLI with each set of options that it reads: `options.py CLI` with a JSON array on standard input.

The CLI is a stand-in that writes what it was started with into the file FAKE_CLI_RECORD. What a set of options cannot say in
JSON is `true` there: callbacks, and the tools of servers in this process. Prints what each run left, or why there was none.
"""

import asyncio
import json
import os
import sys
import tempfile

from claude_agent_sdk import (
    AgentDefinition,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    create_sdk_mcp_server,
    tool,
)


async def decide(name, data, context):
    return PermissionResultAllow(updated_input=data)


async def hook(data, tool_use_id, context):
    return {}


@tool("add", "Add two numbers.", {"a": float, "b": float})
async def add(args):
    return {"content": [{"type": "text", "text": str(args["a"] + args["b"])}]}


def server(name, config):
    return create_sdk_mcp_server(name, tools=[add]) if config == {"type": "sdk"} else config


def options(cli, row):
    row = dict(row)
    if row.get("can_use_tool"):
        row["can_use_tool"] = decide
    if "hooks" in row:
        row["hooks"] = {
            event: [HookMatcher(hooks=[hook], **matcher) for matcher in matchers]
            for event, matchers in row["hooks"].items()
        }
    if "agents" in row:
        row["agents"] = {name: AgentDefinition(**agent) for name, agent in row["agents"].items()}
    if isinstance(row.get("mcp_servers"), dict):
        row["mcp_servers"] = {name: server(name, config) for name, config in row["mcp_servers"].items()}
    return ClaudeAgentOptions(cli_path=cli, stderr=lambda line: None, **row)


async def run(cli, row):
    async with ClaudeSDKClient(options(cli, row)) as client:
        await client.query("go")
        async for _ in client.receive_response():
            pass


async def main():
    cli = sys.argv[1]
    left = []
    for row in json.load(sys.stdin):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["FAKE_CLI_RECORD"] = os.path.join(folder, "record")
            try:
                await asyncio.wait_for(run(cli, row), 30)
                with open(os.environ["FAKE_CLI_RECORD"]) as record:
                    left.append(json.load(record))
            except Exception as error:
                left.append(repr(error))
    print(json.dumps(left))


asyncio.run(main())
