import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SidekicksError } from "../backend/errors";
import { FakeBackend, makeAgent, makeChannel, makeMessage } from "../backend/fake";
import { App } from "./app.svelte";

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1);
}

async function start(backend: FakeBackend): Promise<App> {
  const app = new App(backend);
  void app.sync.run();
  await settle();
  return app;
}

test("an agent's direct conversation is made at the first click and shown again at the next", async () => {
  const backend = new FakeBackend({ agents: [makeAgent("alice")] });
  const app = await start(backend);
  await Promise.all([app.openDirect("alice"), settle()]);
  await settle();
  const shown = app.channels.shown;
  expect(shown?.members).toEqual(["alice"]);
  await app.openDirect("alice");
  expect(app.channels.shown).toBe(shown);
  expect(backend.calls.filter((call) => call.name === "open_direct")).toHaveLength(1);
});

test("moving goes through channels and agents, round and round, past entries without a command", async () => {
  const backend = new FakeBackend({
    agents: [makeAgent("alice"), makeAgent("notes", { converses: false }), makeAgent("bob")],
    channels: [
      makeChannel("c0", { kind: "channel", name: "general" }),
      makeChannel("c1"),
      makeChannel("c2", { name: "Bob", members: ["bob"] }),
    ],
  });
  const app = await start(backend);
  const seen: (string | undefined)[] = [];
  for (const step of [1, 1, 1, 1, -1] as const) {
    await app.move(step);
    seen.push(app.channels.shown?.channelId);
  }
  expect(seen).toEqual(["c0", "c1", "c2", "c0", "c2"]);
});

test("the person is where they were in this tab", async () => {
  const channels = [makeChannel("c1"), makeChannel("c2")];
  const first = await start(new FakeBackend({ channels }));
  first.open("c2");
  const second = await start(new FakeBackend({ channels }));
  second.channels.comeBack();
  expect(second.channels.shown?.channelId).toBe("c2");
});

test("a refusal is shown once, until it is put away", async () => {
  const backend = new FakeBackend({ agents: [makeAgent("alice")] });
  const app = await start(backend);
  const refusal = new SidekicksError({ code: "unavailable", message: "No place." });
  for (let time = 0; time < 2; time++) {
    backend.refuse("start_agent", refusal);
    await Promise.all([app.agents.start("alice"), settle()]);
  }
  expect(app.notices.all.map((notice) => notice.message)).toEqual(["No place."]);
  app.notices.dismiss(app.notices.all[0]?.id ?? -1);
  expect(app.notices.all).toEqual([]);
});

test("older messages load page by page, and a new snapshot loads the newest again", async () => {
  const messages = Array.from({ length: 120 }, (_, index) =>
    makeMessage(`m${index}`, { position: index }),
  );
  const backend = new FakeBackend({ channels: [makeChannel("c1")] }, messages);
  const app = await start(backend);
  const load = async (step: Promise<void>): Promise<number | undefined> => {
    await Promise.all([step, settle()]);
    return app.conversations.get("c1")?.messages.length;
  };
  expect(await load(app.conversations.load("c1", 1))).toBe(50);
  expect(await load(app.conversations.loadOlder("c1"))).toBe(100);
  expect(await load(app.conversations.loadOlder("c1"))).toBe(120);
  expect(await load(app.conversations.loadOlder("c1"))).toBe(120);
  expect(await load(app.conversations.load("c1", 1))).toBe(120);
  const asked = backend.calls.filter((call) => call.name === "get_messages");
  expect(asked.map((call) => call.params["before"])).toEqual([undefined, "m70", "m20"]);
  await load(app.conversations.load("c1", 2));
  expect(backend.calls.filter((call) => call.name === "get_messages")).toHaveLength(4);
});

test("a question is answered once; a refused answer can be given again", async () => {
  const backend = new FakeBackend();
  const app = await start(backend);
  const answer = (option: string): Promise<unknown> =>
    Promise.all([app.permissions.answer("q1", option), settle()]);
  await answer("once");
  await answer("once");
  expect(backend.calls.filter((call) => call.name === "answer_permission")).toHaveLength(1);
  backend.refuse("answer_permission", new SidekicksError({ code: "not_found", message: "Gone." }));
  await Promise.all([app.permissions.answer("q2", "no"), settle()]);
  expect(app.permissions.answering("q2")).toBe(false);
});

test("what a screen reader says: answers and questions, and nothing while text streams", async () => {
  const backend = new FakeBackend({ agents: [makeAgent("alice")] });
  const app = await start(backend);
  const end = { type: "turn.ended", turnId: "t", channelId: "c1", agentId: "alice" } as const;
  const said: string[] = [];
  for (const outcome of ["finished", "stopped", "failed"] as const) {
    backend.publish({
      ...end,
      outcome,
      durationMs: 1,
      reason: outcome === "failed" ? "Boom" : null,
    });
    await settle();
    said.push(app.announcer.said);
  }
  expect(said).toEqual(["Alice has answered.", "Alice has answered.", "Alice: Boom."]);
});
