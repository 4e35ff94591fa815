// The official TypeScript SDK 1.32.2 as a server: a yardstick of `tests/lab`, and a column of
// `docs/RELIABILITY.md`. On HTTP it is stateless as the SDK's example is: a server and a
// transport for every request. `faults` is as `json` and has more tools for that page, which would
// cost the others time.
//
// usage: node server.mjs stdio|faults|json|stream
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as z from "zod/v4";

function twin() {
  const server = new McpServer({ name: "twin", version: "1.0.0" });
  const add = {
    description: "Add two numbers.",
    inputSchema: { a: z.number(), b: z.number() },
  };
  server.registerTool("add", add, async ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }));
  const echo = { description: "Give the text back.", inputSchema: { text: z.string() } };
  server.registerTool("echo", echo, async ({ text }) => ({ content: [{ type: "text", text }] }));
  return server;
}

const filter = z.object({
  field: z.string(),
  op: z.enum(["eq", "ne", "gt", "lt", "contains"]),
  value: z.union([z.string(), z.number()]),
});
const page = z.object({ offset: z.number().int(), size: z.number().int() });
const options = z.object({ case_sensitive: z.boolean().optional(), page: page.optional() });

function withMore(server) {
  const sleep = { description: "Sleep, then say ok.", inputSchema: { ms: z.number() } };
  server.registerTool("sleep_ms", sleep, async ({ ms }) => {
    await new Promise((done) => setTimeout(done, ms));
    return { content: [{ type: "text", text: "ok" }] };
  });
  const search = {
    description: "Search with filters; says how many filters there were.",
    inputSchema: {
      query: z.string(),
      limit: z.number().int().optional(),
      filters: z.array(filter).optional(),
      options: options.optional(),
    },
  };
  server.registerTool("search", search, async ({ filters = [] }) => ({
    content: [{ type: "text", text: String(filters.length) }],
  }));
  return server;
}

function withFaults(server) {
  const fail = { description: "Fail with a message.", inputSchema: { message: z.string() } };
  server.registerTool("fail", fail, async ({ message }) => {
    throw new Error(message);
  });
  server.registerTool("panic", { description: "Fail as a program does that is wrong." }, () => {
    throw new TypeError("a fault that this server was asked for");
  });
  return server;
}

const mode = process.argv[2];
if (mode === "stdio") {
  await withMore(twin()).connect(new StdioServerTransport());
} else if (["faults", "json", "stream"].includes(mode)) {
  const listener = createServer(async (request, response) => {
    const server = mode === "faults" ? withFaults(twin()) : twin();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: mode !== "stream",
    });
    response.on("close", () => {
      transport.close();
      server.close();
    });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });
  listener.listen(0, "127.0.0.1", () => {
    console.error(`listening on http://127.0.0.1:${listener.address().port}/mcp`);
  });
} else {
  throw new Error("usage: server.mjs stdio|faults|json|stream");
}
