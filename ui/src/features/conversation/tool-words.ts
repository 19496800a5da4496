import type { IconName } from "../../kit/icons";
import type { Words } from "../../words/words.svelte";

/** The icon of a tool call's kind; a kind that we do not know gets the general one. */
export function kindIcon(kind: string | null): IconName {
  return KINDS[kind ?? ""]?.icon ?? "wrench";
}

export function kindName(kind: string | null, words: Words): string {
  const key = KINDS[kind ?? ""]?.word;
  return key ? words[key] : (kind ?? words.kindOther);
}

type KindWord = Extract<keyof Words, `kind${string}`>;

const KINDS: Record<string, { readonly icon: IconName; readonly word: KindWord }> = {
  read: { icon: "file", word: "kindRead" },
  edit: { icon: "pencil", word: "kindEdit" },
  delete: { icon: "trash", word: "kindDelete" },
  move: { icon: "move", word: "kindMove" },
  search: { icon: "search", word: "kindSearch" },
  execute: { icon: "terminal", word: "kindExecute" },
  think: { icon: "brain", word: "kindThink" },
  fetch: { icon: "globe", word: "kindFetch" },
  switch_mode: { icon: "sliders", word: "kindSwitchMode" },
  other: { icon: "wrench", word: "kindOther" },
};

/** The state of a tool call in one word: the agent's own where we do not know it. */
export function statusWord(status: string, words: Words): string {
  switch (status) {
    case "pending":
      return words.toolPending;
    case "in_progress":
      return words.toolRunning;
    case "completed":
      return words.toolDone;
    case "failed":
      return words.toolFailed;
    default:
      return status;
  }
}

/** The command line of a tool's input, where agents usually put it. */
export function commandOf(input: unknown): string | null {
  if (typeof input !== "object" || input === null) return null;
  const { command, cmd, args } = input as Record<string, unknown>;
  const program = command ?? cmd;
  if (Array.isArray(program)) return program.map(String).join(" ");
  if (typeof program !== "string" || program === "") return null;
  return Array.isArray(args) ? [program, ...args.map(String)].join(" ") : program;
}

/** Whether there is anything in a value that an agent sent. */
export function hasContent(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
