import { afterEach, expect, test } from "vitest";
import { speak } from "../words/words.svelte";
import { compactNumber, dayName, duration, memorySize } from "./format";

afterEach(() => {
  speak("en");
});

test("durations are short", () => {
  const cases = [20, 400, 1_000, 6_400, 59_600, 65_000, 3_599_600, 3_780_000];
  expect(cases.map(duration)).toEqual([
    "0.1 s",
    "0.4 s",
    "1 s",
    "6 s",
    "1 min 0 s",
    "1 min 5 s",
    "1 h 0 min",
    "1 h 3 min",
  ]);
});

test("memory and large numbers are as the language writes them", () => {
  expect(memorySize(1.9 * 1024 ** 3)).toBe("1.9 GB");
  expect(memorySize(340 * 1024 ** 2)).toBe("340 MB");
  expect(compactNumber(6_100)).toBe("6.1K");
  speak("fr");
  expect(memorySize(1.9 * 1024 ** 3)).toBe("1,9 Go");
});

test("days near today have names", () => {
  const now = new Date(2026, 10, 30, 1, 0);
  expect(dayName(new Date(2026, 10, 30, 0, 1).toISOString(), now)).toBe("Today");
  expect(dayName(new Date(2026, 10, 29, 23, 59).toISOString(), now)).toBe("Yesterday");
  expect(dayName(new Date(2026, 10, 23, 12).toISOString(), now)).toBe("Monday, November 23");
  expect(dayName(new Date(2025, 10, 23, 12).toISOString(), now)).toContain("2025");
  speak("fr");
  expect(dayName(new Date(2026, 10, 23, 12).toISOString(), now)).toBe("lundi 23 novembre");
});
