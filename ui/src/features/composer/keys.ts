/** What a key in the composer does. */
export type Verb = "send" | "accept" | "next" | "previous" | "dismiss" | "stop";

type Key = Pick<
  KeyboardEvent,
  "key" | "keyCode" | "repeat" | "isComposing" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey"
>;

/** While an input method composes, web views give its keys this code, some of them alone. */
const COMPOSING = 229;

/** @returns null for a key that the text itself takes. */
export function verbFor(
  key: Key,
  { completing, running }: { readonly completing: boolean; readonly running: boolean },
): Verb | null {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing newer tells it everywhere
  if (key.isComposing || key.keyCode === COMPOSING) return null;
  const plain = !key.shiftKey && !key.altKey && !key.ctrlKey && !key.metaKey;
  if (key.key === "Enter" && !key.shiftKey && !key.altKey) {
    if (key.repeat) return null;
    return completing && plain ? "accept" : "send";
  }
  if (!plain) return null;
  if (key.key === "Escape") return completing ? "dismiss" : running ? "stop" : null;
  if (!completing) return null;
  if (key.key === "Tab") return "accept";
  if (key.key === "ArrowDown") return "next";
  if (key.key === "ArrowUp") return "previous";
  return null;
}
