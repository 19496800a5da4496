import type { AnyEvent } from "../contract/generated";
import { words } from "../words/words.svelte";
import type { Step } from "./backend";
import { SecretRefused, SidekicksError } from "./errors";

/** The app beats every 15 s; a stream that is silent for longer than this is dead. */
export const SILENCE_MS = 40_000;

interface Frame {
  readonly event: string;
  readonly data: string;
}

/** Cuts server-sent events out of text that arrives in any pieces. Comments (beats) are dropped. */
export class FrameParser {
  #rest = "";

  push(text: string): Frame[] {
    // A lone \r at the end may be half of \r\n: it waits for what follows.
    const joined = this.#rest + text;
    const held = joined.endsWith("\r") ? 1 : 0;
    const whole = joined.slice(0, joined.length - held).replaceAll("\r\n", "\n");
    const frames: Frame[] = [];
    let start = 0;
    for (let end = whole.indexOf("\n\n"); end >= 0; end = whole.indexOf("\n\n", start)) {
      const frame = readFrame(whole.slice(start, end));
      if (frame) frames.push(frame);
      start = end + 2;
    }
    this.#rest = whole.slice(start) + joined.slice(joined.length - held);
    return frames;
  }
}

function readFrame(text: string): Frame | null {
  let event = "message";
  const data: string[] = [];
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
  return data.length > 0 ? { event, data: data.join("\n") } : null;
}

/** Read `/events` until the app says that it stops, the stream ends, falls silent, or `signal` aborts. */
export async function* readEvents(
  secret: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(`/events?after=${after}`, {
      headers: { Authorization: `Bearer ${secret}`, Accept: "text/event-stream" },
      cache: "no-store",
      signal: either,
    });
    if (response.status === 401) throw new SecretRefused(words().secretRefused);
    if (!response.ok || !response.body) throw lost();
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const parser = new FrameParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const { event, data } of parser.push(decoder.decode(value, { stream: true }))) {
        if (event === "close") {
          yield { kind: "close" };
          return;
        }
        yield { kind: "events", events: JSON.parse(data) as AnyEvent[] };
      }
    }
  } catch (error) {
    throw error instanceof SidekicksError ? error : lost();
  } finally {
    clearTimeout(timer);
    silence.abort(); // closes the stream when its reader has stopped listening
  }
}

function lost(): SidekicksError {
  return new SidekicksError({ code: "unavailable", message: words().appDoesNotAnswer });
}
