// The official TypeScript SDK 2.4.0 as a server: a yardstick of `tests/lab`, and a column of
// `docs/RELIABILITY.md`. On HTTP it is as the SDK's page has it: a server for every request, behind
// checks of the headers `Host` and `Origin`. `faults` is as `json` and has more tools for that page,
// which would cost the others time; `guarded` is as `json` and wants a token.
//
// usage: node server.mjs stdio|faults|guarded|json|stream
import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import {
  McpServer,
  OAuthError,
  OAuthErrorCode,
  createMcpHandler,
  inputRequired,
  requireBearerAuth,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod/v4";

function twin() {
  const server = new McpServer({ name: "twin", version: "1.0.0" });
  const add = {
    description: "Add two numbers.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
  };
  server.registerTool("add", add, async ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }));
  const echo = { description: "Give the text back.", inputSchema: z.object({ text: z.string() }) };
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
  const sleep = { description: "Sleep, then say ok.", inputSchema: z.object({ ms: z.number() }) };
  server.registerTool("sleep_ms", sleep, async ({ ms }) => {
    await new Promise((done) => setTimeout(done, ms));
    return { content: [{ type: "text", text: "ok" }] };
  });
  const search = {
    description: "Search with filters; says how many filters there were.",
    inputSchema: z.object({
      query: z.string(),
      limit: z.number().int().optional(),
      filters: z.array(filter).optional(),
      options: options.optional(),
    }),
  };
  server.registerTool("search", search, async ({ filters = [] }) => ({
    content: [{ type: "text", text: String(filters.length) }],
  }));
  return server;
}

function withFaults(server) {
  const fail = { description: "Fail with a message.", inputSchema: z.object({ message: z.string() }) };
  server.registerTool("fail", fail, async ({ message }) => {
    throw new Error(message);
  });
  server.registerTool("panic", { description: "Fail as a program does that is wrong." }, () => {
    throw new TypeError("a fault that this server was asked for");
  });
  const region = {
    description: "Give a parameter back that proxies may read.",
    inputSchema: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
  };
  server.registerTool("test_custom_header", region, async ({ region }) => ({
    content: [{ type: "text", text: region }],
  }));
  const ask = { description: "Greet the user by name.", inputSchema: z.object({}) };
  const requestedSchema = z.object({ name: z.string() });
  server.registerTool("test_input_required_result_elicitation", ask, async () =>
    inputRequired({
      inputRequests: { user_name: inputRequired.elicit({ message: "What is your name?", requestedSchema }) },
    }),
  );
  return server;
}

// What each token may do, and until when, in seconds.
const tokens = new Map([
  ["good", [["use"], Date.now() / 1000 + 3600]],
  ["narrow", [[], Date.now() / 1000 + 3600]],
  ["old", [["use"], 1]],
]);
async function verifyAccessToken(token) {
  if (!tokens.has(token)) throw new OAuthError(OAuthErrorCode.InvalidToken, "it is unknown");
  const [scopes, expiresAt] = tokens.get(token);
  return { token, clientId: "ann", scopes, expiresAt };
}

function guarded(handler) {
  const gate = requireBearerAuth({ verifier: { verifyAccessToken }, requiredScopes: ["use"] });
  return {
    async fetch(request) {
      const auth = await gate(request);
      return auth instanceof Response ? auth : handler.fetch(request, { authInfo: auth });
    },
  };
}

const mode = process.argv[2];
if (mode === "stdio") {
  serveStdio(() => withMore(twin()));
} else if (["faults", "guarded", "json", "stream"].includes(mode)) {
  const factory = mode === "faults" ? () => withFaults(twin()) : twin;
  const responseMode = mode === "stream" ? "sse" : "json";
  const served = createMcpHandler(factory, { responseMode });
  const handler = toNodeHandler(mode === "guarded" ? guarded(served) : served);
  const checks = [localhostHostValidation(), localhostOriginValidation()];
  const listener = createServer((request, response) => {
    if (checks.every((check) => check(request, response))) void handler(request, response);
  });
  listener.listen(0, "127.0.0.1", () => {
    console.error(`listening on http://127.0.0.1:${listener.address().port}/mcp`);
  });
} else {
  throw new Error("usage: server.mjs stdio|faults|guarded|json|stream");
}
