// What the agent benchmark measures of the TypeScript SDK: `client.mjs CLI SCENARIO...` prints its figures as JSON.

import { readFileSync, writeFileSync } from "node:fs";
import { createSdkMcpServer, query, startup, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

const [cli, scenario, ...rest] = process.argv.slice(2);
const numbers = rest.map(Number);

const seconds = () => performance.now() / 1000;
const memory = (field) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync("/proc/self/status", "utf8"))[1]);
const forgetPeak = () => writeFileSync("/proc/self/clear_refs", "5");

function check(condition, what) {
  if (!condition) throw new Error(what);
}

function run(options) {
  return query({ prompt: "go", options: { pathToClaudeCodeExecutable: cli, ...options } });
}

async function partial(count) {
  let [seen, text, first, last] = [0, 0];
  for await (const message of run({ includePartialMessages: true })) {
    if (message.type !== "stream_event") continue;
    if (seen === 0) first = seconds();
    const event = message.event;
    check(event.index === seen % 1000, "a message out of order");
    text += event.delta.text.length;
    seen += 1;
    if (seen === count) last = seconds();
  }
  return { messages: seen, text, seconds: last - first, peak_kib: memory("VmHWM") };
}

async function large(size, count) {
  let [seen, before, first, last] = [0];
  for await (const message of run({})) {
    if (message.type !== "assistant") continue;
    const text = message.message.content[0].text;
    if (seen === 0) {
      check(text === "ready", "the first message is another one");
      before = memory("VmRSS");
      forgetPeak();
    } else {
      check(text.length === size && Number(text.slice(0, 8)) === seen, "a wrong text");
      if (seen === 1) first = seconds();
    }
    seen += 1;
    if (seen === count + 1) last = seconds();
  }
  return { messages: seen - 1, seconds: last - first, before_kib: before, peak_kib: memory("VmHWM") };
}

async function calls() {
  let ran = 0;
  let report;
  const add = tool("add", "Add two numbers.", { a: z.number(), b: z.number() }, async ({ a, b }) => {
    ran += 1;
    return { content: [{ type: "text", text: String(a + b) }] };
  });
  const calc = createSdkMcpServer({ name: "calc", tools: [add] });
  for await (const message of run({ mcpServers: { calc }, allowedTools: ["mcp__calc__*"] })) {
    if (message.type === "result") report = message.result;
  }
  return { ran, report: JSON.parse(report) };
}

async function hooks() {
  let ran = 0;
  let report;
  const hook = async (input) => {
    ran += 1;
    const hookSpecificOutput = {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: input.tool_input.command,
    };
    return { hookSpecificOutput };
  };
  for await (const message of run({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] } })) {
    if (message.type === "result") report = message.result;
  }
  return { ran, report: JSON.parse(report) };
}

async function permissions() {
  let ran = 0;
  let report;
  const canUseTool = async (_, input) => {
    ran += 1;
    return { behavior: "allow", updatedInput: input };
  };
  for await (const message of run({ canUseTool })) {
    if (message.type === "result") report = message.result;
  }
  return { ran, report: JSON.parse(report) };
}

async function first(count) {
  const times = [];
  for (let i = 0; i < count; i += 1) {
    const before = seconds();
    let after;
    for await (const _ of run({})) after ??= seconds();
    times.push(after - before);
  }
  return { seconds: times };
}

async function idle(count) {
  const before = memory("VmRSS");
  const ends = [];
  const runs = [];
  for (let i = 0; i < count; i += 1) {
    const end = new Promise((resolve) => ends.push(resolve));
    const prompt = (async function* () {
      await end;
    })();
    const one = query({ prompt, options: { pathToClaudeCodeExecutable: cli } });
    runs.push(one);
    await one.initializationResult();
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  const after = memory("VmRSS");
  for (const end of ends) end();
  for (const one of runs) one.close();
  return { before_kib: before, after_kib: after };
}

async function answered(run, before) {
  let first;
  let text;
  for await (const message of run) {
    first ??= seconds();
    if (message.type === "assistant") {
      check(message.message.content[0].text === "Ready.", "another answer");
      text ??= seconds();
    }
    if (message.type === "result") check(!message.is_error, "a failed run");
  }
  return [first - before, text - before];
}

async function warm(count) {
  const options = { pathToClaudeCodeExecutable: cli };
  const figures = { cold_first: [], cold_text: [], warm_first: [], warm_text: [] };
  for (let i = 0; i < count; i += 1) {
    let before = seconds();
    let [first, text] = await answered(query({ prompt: "go", options }), before);
    figures.cold_first.push(first);
    figures.cold_text.push(text);
    const ready = await startup({ options });
    await new Promise((resolve) => setTimeout(resolve, 500));
    before = seconds();
    [first, text] = await answered(ready.query("go"), before);
    figures.warm_first.push(first);
    figures.warm_text.push(text);
  }
  return figures;
}

console.log(JSON.stringify(await { partial, large, calls, hooks, permissions, first, idle, warm }[scenario](...numbers)));
