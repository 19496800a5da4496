import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { enter, forget } from "./auth";

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function exchange(status: number): ReturnType<typeof vi.fn> {
  const fetch = vi.fn(() =>
    Promise.resolve(new Response(status === 200 ? '{"secret":"s3cret"}' : "{}", { status })),
  );
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

test("the link's code is exchanged once, and leaves the address", async () => {
  const fetch = exchange(200);
  location.hash = "#code=abc";
  expect(await enter(location, history)).toEqual({ secret: "s3cret", inWindow: false });
  expect(location.hash).toBe("");
  const [address, init] = fetch.mock.calls[0] as [string, RequestInit];
  expect([address, init.body]).toEqual(["/exchange", '{"code":"abc"}']);
  expect(await enter(location, history)).toEqual({ secret: "s3cret", inWindow: false });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("the window's own link says so, also after a reload", async () => {
  exchange(200);
  location.hash = "#code=abc&window";
  expect((await enter(location, history))?.inWindow).toBe(true);
  expect((await enter(location, history))?.inWindow).toBe(true);
});

test("a link that was used, or none, lets nobody in", async () => {
  exchange(401);
  location.hash = "#code=old";
  expect(await enter(location, history)).toBeNull();
  expect(location.hash).toBe("");
  expect(await enter(location, history)).toBeNull();
});

test("a tab that is in stays in when its old link is opened again", async () => {
  exchange(200);
  location.hash = "#code=abc";
  await enter(location, history);
  exchange(401);
  location.hash = "#code=abc";
  expect((await enter(location, history))?.secret).toBe("s3cret");
});

test("a web view without any storage gets in", async () => {
  exchange(200);
  location.hash = "#code=abc";
  expect((await enter(location, history, null))?.secret).toBe("s3cret");
  expect(await enter(location, history, null)).toBeNull();
});

test("a secret that was refused is forgotten", async () => {
  exchange(200);
  location.hash = "#code=abc";
  await enter(location, history);
  forget();
  expect(await enter(location, history)).toBeNull();
});
