import type { Agent, AgentId, AgentState } from "../contract/generated";
import type { Notices } from "./notices.svelte";
import type { Sync } from "./sync.svelte";

const NONE: readonly Agent[] = [];
const NOT_RUNNING: readonly AgentState[] = ["stopped", "failed"];

/** The agents as configured, and what the person does to their programs. */
export class Agents {
  readonly #sync: Sync;
  readonly #notices: Notices;
  readonly #all = $derived.by(() => this.#sync.model?.agents ?? NONE);
  readonly #running = $derived(this.#all.filter((one) => !NOT_RUNNING.includes(one.state)));

  constructor(sync: Sync, notices: Notices) {
    this.#sync = sync;
    this.#notices = notices;
  }

  get all(): readonly Agent[] {
    return this.#all;
  }

  get running(): readonly Agent[] {
    return this.#running;
  }

  get mostRunning(): number {
    return this.#sync.model?.app.maxRunning ?? 0;
  }

  /** Bytes of all running agents' process trees. */
  get memory(): number {
    return this.#running.reduce((sum, one) => sum + (one.memory ?? 0), 0);
  }

  byId(agentId: AgentId): Agent | undefined {
    return this.#all.find((one) => one.agentId === agentId);
  }

  /** The shown name; of one that is no longer configured, the id. */
  nameOf(agentId: AgentId): string {
    return this.byId(agentId)?.name ?? agentId;
  }

  isOff(agent: Agent): boolean {
    return NOT_RUNNING.includes(agent.state);
  }

  async start(agentId: AgentId): Promise<void> {
    await this.#notices.attempt(this.#sync.invoke("start_agent", { agentId }));
  }

  async stop(agentId: AgentId): Promise<void> {
    await this.#notices.attempt(this.#sync.invoke("stop_agent", { agentId }));
  }

  /** Have it sign in by one of its own methods; it is started again then. */
  async signIn(agentId: AgentId, methodId: string): Promise<void> {
    await this.#notices.attempt(this.#sync.invoke("sign_in", { agentId, methodId }));
  }

  async restart(agentId: AgentId): Promise<void> {
    await this.#notices.attempt(this.#sync.invoke("restart_agent", { agentId }));
  }
}
