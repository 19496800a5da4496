import { SvelteMap } from "svelte/reactivity";
import type { AgentId, Channel, ChannelId, SlashCommand } from "../contract/generated";
import { announce } from "./apply";
import type { Sync } from "./sync.svelte";

const NONE: readonly SlashCommand[] = [];

/** The slash commands that agents announced. */
export class Commands {
  readonly #sync: Sync;
  readonly #all = $derived.by(() => this.#sync.model?.commands);
  readonly #unknown = new SvelteMap<ChannelId, readonly AgentId[]>();

  constructor(sync: Sync) {
    this.#sync = sync;
  }

  of(agentId: AgentId): readonly SlashCommand[] {
    return this.#all?.get(agentId)?.commands ?? NONE;
  }

  /** Members that have never announced theirs. */
  unknown(channelId: ChannelId): readonly AgentId[] {
    return (this.#unknown.get(channelId) ?? []).filter((agentId) => !this.#all?.has(agentId));
  }

  /**
   * Ask for the commands of a conversation's members. Those that never announced theirs are started
   * for it, as places allow; what they announce comes by itself.
   */
  async load({ channelId, members }: Channel): Promise<void> {
    // Without the list the person can still type a command: nothing needs to be said.
    const answer = await this.#sync
      .invoke("list_commands", { channelId, open: true })
      .catch(() => null);
    if (!answer) return;
    const { value, seq } = answer;
    this.#unknown.set(channelId, value.unknown);
    for (const agentId of members) {
      if (value.unknown.includes(agentId)) continue;
      const commands = value.commands.filter((command) => command.agentId === agentId);
      this.#sync.change((model) => announce(model, agentId, commands, seq));
    }
  }
}
