import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SidekicksError } from "../../backend/errors";
import { FakeBackend, makeAgent, makeChannel, makeMessage, makeTurn } from "../../backend/fake";
import { APP_KEY, App } from "../../state/app.svelte";
import Composer from "./Composer.svelte";

const CHANNEL = makeChannel("c1", { kind: "channel", name: "general", members: ["alice", "bob"] });
const COMMANDS = [
  { agentId: "alice", name: "help", description: "Help", hint: null },
  { agentId: "alice", name: "tour", description: "A tour", hint: null },
];

let backend: FakeBackend;
let app: App;
let view: Record<string, unknown>;

beforeEach(async () => {
  vi.useFakeTimers();
  Element.prototype.scrollIntoView = () => undefined;
  backend = new FakeBackend({
    agents: [makeAgent("alice"), makeAgent("bob")],
    channels: [CHANNEL],
  });
  backend.handlers.list_commands = () => ({ commands: COMMANDS, unknown: ["bob"] });
  app = new App(backend);
  void app.sync.run();
  await vi.advanceTimersByTimeAsync(1);
  app.open("c1");
  await app.conversations.load("c1", app.sync.snapshots);
  document.body.innerHTML = "";
  view = mount(Composer, {
    target: document.body,
    props: { channel: CHANNEL },
    context: new Map([[APP_KEY, app]]),
  });
  flushSync();
});
afterEach(async () => {
  await unmount(view);
  vi.useRealTimers();
});

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1);
  flushSync();
}

function area(): HTMLTextAreaElement {
  const found = document.querySelector("textarea");
  if (!found) throw new Error("there is no composer");
  return found;
}

async function write(text: string): Promise<void> {
  area().value = text;
  area().dispatchEvent(new Event("input", { bubbles: true }));
  await settle();
}

async function press(key: string, more: KeyboardEventInit = {}): Promise<void> {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  area().dispatchEvent(event);
  await settle();
}

function button(name: string): HTMLButtonElement | undefined {
  return [...document.querySelectorAll("button")].find((one) => one.textContent.includes(name));
}

function calls(name: string): Readonly<Record<string, unknown>>[] {
  return backend.calls.filter((call) => call.name === name).map((call) => call.params);
}

test("Enter sends exactly what was written, and empties the composer", async () => {
  await write(" /not a command \n");
  await press("Enter");
  expect(calls("send_message")[0]).toMatchObject({ channelId: "c1", text: " /not a command \n" });
  expect(area().value).toBe("");
});

test("nothing but spaces is not sent", async () => {
  await write(" \n ");
  await press("Enter");
  expect(calls("send_message")).toEqual([]);
});

test("an Enter that ends a composition sends nothing", async () => {
  await write("にほん");
  await press("Enter", { isComposing: true });
  await press("Enter", { keyCode: 229 });
  expect(calls("send_message")).toEqual([]);
  expect(area().value).toBe("にほん");
});

test("a refusal is said and the text stays", async () => {
  backend.refuse("send_message", new SidekicksError({ code: "busy", message: "Too much waits." }));
  await write("hello");
  await press("Enter");
  expect(document.querySelector('[role="alert"]')?.textContent).toContain("Too much waits.");
  expect(area().value).toBe("hello");
  await write("hello!");
  expect(document.querySelector('[role="alert"]')).toBeNull();
});

test("where it is not clear whom it is for there is a button for each member", async () => {
  const data = { members: ["alice", "bob"] };
  backend.refuse("send_message", new SidekicksError({ code: "ambiguous", message: "?", data }));
  await write("hello");
  await press("Enter");
  expect(area().value).toBe("hello");
  button("Bob")?.click();
  await settle();
  expect(calls("send_message")[1]).toMatchObject({ text: "hello", to: ["bob"] });
  expect(area().value).toBe("");
});

test("a command is completed from what was announced, and the first / asks for it", async () => {
  await write("/");
  await settle();
  expect(calls("list_commands")).toEqual([{ channelId: "c1", open: true }]);
  const options = (): string[] =>
    [...document.querySelectorAll('[role="option"]')].map(
      (one) =>
        `${one.getAttribute("aria-selected") === "true" ? ">" : ""}${one.querySelector("b")?.textContent ?? ""}`,
    );
  expect(options()).toEqual([">/alice:help", "/alice:tour"]);
  expect(document.body.textContent).toContain("Bob: not known yet");
  await press("ArrowDown");
  expect(options()).toEqual(["/alice:help", ">/alice:tour"]);
  const commands = [{ name: "aaa", description: "New", hint: null }, ...COMMANDS];
  backend.publish({ type: "commands.changed", agentId: "alice", commands });
  await settle();
  expect(options()).toEqual(["/alice:aaa", "/alice:help", ">/alice:tour"]);
  await press("Enter");
  expect(area().value).toBe("/alice:tour ");
  await press("Enter");
  expect(calls("send_message")[0]).toMatchObject({ text: "/alice:tour " });
});

test("Escape closes the list, then stops what runs", async () => {
  backend.publish({ type: "turn.queued", turn: makeTurn("t1", { state: "running" }) });
  await write("/");
  await settle();
  await press("Escape");
  expect(document.querySelector('[role="option"]')).toBeNull();
  expect(calls("stop_turn")).toEqual([]);
  await press("Escape");
  expect(calls("stop_turn")).toEqual([{ channelId: "c1" }]);
});

test("a command that nobody announced is said to be sent as typed", async () => {
  await write("/nothing now");
  await settle();
  expect(document.body.textContent).toContain("Nobody announced this command");
});

test("what is withdrawn from the queue comes back into the composer", async () => {
  const waitsFor = { kind: "turn", agentId: "alice", channelId: null, children: [] } as const;
  backend.handlers.withdraw_turn = () => ({ text: "later, please" });
  backend.publish(
    { type: "turn.queued", turn: makeTurn("t0", { state: "running" }) },
    {
      type: "message.added",
      message: makeMessage("m9", {
        position: null,
        parts: [{ type: "text", partId: "p", text: "later, please" }],
      }),
    },
    { type: "turn.queued", turn: makeTurn("t9", { userMessageId: "m9", waitsFor }) },
  );
  await settle();
  expect(document.querySelector("li")?.textContent).toContain("after Alice");
  button("Withdraw")?.click();
  await settle();
  expect(calls("withdraw_turn")).toEqual([{ turnId: "t9" }]);
  expect(area().value).toBe("later, please");
});
