// Checks a server with a TypeScript client: `client.mjs CLIENT ERA stdio COMMAND...` or `client.mjs CLIENT ERA http URL`.
//
// CLIENT is `client` (the present one) or `sdk` (the one before); ERA is `legacy`, `auto`, `fallback` (auto, with a server that
// is legacy) or a modern version. The variable `CHECKS` names the checks, with a comma between two; without it all are made.
// Each is a line of JSON: `{"check":"list","ok":true}`, or `"ok":false` with a `reason`.

import assert from "node:assert/strict";

// Nothing waits so long unless something is wrong.
const PATIENCE = 20_000;

// @modelcontextprotocol/client.
class Present {
  static async create(era, transport, target) {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    const modes = { legacy: "legacy", auto: "auto", fallback: "auto" };
    const options = { versionNegotiation: { mode: modes[era] ?? { pin: era } } };
    const client = new Client({ name: "check", version: "1.0.0" }, options);
    return new Present(client, open(transport, target, StdioClientTransport, StreamableHTTPClientTransport));
  }

  constructor(client, transport) {
    this.client = client;
    this.transport = transport;
  }

  connect() {
    return this.client.connect(this.transport);
  }

  version() {
    return this.client.getNegotiatedProtocolVersion();
  }

  // All pages.
  async tools() {
    return (await this.client.listTools(undefined, { cacheMode: "bypass" })).tools;
  }

  call(name, args, options) {
    return this.client.callTool({ name, arguments: args }, options);
  }

  // Sends a request outside of the protocol.
  ask(method, params) {
    const anything = { "~standard": { version: 1, vendor: "check", validate: (value) => ({ value }) } };
    return this.client.request({ method, params }, anything);
  }

  // Gives the promise of the next change of the list of tools.
  async listen() {
    const change = new Promise((resolve) => {
      this.client.setNotificationHandler("notifications/tools/list_changed", resolve);
    });
    if (this.version() >= "2026") await this.client.listen({ toolsListChanged: true });
    return { change };
  }
}

// @modelcontextprotocol/sdk, which knows the legacy era only.
class Before extends Present {
  static async create(era, transport, target) {
    assert.equal(era, "legacy");
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const client = new Client({ name: "check", version: "1.0.0" });
    return new Before(client, open(transport, target, StdioClientTransport, StreamableHTTPClientTransport));
  }

  // It keeps the version to itself.
  version() {
    return "2025-11-25";
  }

  async tools() {
    const tools = [];
    let cursor;
    do {
      const page = await this.client.listTools({ cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return tools;
  }

  call(name, args, options) {
    return this.client.callTool({ name, arguments: args }, undefined, options);
  }

  async ask(method, params) {
    const { ResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
    return this.client.request({ method, params }, ResultSchema);
  }

  async listen() {
    const { ToolListChangedNotificationSchema } = await import("@modelcontextprotocol/sdk/types.js");
    const change = new Promise((resolve) => {
      this.client.setNotificationHandler(ToolListChangedNotificationSchema, resolve);
    });
    return { change };
  }
}

function open(transport, target, Stdio, Http) {
  if (transport === "http") return new Http(new URL(target[0]));
  const [command, ...args] = target;
  return new Stdio({ command, args });
}

const text = (result) => result.content.map((block) => block.text ?? "").join("");

const names = async (client) => (await client.tools()).map((tool) => tool.name);

const checks = {
  async list(client) {
    const listed = await names(client);
    assert.equal(new Set(listed).size, listed.length);
    for (const name of ["add", "fail", "until_cancelled", "grow", "test_image_content"]) assert(listed.includes(name), name);
  },

  async call(client) {
    assert.equal(text(await client.call("add", { a: 2, b: 3 })), "5");
  },

  async structured(client, era) {
    const version = ["legacy", "fallback"].includes(era) ? "2025-11-25" : "2026-07-28";
    assert.equal(client.version(), version);
    assert.equal((await client.call("whoami", {})).structuredContent.protocol_version, version);
  },

  async isError(client) {
    const result = await client.call("fail", { message: "out of paper" });
    assert.deepEqual([result.isError, text(result)], [true, "out of paper"]);
  },

  async "unknown tool"(client) {
    await assert.rejects(client.call("no_such_tool", {}), (error) => {
      assert.equal(error.code, -32602);
      assert.match(error.message, /no_such_tool/);
      return true;
    });
  },

  async progress(client) {
    const seen = [];
    await client.call("test_tool_with_progress", {}, { onprogress: (progress) => seen.push({ ...progress }) });
    const expected = [0, 50, 100].map((progress) => ({ progress, total: 100, message: `Completed step ${progress} of 100` }));
    assert.deepEqual(seen, expected);
  },

  async custom(client) {
    const seen = [];
    client.client.fallbackNotificationHandler = async ({ method, params }) => seen.push([method, params.text]);
    assert.equal(text(await client.call("tell", { text: "a\nb" })), "told");
    assert.deepEqual(seen, [["notifications/fixture/told", "a\nb"]]);
    assert.equal((await client.ask("fixture/spell", { text: "a\nb" })).spelt, "b\na");
    await assert.rejects(client.ask("fixture/spell", { text: 1 }), { code: -32602 });
    // With the status 404, which 2026-07-28 has for it, the client makes another error of it.
    await assert.rejects(client.ask("fixture/sing", {}), ({ code }) => code === -32601 || code === "CLIENT_HTTP_NOT_IMPLEMENTED");
  },

  async cancel(client) {
    const stop = new AbortController();
    const onprogress = () => stop.abort(new Error("no longer wanted"));
    await assert.rejects(client.call("until_cancelled", {}, { signal: stop.signal, onprogress }), /no longer wanted/);
    assert.equal(text(await client.call("after_cancel", {})), "it was cancelled");
  },

  async "4 in parallel"(client) {
    const words = ["north", "east", "south", "west"];
    const results = await Promise.all(words.map((word) => client.call("four_together", { text: word })));
    assert.deepEqual(results.map(text), words);
  },

  async list_changed(client) {
    assert(!(await names(client)).includes("fresh"));
    const { change } = await client.listen();
    await client.call("grow", {});
    await change;
    assert((await names(client)).includes("fresh"));
  },

  async close(client) {
    await client.client.close();
  },
};

async function patiently(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("it takes too long")), PATIENCE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const [kind, era, transport, ...target] = process.argv.slice(2);
const client = await { client: Present, sdk: Before }[kind].create(era, transport, target);
// Without a connection nothing can be checked, and the trace says why.
await patiently(client.connect());
const wanted = process.env.CHECKS?.split(",") ?? Object.keys(checks);
for (const [check, run] of Object.entries(checks).filter(([check]) => wanted.includes(check))) {
  let line = { check, ok: true };
  try {
    await patiently(run(client, era));
  } catch (error) {
    line = { check, ok: false, reason: error?.stack ?? String(error) };
  }
  console.log(JSON.stringify(line));
}
// A check that came to no end may still hold the process.
process.exit();
