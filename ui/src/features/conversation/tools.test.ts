import { expect, test } from "vitest";
import { en } from "../../words/en";
import { describeEnding } from "./ending";
import { commandOf, hasContent, kindIcon, kindName, statusWord } from "./tool-words";

test("a kind or state that we do not know is named as the agent does", () => {
  expect([kindIcon("teleport"), kindName("teleport", en)]).toEqual(["wrench", "teleport"]);
  expect([kindIcon(null), kindName(null, en)]).toEqual(["wrench", "Tool"]);
  expect([kindIcon("execute"), kindName("execute", en)]).toEqual(["terminal", "Run"]);
  expect(statusWord("completed", en)).toBe("done");
  expect(statusWord("dreaming", en)).toBe("dreaming");
});

test("a command line is found where agents put it", () => {
  expect(commandOf({ command: "ls -l" })).toBe("ls -l");
  expect(commandOf({ command: ["bash", "-lc", "ls"] })).toBe("bash -lc ls");
  expect(commandOf({ cmd: "git", args: ["status", 1] })).toBe("git status 1");
  for (const none of [null, "ls", 3, {}, { command: "" }, { command: { x: 1 } }, []]) {
    expect(commandOf(none)).toBeNull();
  }
});

test("nothing is not shown", () => {
  for (const none of [null, undefined, "", {}, []]) expect(hasContent(none)).toBe(false);
  for (const some of ["a", 0, false, { a: 1 }, [0]]) expect(hasContent(some)).toBe(true);
});

test("only what did not end well can be tried again", () => {
  const retry = (["finished", "stopped", "failed", "nothing", "refused", "limit"] as const).filter(
    (outcome) => describeEnding(outcome, en).retry,
  );
  expect(retry).toEqual(["stopped", "failed", "nothing", "refused", "limit"]);
});
