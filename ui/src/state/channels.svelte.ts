import { tabStorage } from "../backend/auth";
import type { AgentId, Channel, ChannelId } from "../contract/generated";
import type { Notices } from "./notices.svelte";
import type { Sync } from "./sync.svelte";

const SHOWN_KEY = "sidekicks.shown";
const NONE: readonly Channel[] = [];

/** The conversations that exist, and the one that is shown. */
export class Channels {
  readonly #sync: Sync;
  readonly #notices: Notices;
  readonly #all = $derived.by(() => this.#sync.model?.channels ?? NONE);
  readonly #shared = $derived(this.#all.filter((one) => one.kind === "channel"));
  #shownId = $state<ChannelId | null>(null);
  readonly #shown = $derived(this.#all.find((one) => one.channelId === this.#shownId));

  constructor(sync: Sync, notices: Notices) {
    this.#sync = sync;
    this.#notices = notices;
  }

  /** Those with a name, in their order. */
  get shared(): readonly Channel[] {
    return this.#shared;
  }

  get shown(): Channel | undefined {
    return this.#shown;
  }

  byId(channelId: ChannelId): Channel | undefined {
    return this.#all.find((one) => one.channelId === channelId);
  }

  directOf(agentId: AgentId): Channel | undefined {
    return this.#all.find((one) => one.kind === "direct" && one.members.includes(agentId));
  }

  show(channelId: ChannelId): void {
    this.#shownId = channelId;
    tabStorage()?.setItem(SHOWN_KEY, channelId);
  }

  /** Go back to where the person was in this tab. */
  comeBack(): void {
    const channelId = tabStorage()?.getItem(SHOWN_KEY);
    if (channelId && this.byId(channelId)) this.show(channelId);
  }

  /** Show the direct conversation with an agent; it is made at the first time. */
  async showDirect(agentId: AgentId): Promise<void> {
    const known = this.directOf(agentId);
    if (known) {
      this.show(known.channelId);
      return;
    }
    const opened = await this.#notices.attempt(this.#sync.invoke("open_direct", { agentId }));
    if (opened) this.show(opened.value.channelId);
  }

  /** The person has seen it to its end. */
  async markRead(channelId: ChannelId): Promise<void> {
    // Nobody asked for this, so nobody is told when it fails; the next answer tries again.
    await this.#sync.invoke("mark_read", { channelId }).catch(() => undefined);
  }
}
