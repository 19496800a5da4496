import { describe, expect, test } from "vitest";
import { makeAgent, makeChannel, makeMessage, makeTurn } from "../backend/fake";
import type { AnyEvent, Part, Permission, Problem, Snapshot } from "../contract/generated";
import { announce, apply, Gap, watchConversation } from "./apply";
import { joinNewest } from "./messages";
import { fromSnapshot, toSnapshot, type Model } from "./model";

const PERMISSION: Permission = {
  permissionId: "q1",
  channelId: "c1",
  agentId: "alice",
  turnId: "t1",
  askedAt: "2026-11-30T10:41:00Z",
  toolCall: {
    toolCallId: "k",
    title: "Edit",
    kind: "edit",
    locations: [],
    content: [],
    input: null,
  },
  options: [],
};
const PROBLEM: Problem = {
  problemId: "p1",
  code: "unknown_key",
  message: "There is no such key.",
  severity: "error",
  file: null,
  line: 3,
  key: null,
  expected: null,
};
const TEXT: Part = { type: "text", partId: "a", text: "Hello" };
const WAITS = { kind: "place", agentId: "bob", channelId: null, children: [] } as const;

function snapshot(): Snapshot {
  return {
    app: {
      version: "1",
      platform: "linux",
      language: "en",
      configPath: "/c.yaml",
      maxRunning: 2,
      maxAnswering: 2,
      settings: { language: "system", theme: "system" },
    },
    agents: [makeAgent("alice"), makeAgent("bob")],
    channels: [makeChannel("c1")],
    sessions: [{ channelId: "c1", agentId: "alice", options: [], usage: null }],
    turns: [makeTurn("t1", { state: "running", messageId: "m2", parts: [TEXT] })],
    permissions: [PERMISSION],
    questions: [],
    shells: [],
    problems: [PROBLEM],
  };
}

function start(): Model {
  const model = watchConversation(fromSnapshot(snapshot(), 10), "c1");
  const messages = [
    makeMessage("m1", { position: 1 }),
    makeMessage("m2", { position: 2, author: "alice", turnId: "t1" }),
  ];
  const conversation = model.conversations.get("c1");
  if (!conversation) throw new Error("not watched");
  return {
    ...model,
    conversations: new Map([["c1", joinNewest(conversation, messages, true, 10)]]),
  };
}

function delta(offset: number, text: string, more: object = {}): AnyEvent {
  return {
    type: "turn.delta",
    seq: 11,
    turnId: "t1",
    channelId: "c1",
    messageId: "m2",
    partId: "a",
    kind: "text",
    offset,
    text,
    ...more,
  };
}

const updated = {
  type: "turn.updated",
  seq: 11,
  turnId: "t1",
  channelId: "c1",
  messageId: null,
  part: null,
  waitsFor: null,
  stopping: false,
  quiet: false,
} as const;

function textOf(model: Model): string[] {
  return (model.turns[0]?.parts ?? []).map((part) => ("text" in part ? part.text : part.type));
}

function idsOf(model: Model): string[] {
  return (model.conversations.get("c1")?.messages ?? []).map((one) => one.messageId);
}

