// What the TypeScript SDK reads of stored sessions: `sessions.mjs ID...` prints it as JSON, for the sessions in CLAUDE_CONFIG_DIR.

import { getSessionMessages, listSessions } from "@anthropic-ai/claude-agent-sdk";

const ids = (infos) => infos.map((info) => info.sessionId).sort();
const messages = async (id, options) =>
  (await getSessionMessages(id, options)).map(({ type, uuid }) => [type, uuid]);

const read = {};
for (const id of process.argv.slice(2)) {
  read[id] = [await messages(id), await messages(id, { includeSystemMessages: true })];
}
const listed = [ids(await listSessions()), ids(await listSessions({ includeProgrammatic: false }))];
console.log(JSON.stringify({ listed, read }));
