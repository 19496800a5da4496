import { expect, test } from "vitest";
import { compareLines } from "./diff";

function shown(before: string, after: string): string[] | undefined {
  const signs = { same: " ", added: "+", removed: "-", gap: "@" };
  return compareLines(before, after)?.map(({ kind, text, skipped }) =>
    kind === "gap" ? `@${skipped}` : signs[kind] + text,
  );
}

const numbers = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}\n`).join("");

test("a change has three lines around it, and says what it leaves out", () => {
  const after = numbers(1, 20).replace("10\n", "ten\n");
  expect(shown(numbers(1, 20), after)).toEqual([
    "@6",
    ...[" 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13"],
    "@7",
  ]);
});

test("a new file is all added, an emptied one all removed", () => {
  expect(shown("", "a\nb\n")).toEqual(["+a", "+b"]);
  expect(shown("a\nb\n", "")).toEqual(["-a", "-b"]);
});

test("a missing last newline is no change of its own", () => {
  expect(shown("a\nb", "a\nc")).toEqual([" a", "-b", "+c"]);
  expect(shown("a", "a\n")).toEqual([]);
});

test("what would take too long is not compared", () => {
  const many = (prefix: string): string =>
    Array.from({ length: 30_000 }, (_, index) => `${prefix}${(index * 7919) % 30_011}\n`).join("");
  expect(compareLines(many("a"), many("b"))).toBeNull();
});
