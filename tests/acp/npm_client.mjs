// A client on npm's official SDK: a program of its own that starts an agent and talks with it.
//
//     node npm_client.mjs URL-OF-THE-SDK FOLDER COMMAND [ARGUMENT…]
//
// It goes through a conversation in the folder and prints what it saw, as one JSON array.

import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";

const [url, folder, command, ...args] = process.argv.slice(2);
const acp = await import(url);
const { agent: ask, client: hears } = acp.methods;

const program = spawn(command, args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
const ended = new Promise((resolve) => program.on("exit", resolve));
const saw = [];
let onPermission = () => {};
let commandsAreTold;
const commands = new Promise((resolve) => (commandsAreTold = resolve));

const app = acp
  .client({ name: "witness" })
  .onNotification(hears.session.update, ({ params }) => {
    saw.push(params.update);
    if (params.update.sessionUpdate === "available_commands_update") commandsAreTold();
  })
  .onRequest(hears.session.requestPermission, ({ params }) => onPermission(params));

const stream = acp.ndJsonStream(Writable.toWeb(program.stdin), Readable.toWeb(program.stdout));
await app.connectWith(stream, async (agent) => {
  saw.push(
    await agent.request(ask.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientCapabilities: {},
      clientInfo: { name: "witness", version: "1" },
    }),
  );
  const session = await agent.request(ask.session.new, { cwd: folder, mcpServers: [] });
  saw.push(session);
  const { sessionId } = session;
  const say = (words) =>
    agent.request(ask.session.prompt, { sessionId, prompt: [{ type: "text", text: words }] });

  // What a client does that shows commands only once it knows them.
  await commands;
  saw.push(await say("hello"));
  onPermission = ({ options, toolCall }) => {
    saw.push({ asked: toolCall });
    const { optionId } = options.find((option) => option.kind === "allow_once");
    return { outcome: { outcome: "selected", optionId } };
  };
  saw.push(await say("/tour"));
  onPermission = async ({ toolCall }) => {
    saw.push({ asked: toolCall });
    await agent.notify(ask.session.cancel, { sessionId });
    return { outcome: { outcome: "cancelled" } };
  };
  saw.push(await say("/tour"));
  saw.push(await agent.request(ask.session.close, { sessionId }));
  saw.push(
    await say("anybody?").then(
      () => ({ wrong: "a closed session answered" }),
      (error) => ({ code: error.code, message: error.message }),
    ),
  );
});
program.stdin.end();
saw.push({ exit: await ended });
process.stdout.write(JSON.stringify(saw));
