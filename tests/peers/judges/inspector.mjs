// Checks a server with the Inspector's command line: `inspector.mjs ERA stdio COMMAND...` or `inspector.mjs ERA http URL`.
//
// ERA is `legacy`, `modern`, `auto` or `fallback` (auto, with a server that is legacy). Each check is a run of the Inspector, and
// a line of JSON: `{"check":"list","ok":true}`, or `"ok":false` with a `reason`.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js"));

// What it exits with when a tool reports an error, and when there is no such tool.
const FAILED = 5;

const [era, transport, ...target] = process.argv.slice(2);
const version = ["legacy", "fallback"].includes(era) ? "2025-11-25" : "2026-07-28";

// Runs the Inspector, which must exit with this status, and gives its last result.
function inspect(status, ...args) {
  const options = ["--protocol-era", era === "fallback" ? "auto" : era, "--transport", transport, "--format", "json", "-q"];
  // No check needs so long unless something is wrong.
  const settings = { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 };
  const { promise, resolve, reject } = Promise.withResolvers();
  execFile(process.execPath, [PROGRAM, "--cli", ...options, ...args, "--", ...target], settings, (error, stdout, stderr) => {
    try {
      assert.equal(error?.code ?? 0, status, `${error}\n${stdout}\n${stderr}`);
      resolve(stdout === "" ? { error: JSON.parse(stderr).error } : JSON.parse(stdout));
    } catch (error) {
      reject(error);
    }
  });
  return promise;
}

function call(status, tool, args, ...options) {
  return inspect(status, "--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args), ...options);
}

const checks = {
  // Exits with another status if a schema cannot be used by every client.
  async list() {
    const { result } = await inspect(0, "--method", "tools/list", "--strict");
    const names = result.tools.map((tool) => tool.name);
    for (const name of ["add", "fail", "until_cancelled", "grow", "test_image_content"]) assert(names.includes(name), name);
  },

  async call() {
    const { result } = await call(0, "add", { a: 2, b: 3 });
    assert.equal(result.content[0].text, "5");
  },

  async structured() {
    const { result } = await call(0, "whoami", {});
    assert.equal(result.structuredContent.protocol_version, version);
  },

  async isError() {
    const { result } = await call(FAILED, "fail", { message: "out of paper" });
    assert.deepEqual([result.isError, result.content[0].text], [true, "out of paper"]);
  },

  // It looks for the tool in the list, and does not ask the server.
  async "unknown tool"() {
    const { error } = await call(FAILED, "no_such_tool", {});
    assert.equal(error.code, "tool_not_found");
  },

  async "4 in parallel"() {
    const { result } = await call(0, "four_together", { text: "here" }, "--load", "--load-requests", "4", "--load-concurrency", "4");
    assert.equal(result.ok, 4, JSON.stringify(result));
  },
};

for (const [check, run] of Object.entries(checks)) {
  let line = { check, ok: true };
  try {
    await run();
  } catch (error) {
    line = { check, ok: false, reason: error?.stack ?? String(error) };
  }
  console.log(JSON.stringify(line));
}
// Each run has closed its connection.
console.log(JSON.stringify({ check: "close", ok: true }));
