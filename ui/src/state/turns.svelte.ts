import type { Answer } from "../backend/backend";
import type { ChannelId, MessageId, Session, Turn, TurnId } from "../contract/generated";
import type { Notices } from "./notices.svelte";
import type { Sync } from "./sync.svelte";

const NONE: readonly Turn[] = [];
const NO_SESSIONS: readonly Session[] = [];

/** The answers that are queued or being written, and the sessions they are written in. */
export class Turns {
  readonly #sync: Sync;
  readonly #notices: Notices;
  readonly #all = $derived.by(() => this.#sync.model?.turns ?? NONE);
  readonly #sessions = $derived.by(() => this.#sync.model?.sessions ?? NO_SESSIONS);

  constructor(sync: Sync, notices: Notices) {
    this.#sync = sync;
    this.#notices = notices;
  }

  /** In the order in which they will be answered. */
  of(channelId: ChannelId): readonly Turn[] {
    return this.#all.filter((turn) => turn.channelId === channelId);
  }

  running(channelId: ChannelId): Turn | undefined {
    return this.#all.find((turn) => turn.channelId === channelId && turn.state === "running");
  }

  byId(turnId: TurnId): Turn | undefined {
    return this.#all.find((turn) => turn.turnId === turnId);
  }

  /** The turn that is writing this message. */
  writing(messageId: MessageId): Turn | undefined {
    return this.#all.find((turn) => turn.messageId === messageId);
  }

  sessions(channelId: ChannelId): readonly Session[] {
    return this.#sessions.filter((session) => session.channelId === channelId);
  }

  async stop(channelId: ChannelId): Promise<void> {
    await this.#notices.attempt(this.#sync.invoke("stop_turn", { channelId }));
  }

  /** End the agent's program, for one that goes on after the cancel. */
  async stopForGood(channelId: ChannelId): Promise<void> {
    await this.#notices.attempt(this.#sync.invoke("stop_turn", { channelId, force: true }));
  }

  async retry(turnId: TurnId): Promise<void> {
    await this.#notices.attempt(this.#sync.invoke("retry_turn", { turnId }));
  }

  /** Take a queued turn back; the text of a message that nobody will answer, for the composer. */
  async withdraw(turnId: TurnId): Promise<string | null> {
    const asked: Promise<Answer<"withdraw_turn">> = this.#sync.invoke("withdraw_turn", { turnId });
    return (await this.#notices.attempt(asked))?.value.text ?? null;
  }

  async setOption(session: Session, optionId: string, value: string | boolean): Promise<void> {
    const { channelId, agentId } = session;
    const asked = this.#sync.invoke("set_option", { channelId, agentId, optionId, value });
    await this.#notices.attempt(asked);
  }
}
