import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { en } from "./en";
import { fr } from "./fr";

type Key = keyof typeof en;
const keys = Object.keys(en) as Key[];

/** Words that are the same in both languages. */
const SAME: readonly Key[] = ["agents", "plan", "code", "version", "configFile"];

function spoken(words: typeof en, key: Key): string {
  const value = words[key];
  return typeof value === "string" ? value : (value as (...some: unknown[]) => string)("A", "B");
}

test("both languages say the same things", () => {
  expect(Object.keys(fr).sort()).toEqual([...keys].sort());
  for (const key of keys) {
    const [one, other] = [en[key], fr[key]];
    expect(typeof other, key).toBe(typeof one);
    expect(spoken(fr, key).trim(), key).not.toBe("");
  }
});

test("every sentence is translated", () => {
  const untranslated = keys.filter((key) => spoken(en, key) === spoken(fr, key));
  expect(untranslated.filter((key) => !SAME.includes(key))).toEqual([]);
});

test("what is filled in is filled in by both", () => {
  for (const key of keys) {
    if (typeof en[key] === "string") continue;
    for (const value of ["A", "B"]) {
      expect(spoken(fr, key).includes(value), `${key} ${value}`).toBe(
        spoken(en, key).includes(value),
      );
    }
  }
});

test("French has its own punctuation", () => {
  for (const key of keys) {
    expect(spoken(fr, key), key).not.toMatch(/'/);
    expect(spoken(fr, key), key).not.toMatch(/[^\s  ][:;?!](?:\s|$)/);
  }
});

test("every sentence is used", () => {
  const source = readdirSync(join(import.meta.dirname, ".."), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|svelte)$/.test(name) && !/words\/(?:en|fr)\.ts$/.test(name))
    .map((name) => readFileSync(join(import.meta.dirname, "..", name), "utf8"))
    .join("\n");
  const unused = keys.filter((key) => !new RegExp(`\\.${key}\\b|"${key}"`).test(source));
  expect(unused).toEqual([]);
});
