import { SvelteSet } from "svelte/reactivity";
import type { AgentId, ChannelId, Permission, PermissionId } from "../contract/generated";
import type { Notices } from "./notices.svelte";
import type { Sync } from "./sync.svelte";

const NONE: readonly Permission[] = [];

/** The questions that wait for the person. */
export class Permissions {
  readonly #sync: Sync;
  readonly #notices: Notices;
  readonly #all = $derived.by(() => this.#sync.model?.permissions ?? NONE);
  readonly #answered = new SvelteSet<PermissionId>();
  #wanted = $state<PermissionId | null>(null);

  constructor(sync: Sync, notices: Notices) {
    this.#sync = sync;
    this.#notices = notices;
  }

  get all(): readonly Permission[] {
    return this.#all;
  }

  /** The question that the person asked to be led to; its card takes the focus once. */
  get wanted(): PermissionId | null {
    return this.#wanted;
  }

  of(channelId: ChannelId): readonly Permission[] {
    return this.#all.filter((one) => one.channelId === channelId);
  }

  ofAgent(agentId: AgentId): Permission | undefined {
    return this.#all.find((one) => one.agentId === agentId);
  }

  /** Whether an answer is on its way: a card answers once. */
  answering(permissionId: PermissionId): boolean {
    return this.#answered.has(permissionId);
  }

  leadTo(permissionId: PermissionId): void {
    this.#wanted = permissionId;
  }

  arrived(): void {
    this.#wanted = null;
  }

  /** Answer with an option; `remember` keeps it for the agent and the kind of tool. */
  async answer(permissionId: PermissionId, optionId: string, remember = false): Promise<void> {
    if (this.#answered.has(permissionId)) return;
    this.#answered.add(permissionId);
    const asked = this.#sync.invoke("answer_permission", {
      permissionId,
      optionId,
      remember,
    });
    const done = await this.#notices.attempt(asked);
    if (!done) this.#answered.delete(permissionId);
  }
}
