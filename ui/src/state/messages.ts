import type { Message, MessageId } from "../contract/generated";
import type { Conversation } from "./model";

export const NO_MESSAGES: Conversation = { messages: [], told: new Map(), more: true };

/** Put a message in its place, unless something newer was told of it. */
export function putMessage(
  conversation: Conversation,
  message: Message,
  seq: number,
): Conversation {
  return putMessages(conversation, [message], seq);
}

export function removeMessage(
  conversation: Conversation,
  messageId: MessageId,
  seq: number,
): Conversation {
  if ((conversation.told.get(messageId) ?? -1) > seq) return conversation;
  return {
    ...conversation,
    messages: conversation.messages.filter((message) => message.messageId !== messageId),
    told: new Map(conversation.told).set(messageId, seq),
  };
}

/** Join a page of older messages (`more`: whether still older ones are there). */
export function joinOlder(
  conversation: Conversation,
  page: readonly Message[],
  more: boolean,
  seq: number,
): Conversation {
  return { ...putMessages(conversation, page, seq), more };
}

/**
 * Join the page of the newest messages. Where it does not reach what is loaded, or that is gone, the
 * page takes its place: a conversation never has a hole.
 */
export function joinNewest(
  conversation: Conversation,
  page: readonly Message[],
  more: boolean,
  seq: number,
): Conversation {
  const inPage = new Set(page.map((message) => message.messageId));
  const newer = (message: Message): boolean =>
    (conversation.told.get(message.messageId) ?? -1) > seq;
  const oldest = page.find((message) => message.position !== null)?.position ?? null;
  const older = (message: Message): boolean =>
    oldest !== null && message.position !== null && message.position < oldest;
  const reaches = conversation.messages.some((one) => inPage.has(one.messageId));
  const kept = conversation.messages.filter(
    (one) => inPage.has(one.messageId) || newer(one) || (reaches && older(one)),
  );
  const base = {
    ...conversation,
    messages: kept,
    more: kept.some(older) ? conversation.more : more,
  };
  return putMessages(base, page, seq);
}

function putMessages(
  conversation: Conversation,
  messages: readonly Message[],
  seq: number,
): Conversation {
  const byId = new Map(conversation.messages.map((message) => [message.messageId, message]));
  const told = new Map(conversation.told);
  for (const message of messages) {
    if ((told.get(message.messageId) ?? -1) > seq) continue;
    told.set(message.messageId, seq);
    byId.set(message.messageId, message);
  }
  return { ...conversation, told, messages: [...byId.values()].sort(byPosition) };
}

function byPosition(one: Message, other: Message): number {
  if (one.position === null || other.position === null) {
    if (one.position !== other.position) return one.position === null ? 1 : -1;
    return one.createdAt < other.createdAt ? -1 : one.createdAt > other.createdAt ? 1 : 0;
  }
  return one.position - other.position;
}