/** What each event does. A new event without a case here does not compile. */
const CASES: Record<AnyEvent["type"], () => void> = {
  "reader.opened": () => {
    const next = apply(start(), { type: "reader.opened", seq: 11, readerId: "r" });
    expect(toSnapshot(next)).toEqual(snapshot());
  },
  resync: () => {
    expect(() => apply(start(), { type: "resync", seq: 3 })).toThrow(Gap);
  },
  "agent.changed": () => {
    const agent = makeAgent("alice", { state: "working" });
    const next = apply(start(), { type: "agent.changed", seq: 11, agent });
    expect(next.agents.map((one) => one.state)).toEqual(["working", "ready"]);
    const other = apply(next, { type: "agent.changed", seq: 12, agent: makeAgent("carol") });
    expect(other.agents.map((one) => one.agentId)).toEqual(["alice", "bob", "carol"]);
  },
  "agent.removed": () => {
    const next = apply(start(), { type: "agent.removed", seq: 11, agentId: "alice" });
    expect(next.agents.map((one) => one.agentId)).toEqual(["bob"]);
  },
  "commands.changed": () => {
    const commands = [{ name: "help", description: "Help", hint: null }];
    const next = apply(start(), { type: "commands.changed", seq: 11, agentId: "alice", commands });
    expect(next.commands.get("alice")?.commands).toEqual(commands);
    expect(announce(next, "alice", [], 10).commands.get("alice")?.commands).toEqual(commands);
    expect(announce(next, "alice", [], 11).commands.get("alice")?.commands).toEqual([]);
  },
  "log.added": () => {
    const next = apply(start(), { type: "log.added", seq: 11, agentId: "alice", next: 4 });
    expect(toSnapshot(next)).toEqual(snapshot());
  },
  "channel.changed": () => {
    const channel = makeChannel("c1", { unread: 3 });
    const next = apply(start(), { type: "channel.changed", seq: 11, channel });
    expect(next.channels).toEqual([channel]);
  },
  "message.added": () => {
    const queued = makeMessage("m4", { position: null });
    const said = makeMessage("m3", { position: 3 });
    let next = apply(start(), { type: "message.added", seq: 11, message: queued });
    next = apply(next, { type: "message.added", seq: 12, message: said });
    expect(idsOf(next)).toEqual(["m1", "m2", "m3", "m4"]);
    const elsewhere = makeMessage("m5", { channelId: "c9" });
    expect(
      apply(next, { type: "message.added", seq: 13, message: elsewhere }).conversations.size,
    ).toBe(1);
  },
  "message.changed": () => {
    const message = makeMessage("m2", { position: 2, author: "alice", parts: [TEXT] });
    const next = apply(start(), { type: "message.changed", seq: 11, message });
    expect(next.conversations.get("c1")?.messages[1]).toBe(message);
  },
  "message.removed": () => {
    const event = { type: "message.removed", seq: 11, channelId: "c1", messageId: "m1" } as const;
    expect(idsOf(apply(start(), event))).toEqual(["m2"]);
  },
  "session.changed": () => {
    const usage = { used: 3, size: 9 };
    const next = apply(start(), {
      type: "session.changed",
      seq: 11,
      channelId: "c1",
      agentId: "alice",
      options: [],
      usage,
    });
    expect(next.sessions).toEqual([{ channelId: "c1", agentId: "alice", options: [], usage }]);
  },
  "turn.queued": () => {
    const turn = makeTurn("t2", { agentId: "bob" });
    expect(apply(start(), { type: "turn.queued", seq: 11, turn }).turns[1]).toBe(turn);
  },
  "turn.started": () => {
    const turn = makeTurn("t2", { agentId: "bob", waitsFor: WAITS });
    const queued = apply(start(), { type: "turn.queued", seq: 11, turn });
    const next = apply(queued, {
      type: "turn.started",
      seq: 12,
      turnId: "t2",
      channelId: "c1",
      agentId: "bob",
      messageId: "m9",
      startedAt: "now",
    });
    expect(next.turns[1]).toEqual({
      ...turn,
      state: "running",
      messageId: "m9",
      startedAt: "now",
      waitsFor: null,
    });
  },
  "turn.delta": () => {
    expect(textOf(apply(start(), delta(5, ", world")))).toEqual(["Hello, world"]);
  },
  "turn.updated": () => {
    const next = apply(start(), { ...updated, waitsFor: WAITS, stopping: true, quiet: true });
    expect(next.turns[0]).toMatchObject({ waitsFor: WAITS, stopping: true, quiet: true });
    expect(next.turns[0]?.messageId).toBe("m2");
  },
  "turn.ended": () => {
    const next = apply(start(), {
      type: "turn.ended",
      seq: 11,
      turnId: "t1",
      channelId: "c1",
      agentId: "alice",
      outcome: "finished",
      durationMs: 5,
      reason: null,
    });
    expect(next.turns).toEqual([]);
  },
  "permission.asked": () => {
    const permission = { ...PERMISSION, permissionId: "q2" };
    const next = apply(start(), { type: "permission.asked", seq: 11, permission });
    expect(next.permissions.map((one) => one.permissionId)).toEqual(["q1", "q2"]);
  },
  "permission.closed": () => {
    const next = apply(start(), {
      type: "permission.closed",
      seq: 11,
      permissionId: "q1",
      outcome: "cancelled",
    });
    expect(next.permissions).toEqual([]);
  },
  "config.changed": () => {
    const next = apply(start(), {
      type: "config.changed",
      seq: 11,
      maxRunning: 5,
      maxAnswering: 1,
      agentIds: ["bob", "alice"],
    });
    expect(next.app).toMatchObject({ maxRunning: 5, maxAnswering: 1 });
    expect(next.agents.map((one) => one.agentId)).toEqual(["bob", "alice"]);
  },
  "settings.changed": () => {
    const settings = { language: "fr", theme: "dark" } as const;
    const next = apply(start(), { type: "settings.changed", seq: 11, settings, language: "fr" });
    expect(next.app).toMatchObject({ settings, language: "fr" });
  },
  "problem.raised": () => {
    const problem = { ...PROBLEM, line: 9 };
    expect(apply(start(), { type: "problem.raised", seq: 11, problem }).problems).toEqual([
      problem,
    ]);
  },
  "problem.closed": () => {
    const next = apply(start(), { type: "problem.closed", seq: 11, problemId: "p1" });
    expect(next.problems).toEqual([]);
  },
};

