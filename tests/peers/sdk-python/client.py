"""What the agent benchmark measures of the Python SDK: `client.py CLI SCENARIO...` prints its figures as JSON."""

import asyncio
import json
import re
import sys
import time

from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    ResultMessage,
    StreamEvent,
    create_sdk_mcp_server,
    query,
    tool,
)


def memory(field):
    with open("/proc/self/status") as status:
        return int(re.search(field + r":\s+(\d+) kB", status.read()).group(1))


def forget_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def check(condition, what):
    if not condition:
        raise SystemExit(what)


async def partial(cli, count):
    options = ClaudeAgentOptions(cli_path=cli, include_partial_messages=True)
    seen = text = 0
    async for message in query(prompt="go", options=options):
        if isinstance(message, StreamEvent):
            if seen == 0:
                first = time.perf_counter()
            event = message.event
            check(event["index"] == seen % 1000, "a message out of order")
            text += len(event["delta"]["text"])
            seen += 1
            if seen == count:
                last = time.perf_counter()
    return {"messages": seen, "text": text, "seconds": last - first, "peak_kib": memory("VmHWM")}


async def large(cli, size, count):
    options = ClaudeAgentOptions(cli_path=cli, max_buffer_size=64 * 1024 * 1024)
    seen = 0
    async for message in query(prompt="go", options=options):
        if isinstance(message, AssistantMessage):
            text = message.content[0].text
            if seen == 0:
                check(text == "ready", "the first message is another one")
                before = memory("VmRSS")
                forget_peak()
            else:
                check(len(text) == size and int(text[:8]) == seen, "a wrong text")
                if seen == 1:
                    first = time.perf_counter()
            seen += 1
            if seen == count + 1:
                last = time.perf_counter()
    return {"messages": seen - 1, "seconds": last - first, "before_kib": before, "peak_kib": memory("VmHWM")}


async def calls(cli):
    ran = 0

    @tool("add", "Add two numbers.", {"a": float, "b": float})
    async def add(args):
        nonlocal ran
        ran += 1
        return {"content": [{"type": "text", "text": str(args["a"] + args["b"])}]}

    server = create_sdk_mcp_server("calc", tools=[add])
    options = ClaudeAgentOptions(cli_path=cli, mcp_servers={"calc": server}, allowed_tools=["mcp__calc__*"])
    report = None
    async for message in query(prompt="go", options=options):
        if isinstance(message, ResultMessage):
            report = message.result
    return {"ran": ran, "report": json.loads(report)}


async def hooks(cli):
    ran = 0

    async def hook(data, tool_use_id, context):
        nonlocal ran
        ran += 1
        output = {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": data["tool_input"]["command"],
        }
        return {"hookSpecificOutput": output}

    matchers = {"PreToolUse": [HookMatcher(matcher="Bash", hooks=[hook])]}
    report = await converse(ClaudeAgentOptions(cli_path=cli, hooks=matchers))
    return {"ran": ran, "report": report}


async def permissions(cli):
    ran = 0

    async def decide(name, data, context):
        nonlocal ran
        ran += 1
        return PermissionResultAllow(updated_input=data)

    report = await converse(ClaudeAgentOptions(cli_path=cli, can_use_tool=decide))
    return {"ran": ran, "report": report}


async def converse(options):
    """Callbacks need a conversation; gives the CLI's report."""
    async with ClaudeSDKClient(options) as client:
        await client.query("go")
        async for message in client.receive_response():
            if isinstance(message, ResultMessage):
                return json.loads(message.result)


async def first(cli, count):
    times = []
    for _ in range(count):
        before = time.perf_counter()
        after = None
        async for _ in query(prompt="go", options=ClaudeAgentOptions(cli_path=cli)):
            after = after or time.perf_counter()
        times.append(after - before)
    return {"seconds": times}


async def idle(cli, count):
    before = memory("VmRSS")
    clients = [ClaudeSDKClient(ClaudeAgentOptions(cli_path=cli)) for _ in range(count)]
    for client in clients:
        await client.connect()
    await asyncio.sleep(0.2)
    after = memory("VmRSS")
    for client in clients:
        await client.disconnect()
    return {"before_kib": before, "after_kib": after}


async def main():
    cli, scenario, *numbers = sys.argv[1:]
    answering = {"calls": calls, "hooks": hooks, "permissions": permissions}
    run = {"partial": partial, "large": large, "first": first, "idle": idle, **answering}[scenario]
    # How many requests are in flight, and for how long, is for the other side only.
    numbers = [] if scenario in answering else [int(number) for number in numbers]
    print(json.dumps(await run(cli, *numbers)))


asyncio.run(main())
