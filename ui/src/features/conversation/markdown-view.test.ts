import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import MarkdownHost from "./MarkdownHost.test.svelte";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.innerHTML = "";
});

interface Host extends Record<string, unknown> {
  write: (text: string, growing: boolean) => void;
}

function host(text: string, growing: boolean): Host {
  const made = mount(MarkdownHost, { target: document.body, props: { text, growing } }) as Host;
  flushSync();
  return made;
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(10_000);
  flushSync();
}

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `w${index}`).join(" ");

function shown(): string {
  return document.body.textContent.replace(/\s+/g, " ").trim();
}

test("a short text is there at once", async () => {
  const made = host("Hello **you**", false);
  expect(shown()).toBe("Hello you");
  await unmount(made);
});

test("a long text comes whole, in steps, also when it has stopped to grow", async () => {
  const made = host(words(10), true);
  for (const count of [2_000, 9_000, 20_000]) made.write(words(count), true);
  await settle();
  expect(shown()).toBe(words(20_000));
  made.write(words(20_000), false);
  await settle();
  expect(shown()).toBe(words(20_000));
  await unmount(made);
});

test("what is written meanwhile is shown at most once a frame", async () => {
  const made = host("a", true);
  const request = vi.spyOn(window, "requestAnimationFrame");
  for (let count = 1; count < 50; count++) {
    made.write(words(count), true);
    flushSync();
  }
  expect(request.mock.calls.length).toBeLessThanOrEqual(1);
  await settle();
  expect(shown()).toBe(words(49));
  await unmount(made);
});

test("code has its language, its text and a button to copy it, also within a list", async () => {
  const made = host("```sh\nls -l\n```\n\n- a\n\n  ```py\n  x = 1\n  ```", false);
  flushSync();
  const figures = [...document.querySelectorAll("figure")];
  expect(figures.map((one) => one.querySelector("figcaption")?.textContent.trim())).toEqual([
    "sh",
    "py",
  ]);
  expect(figures.map((one) => one.querySelector("code")?.textContent)).toEqual(["ls -l", "x = 1"]);
  expect(document.querySelectorAll('button[aria-label="Copy"]')).toHaveLength(2);
  await unmount(made);
});
