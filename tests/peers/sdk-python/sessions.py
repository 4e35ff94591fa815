"""What the Python SDK reads of stored sessions: `sessions.py PROJECT` prints it as JSON, for the sessions in CLAUDE_CONFIG_DIR."""

import asyncio
import json
import os
import pathlib
import sys
from dataclasses import asdict

import claude_agent_sdk as sdk


def whole(id):
    """Whether each line is an object, as others end an import, with an id of its own."""
    (path,) = projects.glob(f"*/{id}.jsonl")
    try:
        entries = [json.loads(line) for line in path.read_text().splitlines()]
    except json.JSONDecodeError:
        return False
    if not all(isinstance(entry, dict) for entry in entries):
        return False
    known = [entry["uuid"] for entry in entries if "uuid" in entry]
    return len(known) == len(set(known))


def shown(info):
    return info and {name: value for name, value in asdict(info).items() if value is not None}


def messages(found):
    return [asdict(message) for message in found]


def files(project, ids):
    return {
        "all": [shown(info) for info in sdk.list_sessions()],
        "page": [shown(info) for info in sdk.list_sessions(limit=5, offset=3)],
        "project": [shown(info) for info in sdk.list_sessions(project)],
        "alone": [shown(info) for info in sdk.list_sessions(project, include_worktrees=False)],
        "info": {id: shown(sdk.get_session_info(id)) for id in ids},
        "messages": {id: messages(sdk.get_session_messages(id)) for id in ids},
        "some": {id: messages(sdk.get_session_messages(id, limit=3, offset=2)) for id in ids},
        "agents": {
            id: {agent: messages(sdk.get_subagent_messages(id, agent)) for agent in sdk.list_subagents(id)}
            for id in ids
        },
    }


async def store(project, ids):
    store = sdk.InMemorySessionStore()
    for id in filter(whole, ids):
        # A torn line of a subagent ends the import.
        try:
            await sdk.import_session_to_store(id, store, directory=project)
        except (FileNotFoundError, json.JSONDecodeError):
            pass
    found = await sdk.list_sessions_from_store(store, project)
    for info in found:
        info.last_modified = 0
    known = sorted(info.session_id for info in found)
    return {
        "list": sorted((shown(info) for info in found), key=lambda info: info["session_id"]),
        "messages": {id: messages(await sdk.get_session_messages_from_store(store, id, project)) for id in known},
    }


project = sys.argv[1]
projects = pathlib.Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects"
ids = sorted({path.stem for path in projects.glob("*/*.jsonl")})
print(json.dumps({"files": files(project, ids), "store": asyncio.run(store(project, ids))}))
