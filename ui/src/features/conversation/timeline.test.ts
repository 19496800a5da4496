import { expect, test } from "vitest";
import { makeMessage, makeTurn } from "../../backend/fake";
import { queueOf, startingTurn, timeline } from "./timeline";

const WAITS = { kind: "turn", agentId: "alice", channelId: null, children: [] } as const;
const answer = makeMessage("m2", { author: "alice", position: 2, turnId: "t1" });
const running = makeTurn("t1", { state: "running", messageId: "m2" });

function kinds(...of: Parameters<typeof timeline>): string[] {
  return timeline(...of).map((item) => (item.kind === "day" ? "day" : item.key));
}

test("each day begins with a line", () => {
  const messages = [
    makeMessage("m1", { createdAt: "2026-11-29T12:00:00" }),
    makeMessage("m2", { createdAt: "2026-11-29T13:00:00", position: 2 }),
    makeMessage("m3", { createdAt: "2026-11-30T12:00:00", position: 3 }),
  ];
  expect(kinds(messages, [], [])).toEqual(["day", "m1", "m2", "day", "m3"]);
});

test("a message that must wait stands in the queue, one that is about to be said does not", () => {
  const queued = makeMessage("m3", { position: null });
  const turn = makeTurn("t2", { userMessageId: "m3" });
  const waiting = { ...turn, waitsFor: WAITS };
  expect(kinds([makeMessage("m1"), queued], [turn], [])).toEqual(["day", "m1", "m3"]);
  expect(kinds([answer, queued], [running, turn], [])).toEqual(["day", "m2"]);
  expect(kinds([queued], [waiting], [])).toEqual([]);
  expect(startingTurn([turn])).toBe(turn);
  expect(startingTurn([waiting])).toBeUndefined();
  expect(startingTurn([running, turn])).toBeUndefined();
});

test("what was just sent comes last", () => {
  const echo = {
    localId: "l1",
    channelId: "c1",
    text: "hi",
    sentAt: answer.createdAt,
    messageId: null,
  };
  expect(kinds([answer], [], [echo])).toEqual(["day", "m2", "l1"]);
});

test("rows whose message did not change are the same rows", () => {
  const [day, row] = timeline([answer], [running], []);
  const [dayAgain, rowAgain] = timeline([answer], [{ ...running, quiet: true }], []);
  expect(dayAgain).toBe(day);
  expect(rowAgain).toBe(row);
});

test("the queue holds each waiting message once, with its recipients, and the next recipients of one that is said", () => {
  const said = makeMessage("m1");
  const unsaid = makeMessage("m3", { position: null });
  const turns = [
    running,
    makeTurn("t2", { agentId: "bob", waitsFor: WAITS }),
    makeTurn("t3", { userMessageId: "m3", waitsFor: WAITS }),
    makeTurn("t4", { userMessageId: "m3", agentId: "bob", waitsFor: WAITS }),
  ];
  const waiting = queueOf([said, answer, unsaid], turns);
  expect(
    waiting.map((one) => [one.message?.messageId, one.turns.map((turn) => turn.turnId)]),
  ).toEqual([
    [undefined, ["t2"]],
    ["m3", ["t3", "t4"]],
  ]);
});
