import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SidekicksError } from "../backend/errors";
import { FakeBackend, makeAgent, makeChannel } from "../backend/fake";
import { App } from "./app.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function settle(milliseconds = 1): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

async function open(): Promise<{ app: App; backend: FakeBackend }> {
  const backend = new FakeBackend({
    agents: [makeAgent("alice"), makeAgent("bob")],
    channels: [makeChannel("c1"), makeChannel("c2", { draft: "of yesterday", members: ["bob"] })],
  });
  const app = new App(backend);
  void app.sync.run();
  await settle();
  app.open("c1");
  await app.conversations.load("c1", app.sync.snapshots);
  return { app, backend };
}

function sent(backend: FakeBackend, name: string): Readonly<Record<string, unknown>>[] {
  return backend.calls.filter((call) => call.name === name).map((call) => call.params);
}

test("a message is shown at once, and once", async () => {
  const { app } = await open();
  app.drafts.set("c1", "hello");
  const sending = app.outbox.send("c1", "hello");
  expect(app.outbox.of("c1").map((echo) => echo.text)).toEqual(["hello"]);
  expect(app.drafts.get("c1")).toBe("");
  await settle();
  expect(await sending).toBeNull();
  expect(app.outbox.of("c1")).toEqual([]);
  expect(app.conversations.get("c1")?.messages).toHaveLength(1);
});

test("a message that was withdrawn is not shown again as just sent", async () => {
  const { app, backend } = await open();
  await Promise.all([app.outbox.send("c1", "hello"), settle()]);
  const [message] = app.conversations.get("c1")?.messages ?? [];
  const { messageId } = message ?? { messageId: "" };
  backend.publish({ type: "message.removed", channelId: "c1", messageId });
  await settle();
  expect(app.outbox.of("c1")).toEqual([]);
});

test("what could not be sent is back in the composer, before what was written since", async () => {
  const { app, backend } = await open();
  backend.refuse("send_message", new SidekicksError({ code: "busy", message: "Not now." }));
  app.drafts.set("c1", "hello");
  const sending = app.outbox.send("c1", "hello");
  app.drafts.set("c1", "and more");
  await settle();
  expect(await sending).toEqual({ message: "Not now.", candidates: [] });
  expect(app.drafts.get("c1")).toBe("hello\n\nand more");
  expect(app.outbox.of("c1")).toEqual([]);
});

test("where the app cannot tell whom it is for, the members are offered", async () => {
  const { app, backend } = await open();
  const data = { members: ["alice", "bob"] };
  backend.refuse("send_message", new SidekicksError({ code: "ambiguous", message: "Who?", data }));
  const sending = app.outbox.send("c1", "hello");
  await settle();
  expect((await sending)?.candidates).toEqual(["alice", "bob"]);
  await Promise.all([app.outbox.send("c1", "hello", ["bob"]), settle()]);
  expect(sent(backend, "send_message").map((params) => params["to"])).toEqual([[], ["bob"]]);
});

test("the same text after no answer keeps its id, so that it is not said twice", async () => {
  const { app, backend } = await open();
  backend.refuse("send_message", new SidekicksError({ code: "unavailable", message: "gone" }));
  await Promise.all([app.outbox.send("c1", "hello"), settle()]);
  await Promise.all([app.outbox.send("c1", "hello"), settle()]);
  await Promise.all([app.outbox.send("c1", "hello"), settle()]);
  const ids = sent(backend, "send_message").map((params) => params["localId"]);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test("a draft is saved a moment after the last key, and at once on leaving", async () => {
  const { app, backend } = await open();
  app.drafts.set("c1", "h");
  app.drafts.set("c1", "he");
  await settle(400);
  expect(sent(backend, "save_draft")).toEqual([]);
  await settle(200);
  expect(sent(backend, "save_draft")).toEqual([{ channelId: "c1", text: "he" }]);
  app.drafts.set("c1", "hel");
  app.open("c2");
  await settle();
  expect(sent(backend, "save_draft")).toHaveLength(2);
});

test("a draft is that of its conversation, and nothing that the app tells replaces what is written", async () => {
  const { app, backend } = await open();
  expect(app.drafts.get("c2")).toBe("of yesterday");
  app.drafts.set("c2", "of today");
  backend.publish({
    type: "channel.changed",
    channel: makeChannel("c2", { draft: "of yesterday" }),
  });
  await settle();
  expect(app.drafts.get("c2")).toBe("of today");
  expect(app.drafts.get("c1")).toBe("");
});

test("a draft is saved before what is sent after it, and emptied after it was sent", async () => {
  const { app, backend } = await open();
  app.drafts.set("c1", "hello");
  app.drafts.flush("c1");
  await Promise.all([app.outbox.send("c1", "hello"), settle()]);
  await settle();
  const order = backend.calls.filter((call) => /draft|send/.test(call.name));
  expect(order.map((call) => [call.name, call.params["text"]])).toEqual([
    ["save_draft", "hello"],
    ["send_message", "hello"],
    ["save_draft", ""],
  ]);
});
