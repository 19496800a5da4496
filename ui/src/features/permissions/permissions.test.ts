import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeBackend, makeAgent } from "../../backend/fake";
import type { Permission, PermissionOption } from "../../contract/generated";
import { APP_KEY, App } from "../../state/app.svelte";
import { canKeep, INERT_MS, looksOf, optionForKey } from "./answering";
import PermissionCard from "./PermissionCard.svelte";

const OPTIONS: PermissionOption[] = [
  { optionId: "a", name: "Always", kind: "allow_always" },
  { optionId: "b", name: "Once", kind: "allow_once" },
  { optionId: "c", name: "Once more", kind: "allow_once" },
  { optionId: "d", name: "No", kind: "reject_once" },
  { optionId: "e", name: "Something", kind: null },
];
const PERMISSION: Permission = {
  permissionId: "q1",
  channelId: "c1",
  agentId: "alice",
  turnId: "t1",
  askedAt: "2026-11-30T10:41:00Z",
  toolCall: {
    toolCallId: "k",
    title: "Run it",
    kind: null,
    locations: [],
    content: [],
    input: { command: "rm -r build" },
  },
  options: OPTIONS,
};
const KEY = {
  repeat: false,
  isComposing: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
};

describe("an answer by key", () => {
  const chosen = (key: object, onButton = false): string | undefined =>
    optionForKey({ ...KEY, key: "", ...key }, OPTIONS, onButton)?.optionId;

  test("is by number in the agent's order, or Enter for the first that allows once", () => {
    expect(chosen({ key: "1" })).toBe("a");
    expect(chosen({ key: "5" })).toBe("e");
    expect(chosen({ key: "6" })).toBeUndefined();
    expect(chosen({ key: "0" })).toBeUndefined();
    expect(chosen({ key: "Enter" })).toBe("b");
  });

  test("is never one of a key that is held, composed or combined", () => {
    for (const more of [
      { repeat: true },
      { isComposing: true },
      { ctrlKey: true },
      { metaKey: true },
      { altKey: true },
      { shiftKey: true },
    ]) {
      expect(chosen({ key: "Enter", ...more })).toBeUndefined();
      expect(chosen({ key: "1", ...more })).toBeUndefined();
    }
  });

  test("leaves Enter to the button that has the focus", () => {
    expect(chosen({ key: "Enter" }, true)).toBeUndefined();
    expect(chosen({ key: "4" }, true)).toBe("d");
  });

  test("Enter allows nothing where nothing allows once", () => {
    const [always] = OPTIONS;
    expect(optionForKey({ ...KEY, key: "Enter" }, always ? [always] : [], false)).toBeUndefined();
  });
});

test("the first option that allows once stands out, refusals look like what they are", () => {
  expect(looksOf(OPTIONS)).toEqual(["plain", "primary", "plain", "danger", "plain"]);
});

test("an answer can be kept where it alone says yes or no once, and the kind says what it is", () => {
  const keepable = (kind: string | null): string[] => {
    const asked = { ...PERMISSION, toolCall: { ...PERMISSION.toolCall, kind } };
    return OPTIONS.filter((option) => canKeep(asked, option)).map((option) => option.optionId);
  };
  expect(keepable("edit")).toEqual(["d"]); // two options allow once
  for (const kind of [null, "other", "execute"]) expect(keepable(kind)).toEqual([]);
});

describe("the card", () => {
  let backend: FakeBackend;
  let app: App;
  let card: Record<string, unknown>;

  beforeEach(async () => {
    vi.useFakeTimers();
    backend = new FakeBackend({ agents: [makeAgent("alice")], permissions: [PERMISSION] });
    app = new App(backend);
    void app.sync.run();
    await vi.advanceTimersByTimeAsync(1);
    document.body.innerHTML = "<textarea></textarea>";
    document.querySelector("textarea")?.focus();
    card = mount(PermissionCard, {
      target: document.body,
      props: { permission: PERMISSION },
      context: new Map([[APP_KEY, app]]),
    });
    flushSync();
  });
  afterEach(async () => {
    await unmount(card);
    vi.useRealTimers();
  });

  const section = (): HTMLElement => document.querySelector("section") ?? document.body;
  const buttons = (): HTMLButtonElement[] =>
    [...section().querySelectorAll("button[data-option]")] as HTMLButtonElement[];
  const answers = (): unknown[] =>
    backend.calls
      .filter((call) => call.name === "answer_permission")
      .map((call) => call.params["optionId"]);
  function press(target: Element, key: string, repeat = false): boolean {
    const event = new KeyboardEvent("keydown", { key, repeat, bubbles: true, cancelable: true });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  }
  async function wait(milliseconds: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(milliseconds);
    flushSync();
  }

  test("names the agent, where it runs, what it wants, and the agent's own options in order", () => {
    const text = section().textContent;
    for (const part of ["Alice asks:", "Run it", "this computer", "rm -r build"]) {
      expect(text).toContain(part);
    }
    expect(buttons().map((button) => button.textContent.replace("⏎", "").trim())).toEqual(
      OPTIONS.map((option) => option.name),
    );
  });

  test("takes no focus", async () => {
    await wait(1_000);
    expect(document.activeElement).toBe(document.querySelector("textarea"));
  });

  test("is inert for its first half second, by mouse and by key", async () => {
    await wait(INERT_MS - 1);
    buttons()[1]?.click();
    press(section(), "Enter");
    press(section(), "1");
    await wait(0);
    expect(answers()).toEqual([]);
    expect(buttons().every((button) => button.disabled)).toBe(true);
    await wait(1);
    buttons()[1]?.click();
    await wait(0);
    expect(answers()).toEqual(["b"]);
  });

  test("is not answered by an Enter that was held when it appeared", async () => {
    await wait(INERT_MS);
    expect(press(section(), "Enter", true)).toBe(false);
    const [first] = buttons();
    if (first) expect(press(first, "Enter", true)).toBe(true);
    await wait(0);
    expect(answers()).toEqual([]);
  });

  test("answers once, and not to keys elsewhere", async () => {
    await wait(INERT_MS);
    press(document.querySelector("textarea") ?? document.body, "1");
    press(section(), "4");
    await wait(0);
    press(section(), "1");
    buttons()[0]?.click();
    await wait(0);
    expect(answers()).toEqual(["d"]);
    expect(buttons().every((button) => button.disabled)).toBe(true);
  });

  test("takes the focus when the person asks to be led to it", async () => {
    section().scrollIntoView = () => undefined;
    app.permissions.leadTo("q1");
    await wait(0);
    expect(document.activeElement).toBe(section());
    expect(app.permissions.wanted).toBeNull();
  });
});
