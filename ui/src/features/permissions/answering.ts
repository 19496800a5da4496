import type { Permission, PermissionOption } from "../../contract/generated";

/** A card can be answered only when it has been there for this long: nobody has read it before. */
export const INERT_MS = 500;

export type Look = "primary" | "danger" | "plain";

/** How each option looks, in the agent's order: the first that allows once stands out. */
export function looksOf(options: readonly PermissionOption[]): Look[] {
  const primary = primaryOption(options);
  return options.map((option) => {
    if (option === primary) return "primary";
    return option.kind?.startsWith("reject") ? "danger" : "plain";
  });
}

export function primaryOption(options: readonly PermissionOption[]): PermissionOption | undefined {
  return options.find((option) => option.kind === "allow_once");
}

/** Kinds that say too little, or can do too much, for an answer to be kept. */
const NEVER_KEPT: readonly (string | null)[] = [null, "", "other", "execute"];

/** Whether an answer can be kept as a rule: only one that alone allows, or alone rejects, once. */
export function canKeep({ toolCall, options }: Permission, option: PermissionOption): boolean {
  if (NEVER_KEPT.includes(toolCall.kind)) return false;
  if (option.kind !== "allow_once" && option.kind !== "reject_once") return false;
  return options.filter((one) => one.kind === option.kind).length === 1;
}

type Key = Pick<
  KeyboardEvent,
  "key" | "repeat" | "isComposing" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"
>;

/**
 * The option that a key chooses on a card that has the focus: 1 to 9 by order, Enter the one that
 * stands out. A key that is held down chooses nothing: it was meant for what was there before.
 *
 * @param onButton whether the focus is on an option's own button, where Enter is that button's.
 */
export function optionForKey(
  key: Key,
  options: readonly PermissionOption[],
  onButton: boolean,
): PermissionOption | undefined {
  if (key.repeat || key.isComposing) return undefined;
  if (key.ctrlKey || key.metaKey || key.altKey || key.shiftKey) return undefined;
  if (key.key === "Enter") return onButton ? undefined : primaryOption(options);
  return /^[1-9]$/.test(key.key) ? options[Number(key.key) - 1] : undefined;
}
