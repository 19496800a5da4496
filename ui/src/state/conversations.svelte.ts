import { SvelteMap } from "svelte/reactivity";
import type { ChannelId, Message } from "../contract/generated";
import { watchConversation } from "./apply";
import { joinNewest, joinOlder } from "./messages";
import type { Conversation, Model } from "./model";
import type { Notices } from "./notices.svelte";
import type { Sync } from "./sync.svelte";

const PAGE = 50;

/** The messages of the conversations that were shown. */
export class Conversations {
  readonly #sync: Sync;
  readonly #notices: Notices;
  readonly #all = $derived.by(() => this.#sync.model?.conversations);
  readonly #loading = new SvelteMap<ChannelId, "newest" | "older">();
  /** At which snapshot the newest messages were loaded. */
  readonly #loadedAt = new Map<ChannelId, number>();

  constructor(sync: Sync, notices: Notices) {
    this.#sync = sync;
    this.#notices = notices;
  }

  get(channelId: ChannelId): Conversation | undefined {
    return this.#all?.get(channelId);
  }

  loading(channelId: ChannelId): "newest" | "older" | undefined {
    return this.#loading.get(channelId);
  }

  /** Load the newest messages, unless everything since the last of so many snapshots was told. */
  async load(channelId: ChannelId, snapshots: number): Promise<void> {
    if (this.#loadedAt.get(channelId) === snapshots || this.#loading.has(channelId)) return;
    this.#sync.change((model) => watchConversation(model, channelId));
    const page = await this.#page(channelId, "newest", {});
    if (!page) return;
    this.#loadedAt.set(channelId, snapshots);
    const { value, seq } = page;
    this.#join(channelId, (one) => joinNewest(one, value.messages, value.more, seq));
  }

  async loadOlder(channelId: ChannelId): Promise<void> {
    const conversation = this.get(channelId);
    const oldest = conversation?.messages[0];
    if (!conversation?.more || !oldest || this.#loading.has(channelId)) return;
    const page = await this.#page(channelId, "older", { before: oldest.messageId });
    if (!page) return;
    const { value, seq } = page;
    this.#join(channelId, (one) => joinOlder(one, value.messages, value.more, seq));
  }

  has(channelId: ChannelId, messageId: Message["messageId"]): boolean {
    const messages = this.get(channelId)?.messages ?? [];
    return messages.some((message) => message.messageId === messageId);
  }

  async #page(
    channelId: ChannelId,
    which: "newest" | "older",
    range: { before?: Message["messageId"] },
  ) {
    this.#loading.set(channelId, which);
    try {
      const asked = this.#sync.invoke("get_messages", { channelId, limit: PAGE, ...range });
      return await this.#notices.attempt(asked);
    } finally {
      this.#loading.delete(channelId);
    }
  }

  #join(channelId: ChannelId, step: (conversation: Conversation) => Conversation): void {
    this.#sync.change((model: Model) => {
      const conversation = model.conversations.get(channelId);
      if (!conversation) return model;
      const conversations = new Map(model.conversations).set(channelId, step(conversation));
      return { ...model, conversations };
    });
  }
}
