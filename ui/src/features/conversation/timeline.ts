import type { ChannelId, Message, Turn } from "../../contract/generated";
import type { Echo } from "../../state/outbox.svelte";

/** A row of a conversation. */
export type Item =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
  | { readonly kind: "message"; readonly key: string; readonly message: Message }
  | { readonly kind: "echo"; readonly key: string; readonly echo: Echo };

/**
 * The rows of a conversation: what was said by days, then what is just being said. Messages that
 * must wait stand above the composer instead.
 */
export function timeline(
  messages: readonly Message[],
  turns: readonly Turn[],
  echoes: readonly Echo[],
): Item[] {
  const items: Item[] = [];
  let day = "";
  const startDay = (at: string, first: object): void => {
    const date = new Date(at).toDateString();
    if (date !== day) items.push(dayOf(first, at));
    day = date;
  };
  for (const message of messages) {
    if (mustWait(message, turns)) continue;
    startDay(message.createdAt, message);
    items.push(itemOf(message));
  }
  for (const echo of echoes) {
    startDay(echo.sentAt, echo);
    items.push({ kind: "echo", key: echo.localId, echo });
  }
  return items;
}

// Rows are made once, so that a row whose message did not change is not rendered again each time
// that anything else of the conversation does.
const itemsOf = new WeakMap<Message, Item>();
const daysOf = new WeakMap<object, Item>();

function itemOf(message: Message): Item {
  const item = itemsOf.get(message) ?? { kind: "message", key: message.messageId, message };
  itemsOf.set(message, item);
  return item;
}

/** The row of a day that begins with `first`. */
function dayOf(first: object, at: string): Item {
  const item = daysOf.get(first) ?? { kind: "day", key: `day ${at}`, at };
  daysOf.set(first, item);
  return item;
}

/** Whether a message is in the queue: not yet said, and not about to be. */
export function mustWait(message: Message, turns: readonly Turn[]): boolean {
  if (message.position !== null) return false;
  const first = turns.find((turn) => turn.userMessageId === message.messageId);
  return first !== undefined && first !== startingTurn(turns);
}

/** The turn that nothing stands in the way of: it starts as soon as its agent does. */
export function startingTurn(turns: readonly Turn[]): Turn | undefined {
  const [first] = turns;
  return first?.state === "queued" && first.waitsFor === null ? first : undefined;
}

/** What waits: a message that is not yet said, or the next recipients of one that is. */
export interface Waiting {
  readonly key: string;
  /** Null when the message is said already and only this recipient is still to come. */
  readonly message: Message | null;
  readonly turns: readonly Turn[];
}

export function queueOf(messages: readonly Message[], turns: readonly Turn[]): Waiting[] {
  const waiting: Waiting[] = [];
  const starting = startingTurn(turns);
  for (const turn of turns) {
    if (turn.state !== "queued" || turn === starting) continue;
    const message = messages.find((one) => one.messageId === turn.userMessageId);
    const unsaid = message?.position === null ? message : null;
    const same = waiting.findIndex((one) => unsaid && one.message === unsaid);
    const known = waiting[same];
    if (known) waiting[same] = { ...known, turns: [...known.turns, turn] };
    else waiting.push({ key: turn.turnId, message: unsaid, turns: [turn] });
  }
  return waiting;
}

/** Where the person was in conversations that are not shown: pixels from the end. */
export const places = new Map<ChannelId, number>();
