/** The fake with something to see: `npm run dev -- --mode fake`, or a build of that mode. */
import type { Commands, Message } from "../contract/generated";
import { ANSWER, history, SNAPSHOT } from "./demo-scene";
import { FakeBackend, makeMessage } from "./fake";

export class Demo extends FakeBackend {
  constructor() {
    super(SNAPSHOT, history());
    const scene = new URLSearchParams(location.search);
    if (scene.has("problems")) {
      this.publish({
        type: "problem.raised",
        problem: {
          problemId: "p1",
          code: "unknown_key",
          message: "There is no key comand; the nearest is command.",
          severity: "error",
          file: "/home/ann/.config/sidekicks/sidekicks.yaml",
          line: 12,
          key: "agents.alice.comand",
          expected: "command",
        },
      });
    }
    if (scene.has("fr")) {
      this.publish({
        type: "settings.changed",
        settings: { language: "fr", theme: "system" },
        language: "fr",
      });
    }
    this.handlers = {
      ...this.handlers,
      list_commands: () => ({
        commands: [
          {
            agentId: "alice",
            name: "idioms",
            description: "Use the idioms of a language",
            hint: "language",
          },
          { agentId: "alice", name: "init", description: "Describe this folder", hint: null },
          { agentId: "bob", name: "review", description: "Review what changed", hint: null },
        ],
        unknown: ["garfield"],
      }),
      answer_permission: ({ permissionId, optionId }) => {
        this.publish({ type: "permission.closed", permissionId, outcome: optionId });
        this.#end("t1", "m2");
        return {};
      },
      stop_turn: ({ channelId }) => {
        const turn = this.model.turns.find((one) => one.channelId === channelId);
        if (turn) this.publish({ ...update(turn), stopping: true });
        return {};
      },
      send_message: (params) => this.#send(params),
    };
    Object.assign(window, { demo: this });
  }

  #send(params: Commands["send_message"]["params"]): Commands["send_message"]["result"] {
    const messageId = this.makeId("m");
    const turnId = this.makeId("t");
    const { channelId, text } = params;
    const agentId =
      params.to?.[0] ??
      this.model.channels.find((one) => one.channelId === channelId)?.members[0] ??
      "";
    const at = new Date().toISOString();
    const message = makeMessage(messageId, {
      channelId,
      createdAt: at,
      position: this.messages.length + 1,
      parts: [{ type: "text", partId: "p", text }],
    });
    this.publish({ type: "message.added", message });
    const answer = makeMessage(this.makeId("m"), {
      channelId,
      author: agentId,
      createdAt: at,
      position: this.messages.length + 1,
      turnId,
    });
    this.publish(
      {
        type: "turn.queued",
        turn: {
          turnId,
          channelId,
          agentId,
          state: "queued",
          userMessageId: messageId,
          queuedAt: at,
          messageId: null,
          startedAt: null,
          waitsFor: null,
          stopping: false,
          quiet: false,
          parts: [],
        },
      },
      { type: "message.added", message: answer },
      {
        type: "turn.started",
        turnId,
        channelId,
        agentId,
        messageId: answer.messageId,
        startedAt: at,
      },
    );
    const flood = /^\/flood (\d+) (\w+)/.exec(text);
    const chunks = flood ? floodOf(Number(flood[1]), flood[2] ?? "") : ANSWER.match(/\S+\s*|\s+/g);
    this.#stream(turnId, answer, chunks ?? [], flood ? 40 : 1);
    return { messageId, turns: [{ turnId, agentId }] };
  }

  #stream(turnId: string, answer: Message, chunks: readonly string[], perTick: number): void {
    let at = 0;
    let offset = 0;
    const timer = setInterval(() => {
      const some = chunks.slice(at, at + perTick);
      at += some.length;
      this.publish(
        ...some.map((text) => {
          const begin = offset;
          offset += text.length;
          return {
            type: "turn.delta" as const,
            turnId,
            channelId: answer.channelId,
            messageId: answer.messageId,
            partId: "p",
            kind: "text",
            offset: begin,
            text,
          };
        }),
      );
      if (some.length > 0) return;
      clearInterval(timer);
      this.#end(turnId, answer.messageId);
    }, 16);
  }

  #end(turnId: string, messageId: string): void {
    const turn = this.model.turns.find((one) => one.turnId === turnId);
    const message = this.messages.find((one) => one.messageId === messageId);
    if (!turn || !message) return;
    const ending = { outcome: "finished" as const, durationMs: 6_200, reason: null };
    const { channelId, agentId, parts } = turn;
    this.publish(
      { type: "message.changed", message: { ...message, parts, ending } },
      { type: "turn.ended", turnId, channelId, agentId, ...ending },
    );
  }
}

function update({
  turnId,
  channelId,
  messageId,
}: {
  turnId: string;
  channelId: string;
  messageId: string | null;
}) {
  return {
    type: "turn.updated" as const,
    turnId,
    channelId,
    messageId,
    part: null,
    waitsFor: null,
    stopping: false,
    quiet: false,
  };
}

function floodOf(count: number, kind: string): string[] {
  const shapes: Record<string, (index: number) => string> = {
    words: (index) => `word${index} `,
    lines: (index) => `line ${index}\n`,
    list: (index) => `- item ${index}\n`,
    code: (index) => (index === 0 ? "```python\n" : `print(${index})\n`),
    paragraphs: (index) => (index % 20 === 19 ? `**w${index}** \`c\`\n\n` : `w${index} `),
    table: (index) => (index === 0 ? "| a | b |\n|---|---|\n" : `| ${index} | x |\n`),
  };
  const shape = shapes[kind] ?? ((index: number) => `word${index} `);
  return Array.from({ length: count }, (_, index) => shape(index));
}
