import { describe, expect, test } from "vitest";
import { makeTurn } from "../../backend/fake";
import type { SlashCommand, WaitsFor } from "../../contract/generated";
import { en } from "../../words/en";
import { isAnnounced, keepSelection, makeOffers, matching, typedCommand } from "./completion";
import { verbFor } from "./keys";
import { reasonOf } from "./waiting";

const PLAIN = {
  keyCode: 0,
  repeat: false,
  isComposing: false,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
};

describe("keys", () => {
  const idle = { completing: false, running: false };
  const completing = { completing: true, running: true };

  test.each([
    ["Enter sends", { key: "Enter" }, idle, "send"],
    ["Enter with Ctrl or Cmd sends too", { key: "Enter", ctrlKey: true }, completing, "send"],
    ["Shift+Enter is the text's", { key: "Enter", shiftKey: true }, idle, null],
    ["Alt+Enter is the text's", { key: "Enter", altKey: true }, idle, null],
    ["Enter that is held down sends nothing", { key: "Enter", repeat: true }, idle, null],
    ["Enter accepts what is selected", { key: "Enter" }, completing, "accept"],
    ["Tab accepts what is selected", { key: "Tab" }, completing, "accept"],
    ["Tab leaves the composer otherwise", { key: "Tab" }, idle, null],
    ["Shift+Tab leaves it always", { key: "Tab", shiftKey: true }, completing, null],
    ["the arrows move the selection", { key: "ArrowDown" }, completing, "next"],
    ["the arrows move the selection back", { key: "ArrowUp" }, completing, "previous"],
    ["the arrows move in the text otherwise", { key: "ArrowUp" }, idle, null],
    ["Alt+Down is the page's", { key: "ArrowDown", altKey: true }, completing, null],
    ["Escape closes the list first", { key: "Escape" }, completing, "dismiss"],
    ["Escape stops what runs", { key: "Escape" }, { completing: false, running: true }, "stop"],
    ["Escape does nothing otherwise", { key: "Escape" }, idle, null],
    ["a letter is the text's", { key: "a" }, completing, null],
  ] as const)("%s", (_, key, state, verb) => {
    expect(verbFor({ ...PLAIN, ...key }, state)).toBe(verb);
  });

  test("while an input method composes, no key is ours", () => {
    for (const key of ["Enter", "Escape", "Tab", "ArrowDown"]) {
      expect(verbFor({ ...PLAIN, key, isComposing: true }, completing)).toBeNull();
      expect(verbFor({ ...PLAIN, key, keyCode: 229 }, completing)).toBeNull();
    }
  });
});

function command(name: string): SlashCommand {
  return { name, description: `Does ${name}`, hint: null };
}

describe("commands", () => {
  const announced: Record<string, SlashCommand[]> = {
    alice: [command("idioms"), command("init")],
    bob: [command("review"), command("init")],
  };
  const of = (agentId: string): SlashCommand[] => announced[agentId] ?? [];
  const one = makeOffers(["alice"], of);
  const several = makeOffers(["alice", "bob"], of);
  const texts = (offers: readonly { text: string }[]): string[] =>
    offers.map((offer) => offer.text);

  test("are completed while their name is typed, at the beginning of a message", () => {
    expect(typedCommand("/")).toBe("");
    expect(typedCommand("/id")).toBe("id");
    expect(typedCommand("/alice:id")).toBe("alice:id");
    for (const text of ["", "id", " /id", "/id ", "/id x", "a /id", "/id\n"]) {
      expect(typedCommand(text), text).toBeNull();
    }
  });

  test("name their agent only among several", () => {
    expect(texts(one)).toEqual(["/idioms", "/init"]);
    expect(texts(several)).toEqual(["/alice:idioms", "/alice:init", "/bob:review", "/bob:init"]);
  });

  test("are found by their beginning first, by agent or name, in any case", () => {
    expect(texts(matching(one, ""))).toEqual(["/idioms", "/init"]);
    expect(texts(matching(several, "INI"))).toEqual(["/alice:init", "/bob:init"]);
    expect(texts(matching(several, "bob:"))).toEqual(["/bob:review", "/bob:init"]);
    expect(texts(matching(several, "i"))).toEqual([
      "/alice:idioms",
      "/alice:init",
      "/bob:init",
      "/bob:review",
    ]);
    expect(matching(several, "zzz")).toEqual([]);
  });

  test("keep the selection by name when the list is made anew", () => {
    expect(keepSelection(several, "/bob:review")).toBe(2);
    expect(keepSelection(several.slice(2), "/bob:review")).toBe(0);
    expect(keepSelection(one, "/bob:review")).toBe(0);
    expect(keepSelection(one, null)).toBe(0);
  });

  test("that nobody announced are told apart", () => {
    expect(isAnnounced(several, "/alice:init now")).toBe(true);
    expect(isAnnounced(several, "/init now")).toBe(true);
    expect(isAnnounced(several, "/nothing now")).toBe(false);
    expect(isAnnounced(several, "hello")).toBe(true);
  });
});

describe("why a turn waits", () => {
  const names = {
    agent: (agentId: string) => agentId.toUpperCase(),
    channel: (channelId: string) => (channelId === "c2" ? "general" : null),
  };
  const running = makeTurn("t0", { state: "running", agentId: "alice" });
  const reason = (waitsFor: Partial<WaitsFor> | null): string =>
    reasonOf(
      makeTurn("t1", {
        agentId: "bob",
        waitsFor: waitsFor && {
          kind: "turn",
          agentId: null,
          channelId: null,
          children: [],
          ...waitsFor,
        },
      }),
      running,
      names,
      en,
    );

  test.each([
    [{ kind: "agent", agentId: "bob", channelId: "c2" }, "waits: BOB answers in general"],
    [{ kind: "agent", channelId: "c9" }, "waits: BOB answers in another conversation"],
    [{ kind: "agent", agentId: "bob", channelId: "c1" }, "waits for BOB"],
    [{ kind: "place" }, "waits for a place: as many agents run as may"],
    [{ kind: "place", agentId: "carol" }, "waits for a place: CAROL holds it"],
    [
      { kind: "place", agentId: "carol", children: ["npm", "node"] },
      "waits for a place: CAROL has npm, node running",
    ],
    [{ kind: "answer", agentId: "alice" }, "waits until you answer ALICE"],
    [{ kind: "turn", agentId: "alice" }, "after ALICE"],
    [null, "after ALICE"],
  ] as const)("%j", (waitsFor, words) => {
    expect(reason(waitsFor)).toBe(words);
  });
});
