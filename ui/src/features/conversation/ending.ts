import type { Outcome } from "../../contract/generated";
import type { IconName } from "../../kit/icons";
import type { Words } from "../../words/words.svelte";

/** How an answer ended, in words, and whether asking again makes sense. */
export function describeEnding(
  outcome: Outcome,
  words: Words,
): { readonly icon: IconName; readonly text: string; readonly retry: boolean } {
  switch (outcome) {
    case "finished":
      return { icon: "check", text: words.endFinished, retry: false };
    case "stopped":
      return { icon: "stop", text: words.endStopped, retry: true };
    case "failed":
      return { icon: "failed", text: words.endFailed, retry: true };
    case "nothing":
      return { icon: "info", text: words.endNothing, retry: true };
    case "refused":
      return { icon: "warning", text: words.endRefused, retry: true };
    case "limit":
      return { icon: "warning", text: words.endLimit, retry: true };
    case "withdrawn":
      return { icon: "undo", text: words.endWithdrawn, retry: false };
  }
}
