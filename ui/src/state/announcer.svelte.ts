import type { AnyEvent } from "../contract/generated";
import { words } from "../words/words.svelte";
import type { Agents } from "./agents.svelte";
import type { Sync } from "./sync.svelte";

/**
 * What a screen reader says of its own accord: that an answer is there, that it ended otherwise, and
 * that an agent asks. Nothing while text streams.
 */
export class Announcer {
  readonly #agents: Agents;
  #said = $state("");

  constructor(sync: Sync, agents: Agents) {
    this.#agents = agents;
    sync.listen((event) => {
      const sentence = this.#sentence(event);
      if (sentence) this.#said = sentence;
    });
  }

  get said(): string {
    return this.#said;
  }

  #sentence(event: AnyEvent): string | null {
    if (event.type === "permission.asked") {
      const { agentId, toolCall } = event.permission;
      return words().asksTo(this.#agents.nameOf(agentId), toolCall.title);
    }
    if (event.type !== "turn.ended") return null;
    const name = this.#agents.nameOf(event.agentId);
    switch (event.outcome) {
      case "stopped":
      case "withdrawn":
        return null; // the person did it
      case "finished":
        return words().saidAnswered(name);
      case "failed":
        return words().saidEnded(name, event.reason ?? words().endFailed);
      case "nothing":
        return words().saidEnded(name, words().endNothing);
      case "refused":
        return words().saidEnded(name, words().endRefused);
      case "limit":
        return words().saidEnded(name, words().endLimit);
    }
  }
}
