// An agent on npm's official SDK: a program of its own, a third reading of the protocol.
//
//     node npm_agent.mjs URL-OF-THE-SDK
//
// A prompt's text says what it does: `ask`, `wait` (for a cancel), `fail`, or anything to be echoed.

import { Readable, Writable } from "node:stream";

const acp = await import(process.argv[2]);
const { agent: asked, client: told } = acp.methods;

const OPTIONS = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const SELECT = {
  id: "model",
  name: "Model",
  category: "model",
  type: "select",
  options: [
    { value: "small", name: "Small" },
    { value: "large", name: "Large" },
  ],
};
const chosen = new Map();
const cancels = new Map();

const options = (sessionId) => [{ ...SELECT, currentValue: chosen.get(sessionId) ?? "small" }];
const text = (words) => ({ type: "text", text: words });
const updates = (client, sessionId) => (sessionUpdate, fields) =>
  client.notify(told.session.update, { sessionId, update: { sessionUpdate, ...fields } });

async function prompt({ params, client }) {
  const { sessionId } = params;
  const tell = updates(client, sessionId);
  let said = params.prompt.map((block) => block.text ?? `[${block.type}]`).join("");
  if (said.endsWith("wait")) {
    const cancelled = new Promise((resolve) => cancels.set(sessionId, resolve));
    await tell("agent_thought_chunk", { content: text("waiting") });
    await cancelled;
    return { stopReason: "cancelled" };
  }
  if (said.endsWith("fail")) throw acp.RequestError.authRequired({ why: "test" });
  if (said.endsWith("ask")) {
    const toolCall = { toolCallId: "t1", title: "Do it", kind: "edit", status: "pending" };
    const answer = await client.request(told.session.requestPermission, {
      sessionId,
      toolCall,
      options: OPTIONS,
    });
    said = JSON.stringify(answer.outcome);
  }
  for (const word of said.split(" ")) {
    await tell("agent_message_chunk", { content: text(word), messageId: "m1" });
  }
  await tell("tool_call", {
    toolCallId: "t2",
    title: "Edit",
    kind: "edit",
    status: "pending",
    locations: [{ path: "/w/a.py", line: 3 }],
    rawInput: { path: "/w/a.py" },
  });
  await tell("tool_call_update", {
    toolCallId: "t2",
    status: "completed",
    content: [{ type: "diff", path: "/w/a.py", oldText: "y", newText: "x" }],
  });
  await tell("usage_update", { used: 10, size: 100, cost: { amount: 0.5, currency: "EUR" } });
  return { stopReason: "end_turn" };
}

acp
  .agent({ name: "echo" })
  .onRequest(asked.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } },
    agentInfo: { name: "echo", version: "1" },
    authMethods: [{ id: "key", name: "A key" }],
  }))
  .onRequest(asked.authenticate, () => ({}))
  .onRequest(asked.session.new, async ({ params, client }) => {
    await updates(client, params.cwd)("available_commands_update", {
      availableCommands: [{ name: "help", description: "Helps", input: { hint: "what" } }],
    });
    return { sessionId: params.cwd, configOptions: options(params.cwd) };
  })
  .onRequest(asked.session.load, async ({ params, client }) => {
    const tell = updates(client, params.sessionId);
    await tell("user_message_chunk", { content: text("before") });
    await tell("agent_message_chunk", { content: text("and before that") });
    return { configOptions: options(params.sessionId) };
  })
  .onRequest(asked.session.list, ({ params }) => ({
    sessions: [{ sessionId: "/w", cwd: params.cwd ?? "/w", title: "One" }],
  }))
  .onRequest(asked.session.close, () => ({}))
  .onRequest(asked.session.setConfigOption, ({ params }) => {
    chosen.set(params.sessionId, params.value);
    return { configOptions: options(params.sessionId) };
  })
  .onRequest(asked.session.prompt, prompt)
  .onNotification(asked.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
