import type { AgentState } from "../../contract/generated";
import type { Words } from "../../words/words.svelte";

/** The state of an agent in one word. */
export function stateWord(state: AgentState, words: Words): string {
  switch (state) {
    case "stopped":
      return words.stateOff;
    case "starting":
      return words.stateStarts;
    case "ready":
      return words.stateReady;
    case "working":
      return words.stateWorks;
    case "waiting":
      return words.stateAsks;
    case "stopping":
      return words.stateStops;
    case "failed":
      return words.stateFailed;
  }
}
