import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SecretRefused, SidekicksError } from "../backend/errors";
import { FakeBackend, makeAgent, makeChannel, makeTurn } from "../backend/fake";
import { Sync } from "./sync.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const gone = new SidekicksError({ code: "unavailable", message: "gone" });

async function follow(backend: FakeBackend): Promise<Sync> {
  const sync = new Sync(backend);
  void sync.run();
  await vi.advanceTimersByTimeAsync(1);
  return sync;
}

function calls(backend: FakeBackend): string[] {
  return backend.calls.map((call) => call.name);
}

function rename(backend: FakeBackend, name: string): void {
  backend.publish({ type: "channel.changed", channel: makeChannel("c1", { name }) });
}

test("it starts with a snapshot and is told of what follows", async () => {
  const backend = new FakeBackend({ agents: [makeAgent("alice")] });
  const sync = await follow(backend);
  expect(sync.state).toBe("live");
  backend.publish({ type: "agent.changed", agent: makeAgent("alice", { state: "working" }) });
  await vi.advanceTimersByTimeAsync(1);
  expect(sync.model?.agents[0]?.state).toBe("working");
});

test("a lost stream goes on where it was lost, without a new snapshot", async () => {
  const backend = new FakeBackend({ channels: [makeChannel("c1")] });
  const sync = await follow(backend);
  rename(backend, "one");
  await vi.advanceTimersByTimeAsync(1);
  backend.drop();
  await vi.advanceTimersByTimeAsync(1);
  expect(sync.state).toBe("lost");
  rename(backend, "two");
  await vi.advanceTimersByTimeAsync(300);
  expect(sync.state).toBe("live");
  expect(sync.model?.channels[0]?.name).toBe("two");
  expect(calls(backend)).toEqual(["get_snapshot"]);
});

test("where too much was missed it takes a new snapshot", async () => {
  const backend = new FakeBackend({ channels: [makeChannel("c1")] });
  const sync = await follow(backend);
  backend.drop();
  await vi.advanceTimersByTimeAsync(1);
  rename(backend, "two");
  backend.forget();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sync.model?.channels[0]?.name).toBe("two");
  expect(sync.snapshots).toBe(2);
  expect(sync.state).toBe("live");
});

test("a gap in a text leads to a new snapshot", async () => {
  const turn = makeTurn("t1", { state: "running", messageId: "m1" });
  const backend = new FakeBackend({ turns: [turn] });
  const sync = await follow(backend);
  const { turnId, channelId } = turn;
  sync.change((model) => ({ ...model, turns: [turn] }));
  const delta = { type: "turn.delta", turnId, channelId, messageId: "m1", partId: "p" } as const;
  backend.publish({ ...delta, kind: "text", offset: 0, text: "Hello" });
  await vi.advanceTimersByTimeAsync(1);
  sync.change((model) => ({ ...model, turns: [turn] }));
  backend.publish({ ...delta, kind: "text", offset: 5, text: "!" });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sync.model?.turns[0]?.parts).toEqual([{ type: "text", partId: "p", text: "Hello!" }]);
  expect(sync.snapshots).toBe(2);
});

test("the app's end is told and not tried again", async () => {
  const backend = new FakeBackend();
  const sync = await follow(backend);
  backend.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sync.state).toBe("stopped");
  expect(calls(backend)).toEqual(["get_snapshot"]);
});

test("a secret that is refused is final", async () => {
  const backend = new FakeBackend();
  backend.refuse("get_snapshot", new SecretRefused("refused"));
  const sync = await follow(backend);
  expect(sync.state).toBe("refused");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls(backend)).toHaveLength(1);
});

test("an app that does not answer is tried again, with longer pauses, until it does", async () => {
  const backend = new FakeBackend();
  backend.refuse("get_snapshot", gone);
  const sync = await follow(backend);
  expect(sync.state).toBe("starting");
  expect(sync.failures).toBe(1);
  await vi.advanceTimersByTimeAsync(250);
  expect(sync.state).toBe("live");
  expect(sync.failures).toBe(0);
});

test("the person can ask for the next try at once", async () => {
  const backend = new FakeBackend();
  backend.refuse("get_snapshot", gone);
  const sync = await follow(backend);
  sync.retry();
  await vi.advanceTimersByTimeAsync(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(sync.state).toBe("live");
});

test("each event is told once, after it was applied", async () => {
  const backend = new FakeBackend({ channels: [makeChannel("c1")] });
  const sync = new Sync(backend);
  const told: string[] = [];
  sync.listen((event, model) => told.push(`${event.type} ${model.channels[0]?.name ?? ""}`));
  void sync.run();
  await vi.advanceTimersByTimeAsync(1);
  rename(backend, "one");
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(["channel.changed one"]);
});

test("a stop ends it, also in a pause", async () => {
  const backend = new FakeBackend();
  backend.refuse("get_snapshot", gone);
  const sync = await follow(backend);
  sync.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls(backend)).toHaveLength(1);
});
