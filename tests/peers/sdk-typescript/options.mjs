// Starts a CLI with each set of options that it reads: `options.mjs CLI` with a JSON array on standard input.
//
// The CLI is a stand-in that writes what it was started with into the file FAKE_CLI_RECORD. What a set of options cannot say in
// JSON is `true` there: callbacks, and the tools of servers in this process. Prints what each run left, or why there was none.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

const cli = process.argv[2];

const add = tool("add", "Add two numbers.", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
  content: [{ type: "text", text: String(a + b) }],
}));

function options({ env, ...row }) {
  const all = { pathToClaudeCodeExecutable: cli, stderr: () => {}, ...row };
  // Given variables take the place of those of this process.
  if (env) all.env = { ...process.env, ...env };
  if (row.canUseTool) all.canUseTool = async (_, input) => ({ behavior: "allow", updatedInput: input });
  if (row.onElicitation) all.onElicitation = async () => ({ action: "decline" });
  if (row.onUserDialog) all.onUserDialog = async () => ({ behavior: "cancelled" });
  for (const matchers of Object.values(row.hooks ?? {})) {
    for (const matcher of matchers) matcher.hooks = [async () => ({})];
  }
  for (const [name, config] of Object.entries(row.mcpServers ?? {})) {
    if (config.type === "sdk") all.mcpServers[name] = createSdkMcpServer({ name, tools: [add] });
  }
  return all;
}

const left = [];
for (const row of JSON.parse(readFileSync(0, "utf8"))) {
  const folder = mkdtempSync(join(tmpdir(), "options-"));
  process.env.FAKE_CLI_RECORD = join(folder, "record");
  try {
    for await (const _ of query({ prompt: "go", options: options(row) }));
    left.push(JSON.parse(readFileSync(process.env.FAKE_CLI_RECORD, "utf8")));
  } catch (error) {
    left.push(String(error));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
console.log(JSON.stringify(left));
