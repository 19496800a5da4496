import type { AgentId, Rule, RuleId } from "../contract/generated";
import type { Notices } from "./notices.svelte";
import type { Sync } from "./sync.svelte";

/** The answers that the person keeps. They are not told of by events: a list is asked for. */
export class Rules {
  readonly #sync: Sync;
  readonly #notices: Notices;

  constructor(sync: Sync, notices: Notices) {
    this.#sync = sync;
    this.#notices = notices;
  }

  async list(agentId: AgentId): Promise<readonly Rule[]> {
    const asked = this.#sync.invoke("list_rules", { agentId });
    return (await this.#notices.attempt(asked))?.value.rules ?? [];
  }

  /** Take an answer back; returns whether that was done. */
  async delete(ruleId: RuleId): Promise<boolean> {
    return (
      (await this.#notices.attempt(this.#sync.invoke("delete_rule", { ruleId }))) !== undefined
    );
  }
}
