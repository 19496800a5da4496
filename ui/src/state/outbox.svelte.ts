import { SidekicksError } from "../backend/errors";
import type { AgentId, ChannelId, Message, MessageId } from "../contract/generated";
import type { Conversations } from "./conversations.svelte";
import type { Drafts } from "./drafts.svelte";
import type { Lane } from "./lane";
import type { Sync } from "./sync.svelte";

/** A message that the person sent and that the app has not told of yet. */
export interface Echo {
  readonly localId: string;
  readonly channelId: ChannelId;
  readonly text: string;
  readonly sentAt: string;
  readonly messageId: MessageId | null;
}

/** Why a message was not sent; `candidates` when the person must say whom it is for. */
export interface Refusal {
  readonly message: string;
  readonly candidates: readonly AgentId[];
}

/** Shows a sent message at once, and gives its text back when it could not be sent. */
export class Outbox {
  readonly #sync: Sync;
  readonly #conversations: Conversations;
  readonly #drafts: Drafts;
  readonly #lane: Lane;
  #echoes = $state.raw<readonly Echo[]>([]);
  /** Texts that may have arrived although no answer came, and under which id. */
  readonly #failed = new Map<ChannelId, { text: string; localId: string }>();

  constructor(sync: Sync, conversations: Conversations, drafts: Drafts, lane: Lane) {
    this.#sync = sync;
    this.#conversations = conversations;
    this.#drafts = drafts;
    this.#lane = lane;
    sync.listen((event) => {
      if (event.type === "message.added" && event.message.author === "user") {
        this.#arrived(event.message);
      }
    });
  }

  /** What is shown of a conversation beside the messages that the app told of. */
  of(channelId: ChannelId): readonly Echo[] {
    return this.#echoes.filter(
      (echo) =>
        echo.channelId === channelId &&
        !(echo.messageId && this.#conversations.has(channelId, echo.messageId)),
    );
  }

  /**
   * Send what was written. Returns why not, after the text was given back to the composer.
   *
   * The same text sent again after no answer keeps its id: had it arrived after all, the app
   * answers as the first time and nothing is said twice.
   */
  async send(
    channelId: ChannelId,
    text: string,
    to: readonly AgentId[] = [],
  ): Promise<Refusal | null> {
    const failed = this.#failed.get(channelId);
    const localId = failed?.text === text ? failed.localId : crypto.randomUUID();
    const echo = { localId, channelId, text, sentAt: new Date().toISOString(), messageId: null };
    this.#echoes = [...this.#echoes, echo];
    this.#drafts.set(channelId, "");
    try {
      const { value } = await this.#lane.run(() =>
        this.#sync.invoke("send_message", { channelId, text, localId, to }),
      );
      this.#failed.delete(channelId);
      this.#echoes = this.#echoes.map((one) =>
        one.localId === localId ? { ...one, messageId: value.messageId } : one,
      );
    } catch (error) {
      if (!(error instanceof SidekicksError)) throw error;
      if (error.code === "unavailable") this.#failed.set(channelId, { text, localId });
      this.#echoes = this.#echoes.filter((one) => one.localId !== localId);
      this.#drafts.giveBack(channelId, text);
      const { members } = error.data;
      const asks = error.code === "ambiguous" && Array.isArray(members);
      return { message: error.message, candidates: asks ? (members as AgentId[]) : [] };
    }
    this.#drafts.flush(channelId);
    return null;
  }

  /** A message came. Its event may overtake the call's answer: it is then known by its words. */
  #arrived(message: Message): void {
    const text = message.parts.find((part) => part.type === "text")?.text;
    const at = this.#echoes.findIndex(
      (echo) =>
        echo.channelId === message.channelId &&
        (echo.messageId ? echo.messageId === message.messageId : echo.text === text),
    );
    if (at >= 0) this.#echoes = this.#echoes.toSpliced(at, 1);
  }
}
