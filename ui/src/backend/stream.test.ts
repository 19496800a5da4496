import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Step } from "./backend";
import { SecretRefused, SidekicksError } from "./errors";
import { FrameParser, readEvents, SILENCE_MS } from "./stream";

describe("frames", () => {
  const text =
    ': beat\n\nid: 4\ndata: [{"type":"é🙂"}]\n\nid: 5\r\ndata: one\r\ndata:two\r\n\r\nevent: close\ndata: []\n\n';
  const frames = [
    { event: "message", data: '[{"type":"é🙂"}]' },
    { event: "message", data: "one\ntwo" },
    { event: "close", data: "[]" },
  ];

  test("are the same wherever the bytes are cut", () => {
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const decoder = new TextDecoder();
      const parser = new FrameParser();
      const pieces = [bytes.slice(0, cut), bytes.slice(cut)];
      const found = pieces.flatMap((piece) => parser.push(decoder.decode(piece, { stream: true })));
      expect(found, `cut at ${cut}`).toEqual(frames);
    }
  });

  test("are the same byte by byte", () => {
    const decoder = new TextDecoder();
    const parser = new FrameParser();
    const bytes = new TextEncoder().encode(text);
    const found = [...bytes].flatMap((byte) =>
      parser.push(decoder.decode(Uint8Array.of(byte), { stream: true })),
    );
    expect(found).toEqual(frames);
  });

  test("wait for their end", () => {
    const parser = new FrameParser();
    expect(parser.push("data: 1")).toEqual([]);
    expect(parser.push("\n")).toEqual([]);
    expect(parser.push("\n")).toHaveLength(1);
  });
});

/** A server's event stream, as far as `fetch` shows it. */
class Stream {
  readonly requests: [string, RequestInit][] = [];
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(readonly status = 200) {}

  readonly fetch = (address: string, init: RequestInit): Promise<Response> => {
    this.requests.push([address, init]);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        init.signal?.addEventListener("abort", () => controller.error(new Error("aborted")));
      },
    });
    return Promise.resolve(new Response(body, { status: this.status }));
  };

  send(text: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(text));
  }

  end(): void {
    this.#controller?.close();
  }
}

describe("the stream", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  async function open(stream: Stream, signal = new AbortController().signal) {
    vi.stubGlobal("fetch", stream.fetch);
    const steps: Step[] = [];
    const done = (async () => {
      for await (const step of readEvents("s3cret", 7, signal)) steps.push(step);
    })();
    done.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1);
    return { steps, done };
  }

  test("asks for what comes after a number, with the secret", async () => {
    const stream = new Stream();
    await open(stream);
    const [address, init] = stream.requests[0] ?? [];
    expect(address).toBe("/events?after=7");
    expect(new Headers(init?.headers).get("authorization")).toBe("Bearer s3cret");
  });

  test("yields arrays of events, and ends as a lost connection does", async () => {
    const stream = new Stream();
    const { steps, done } = await open(stream);
    stream.send('id: 8\ndata: [{"type":"resync","seq":8}]\n\n: beat\n\n');
    stream.end();
    await done;
    expect(steps).toEqual([{ kind: "events", events: [{ type: "resync", seq: 8 }] }]);
  });

  test("tells the app's own end", async () => {
    const stream = new Stream();
    const { steps, done } = await open(stream);
    stream.send("event: close\ndata: []\n\n");
    await done;
    expect(steps).toEqual([{ kind: "close" }]);
  });

  test("is dead when it is silent for too long, and alive while it beats", async () => {
    const stream = new Stream();
    const { done } = await open(stream);
    await vi.advanceTimersByTimeAsync(SILENCE_MS - 1_000);
    stream.send(": beat\n\n");
    await vi.advanceTimersByTimeAsync(SILENCE_MS - 1_000);
    stream.send(": beat\n\n");
    await vi.advanceTimersByTimeAsync(SILENCE_MS + 1);
    await expect(done).rejects.toBeInstanceOf(SidekicksError);
  });

  test("refuses for good with a secret of another run", async () => {
    const { done } = await open(new Stream(401));
    await expect(done).rejects.toBeInstanceOf(SecretRefused);
  });

  test("fails for now when the server cannot", async () => {
    const { done } = await open(new Stream(503));
    await expect(done).rejects.toMatchObject({ code: "unavailable" });
  });

  test("ends when nobody listens any more", async () => {
    const stop = new AbortController();
    const { done } = await open(new Stream(), stop.signal);
    stop.abort();
    await expect(done).rejects.toMatchObject({ code: "unavailable" });
  });
});