describe("each event", () => {
  test.each(Object.keys(CASES) as AnyEvent["type"][])("%s", (type) => CASES[type]());
});

describe("numbers", () => {
  test("an event that the snapshot holds already is ignored", () => {
    const model = start();
    expect(apply(model, { type: "agent.removed", seq: 10, agentId: "alice" })).toBe(model);
  });

  test("an event of a kind that this page does not know changes nothing but the number", () => {
    const event = { type: "moon.landed", seq: 11 } as unknown as AnyEvent;
    expect(apply(start(), event)).toEqual({ ...start(), seq: 11 });
  });

  test("what did not change keeps its identity", () => {
    const model = start();
    const next = apply(model, delta(5, "!"));
    expect(next.agents).toBe(model.agents);
    expect(next.conversations).toBe(model.conversations);
  });
});

describe("deltas", () => {
  test("text that is known is dropped, in whole or in part", () => {
    const model = start();
    expect(textOf(apply(model, delta(0, "Hell")))).toEqual(["Hello"]);
    expect(textOf(apply(model, delta(3, "lo there")))).toEqual(["Hello there"]);
  });

  test("text that is missing before a delta is a gap", () => {
    expect(() => apply(start(), delta(6, "!"))).toThrow(Gap);
    expect(() => apply(start(), delta(1, "!", { partId: "new" }))).toThrow(Gap);
  });

  test("an offset counts UTF-16 units", () => {
    const wide = apply(start(), delta(5, "🙂"));
    expect(textOf(apply(wide, delta(7, "!", { seq: 12 })))).toEqual(["Hello🙂!"]);
  });

  test("a new part begins as what it is", () => {
    const next = apply(start(), delta(0, "Hm", { partId: "b", kind: "thought" }));
    expect(next.turns[0]?.parts[1]).toEqual({ type: "thought", partId: "b", text: "Hm" });
  });

  test("after its turn text joins the answer, once", () => {
    const ended = { ...start(), turns: [] };
    const next = apply(ended, delta(0, "Late"));
    expect(next.conversations.get("c1")?.messages[1]?.parts).toEqual([{ ...TEXT, text: "Late" }]);
    expect(apply({ ...next, seq: 10 }, delta(0, "Late"))).toEqual(next);
  });
});

test("a part that is told whole takes the place of what it was", () => {
  const part: Part = { type: "text", partId: "a", text: "Bye" };
  expect(textOf(apply(start(), { ...updated, part }))).toEqual(["Bye"]);
  const other: Part = { type: "plan", partId: "b", entries: [] };
  expect(textOf(apply(start(), { ...updated, part: other }))).toEqual(["Hello", "plan"]);
});
