import { expect, test } from "vitest";
import { makeMessage } from "../backend/fake";
import type { Message } from "../contract/generated";
import { joinNewest, joinOlder, NO_MESSAGES, putMessage, removeMessage } from "./messages";
import type { Conversation } from "./model";

function messages(first: number, last: number): Message[] {
  return Array.from({ length: last - first + 1 }, (_, index) =>
    makeMessage(`m${first + index}`, { position: first + index }),
  );
}

function idsOf(conversation: Conversation): string {
  return conversation.messages.map((message) => message.messageId).join(" ");
}

test("a message that was told of while its page was under way is not set back", () => {
  const done = makeMessage("m2", { position: 2, createdAt: "later" });
  const told = putMessage(NO_MESSAGES, done, 12);
  const joined = joinNewest(told, messages(1, 2), false, 11);
  expect(joined.messages[1]).toBe(done);
  expect(joined.more).toBe(false);
});

test("a message that was taken back while its page was under way does not come back", () => {
  const gone = removeMessage(
    putMessage(NO_MESSAGES, makeMessage("m2", { position: 2 }), 5),
    "m2",
    12,
  );
  expect(idsOf(joinNewest(gone, messages(1, 2), false, 11))).toBe("m1");
});

test("an event that the page holds already does not set it back", () => {
  const joined = joinNewest(NO_MESSAGES, messages(1, 2), false, 20);
  const older = makeMessage("m2", { position: null });
  expect(putMessage(joined, older, 15)).toEqual(joined);
  expect(removeMessage(joined, "m2", 15)).toBe(joined);
});

test("older pages go before", () => {
  const newest = joinNewest(NO_MESSAGES, messages(51, 100), true, 10);
  const all = joinOlder(newest, messages(1, 50), false, 11);
  expect(all.messages).toHaveLength(100);
  expect(all.messages[0]?.messageId).toBe("m1");
  expect(all.more).toBe(false);
});

test("a page that reaches what is loaded is joined to it, and what is gone goes", () => {
  const loaded = joinNewest(NO_MESSAGES, messages(1, 6), true, 10);
  const page = messages(4, 8).filter((message) => message.messageId !== "m5");
  const joined = joinNewest(loaded, page, true, 20);
  expect(idsOf(joined)).toBe("m1 m2 m3 m4 m6 m7 m8");
});

test("a page that does not reach what is loaded takes its place: there is never a hole", () => {
  const loaded = joinNewest(NO_MESSAGES, messages(1, 6), false, 10);
  const joined = joinNewest(loaded, messages(50, 52), true, 20);
  expect(idsOf(joined)).toBe("m50 m51 m52");
  expect(joined.more).toBe(true);
});

test("a conversation that was emptied is empty", () => {
  const loaded = joinNewest(NO_MESSAGES, messages(1, 6), true, 10);
  expect(idsOf(joinNewest(loaded, [], false, 20))).toBe("");
});

test("queued messages come last, in the order in which they were written", () => {
  const second = makeMessage("b", { position: null, createdAt: "2026-11-30T10:02:00Z" });
  const first = makeMessage("a", { position: null, createdAt: "2026-11-30T10:01:00Z" });
  const joined = joinNewest(NO_MESSAGES, [...messages(1, 2), second, first], false, 1);
  expect(idsOf(joined)).toBe("m1 m2 a b");
});
