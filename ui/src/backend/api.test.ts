import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Api } from "./api";
import { SecretRefused } from "./errors";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  delete window.pywebview;
});

describe("in a browser", () => {
  function answer(status: number, body: string): ReturnType<typeof vi.fn> {
    const fetch = vi.fn(() => Promise.resolve(new Response(body, { status })));
    vi.stubGlobal("fetch", fetch);
    return fetch;
  }
  const api = (): Api => new Api({ secret: "s3cret", inWindow: false });

  test("a command is posted with the secret, and its value comes with the number", async () => {
    const fetch = answer(200, '{"ok":true,"value":{"channelId":"c1"},"seq":4}');
    const answered = await api().invoke("open_direct", { agentId: "alice" });
    expect(answered).toEqual({ value: { channelId: "c1" }, seq: 4 });
    const [address, init] = fetch.mock.calls[0] as [string, RequestInit];
    expect(address).toBe("/invoke");
    expect(init.body).toBe('{"type":"open_direct","agentId":"alice"}');
    expect(new Headers(init.headers).get("authorization")).toBe("Bearer s3cret");
    expect(new Headers(init.headers).get("content-type")).toBe("application/json");
  });

  test("a refusal is thrown with its code, sentence and data, whatever the status", async () => {
    answer(
      409,
      '{"ok":false,"error":{"code":"ambiguous","message":"Who?","data":{"members":["a"]}},"seq":1}',
    );
    await expect(api().invoke("mark_read", { channelId: "c1" })).rejects.toMatchObject({
      code: "ambiguous",
      message: "Who?",
      data: { members: ["a"] },
    });
  });

  test("an app that is gone is said, and a secret of another run is told apart", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(api().invoke("get_snapshot", {})).rejects.toMatchObject({ code: "unavailable" });
    answer(401, "");
    await expect(api().invoke("get_snapshot", {})).rejects.toBeInstanceOf(SecretRefused);
  });

  test("an answer that is no JSON is an error, not a crash", async () => {
    answer(502, "<html>");
    await expect(api().invoke("get_snapshot", {})).rejects.toMatchObject({ code: "internal" });
  });
});

describe("in the window", () => {
  const ok = '{"ok":true,"value":{},"seq":1}';
  const api = (): Api => new Api({ secret: "s3cret", inWindow: true });

  test("a command goes over the bridge, with the secret", async () => {
    const invoke = vi.fn(() => Promise.resolve(ok));
    window.pywebview = { platform: "cocoa", api: { invoke } };
    await api().invoke("mark_read", { channelId: "c1" });
    expect(invoke).toHaveBeenCalledWith("s3cret", '{"type":"mark_read","channelId":"c1"}');
  });

  test("on Qt a call waits for the channel that carries it", async () => {
    const invoke = vi.fn(() => Promise.resolve(ok));
    window.pywebview = { platform: "qtwebengine", api: { invoke } };
    const answered = api().invoke("get_snapshot", {});
    await vi.advanceTimersByTimeAsync(100);
    expect(invoke).not.toHaveBeenCalled();
    window.pywebview = { platform: "qtwebengine", api: { invoke }, _QWebChannel: {} };
    window.dispatchEvent(new CustomEvent("pywebviewready"));
    expect((await answered).seq).toBe(1);
  });

  test("a bridge that never comes, or never answers, is not waited for without end", async () => {
    const absent = api().invoke("get_snapshot", {});
    absent.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(30_000);
    await expect(absent).rejects.toMatchObject({ code: "unavailable" });
    const invoke = (): Promise<string> => new Promise(() => undefined);
    window.pywebview = { platform: "cocoa", api: { invoke } };
    const silent = api().invoke("get_snapshot", {});
    silent.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(90_000);
    await expect(silent).rejects.toMatchObject({ code: "unavailable" });
  });

  test("what goes wrong in the bridge is no more than an app that does not answer", async () => {
    const invoke = (): Promise<string> => Promise.reject(new Error("Traceback …"));
    window.pywebview = { platform: "cocoa", api: { invoke } };
    await expect(api().invoke("get_snapshot", {})).rejects.toMatchObject({ code: "unavailable" });
  });
});
