import { SvelteMap } from "svelte/reactivity";
import type { ChannelId } from "../contract/generated";
import type { Lane } from "./lane";
import type { Sync } from "./sync.svelte";

const SAVE_MS = 500;

/**
 * What is being written, by conversation. Here the page owns the truth: once a draft was touched,
 * nothing that the app tells replaces it.
 */
export class Drafts {
  readonly #sync: Sync;
  readonly #lane: Lane;
  readonly #texts = new SvelteMap<ChannelId, string>();
  readonly #timers = new Map<ChannelId, ReturnType<typeof setTimeout>>();

  constructor(sync: Sync, lane: Lane) {
    this.#sync = sync;
    this.#lane = lane;
  }

  get(channelId: ChannelId): string {
    const written = this.#texts.get(channelId);
    if (written !== undefined) return written;
    const channel = this.#sync.model?.channels.find((one) => one.channelId === channelId);
    return channel?.draft ?? "";
  }

  set(channelId: ChannelId, text: string): void {
    if (text === this.get(channelId)) return;
    this.#texts.set(channelId, text);
    clearTimeout(this.#timers.get(channelId));
    this.#timers.set(
      channelId,
      setTimeout(() => this.flush(channelId), SAVE_MS),
    );
  }

  /** Put text that came back before what was written since. */
  giveBack(channelId: ChannelId, text: string): void {
    const written = this.get(channelId);
    this.set(channelId, written.trim() ? `${text}\n\n${written}` : text);
  }

  /** Save now what waits to be saved. */
  flush(channelId: ChannelId): void {
    const timer = this.#timers.get(channelId);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#timers.delete(channelId);
    const text = this.get(channelId);
    // A draft that cannot be saved is still here, and the next key tries again.
    void this.#lane
      .run(() => this.#sync.invoke("save_draft", { channelId, text }))
      .catch(() => undefined);
  }

  flushAll(): void {
    for (const channelId of [...this.#timers.keys()]) this.flush(channelId);
  }
}
