import type { Turn } from "../../contract/generated";
import type { Words } from "../../words/words.svelte";

export interface Names {
  readonly agent: (agentId: string) => string;
  /** Null for a conversation that is not there. */
  readonly channel: (channelId: string) => string | null;
}

/** Why a turn waits, in words. */
export function reasonOf(
  turn: Turn,
  running: Turn | undefined,
  names: Names,
  words: Words,
): string {
  const { waitsFor } = turn;
  const agent = waitsFor?.agentId ? names.agent(waitsFor.agentId) : null;
  switch (waitsFor?.kind) {
    case "agent": {
      const busy = agent ?? names.agent(turn.agentId);
      const place = waitsFor.channelId ? names.channel(waitsFor.channelId) : null;
      if (waitsFor.channelId === turn.channelId) return words.waitsAgentHere(busy);
      return words.waitsAgent(busy, place ?? words.elsewhere);
    }
    case "place":
      if (agent && waitsFor.children.length > 0) {
        return words.waitsChildren(agent, waitsFor.children.join(", "));
      }
      return agent ? words.waitsPlaceOf(agent) : words.waitsPlace;
    case "answer":
      return words.waitsAnswer(agent ?? names.agent(turn.agentId));
    case "turn":
    case undefined: {
      const before = agent ?? (running ? names.agent(running.agentId) : null);
      return before === null ? "" : words.waitsTurn(before);
    }
  }
}
