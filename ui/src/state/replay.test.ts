/** Snapshot before + its events = a fresh snapshot after, as the app recorded them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AnyEvent, Snapshot } from "../contract/generated";
import { apply } from "./apply";
import { fromSnapshot, toSnapshot } from "./model";

interface Replay {
  readonly before: Snapshot;
  readonly events: readonly AnyEvent[];
  readonly after: Snapshot;
}

const FOLDER = join(import.meta.dirname, "../../../tests/contract/replays");
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter((name) => name.endsWith(".json"))
  : null;

test("a folder of replays holds some", () => {
  expect(files).not.toEqual([]);
});

describe("replays", () => {
  test.each(files ?? [])("%s", (name) => {
    const replay = JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Replay;
    const first = replay.events[0]?.seq ?? 1;
    let model = fromSnapshot(replay.before, first - 1);
    for (const event of replay.events) model = apply(model, event);
    expect(toSnapshot(model)).toEqual(replay.after);
    // A page that comes back may be told some of it again.
    const again = replay.events.reduce(apply, model);
    expect(toSnapshot(again)).toEqual(replay.after);
  });
});
