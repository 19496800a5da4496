/** The app's own samples of all that crosses: what the generated types say is what it sends. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { apply, Gap } from "../state/apply";
import { fromSnapshot, type Model } from "../state/model";
import { NO_MESSAGES } from "../state/messages";
import type { AnyEvent, Snapshot } from "./generated";

const FOLDER = join(import.meta.dirname, "../../../tests/contract/goldens");

function golden(name: string): string {
  return readFileSync(join(FOLDER, `${name}.json`), "utf8");
}

const events = JSON.parse(golden("events")) as Record<string, AnyEvent>;
const commands = JSON.parse(golden("commands")) as Record<string, { type: string }>;
const results = JSON.parse(golden("results")) as Record<string, unknown>;

/** What an event is about; does not compile when one is missing. */
function about(event: AnyEvent): string | null {
  switch (event.type) {
    case "reader.opened":
      return event.readerId;
    case "resync":
      return null;
    case "agent.changed":
      return event.agent.agentId;
    case "agent.removed":
    case "commands.changed":
    case "log.added":
      return event.agentId;
    case "channel.changed":
      return event.channel.channelId;
    case "message.added":
    case "message.changed":
      return event.message.messageId;
    case "message.removed":
      return event.messageId;
    case "session.changed":
      return event.channelId;
    case "turn.queued":
      return event.turn.turnId;
    case "turn.started":
    case "turn.delta":
    case "turn.updated":
    case "turn.ended":
      return event.turnId;
    case "permission.asked":
      return event.permission.permissionId;
    case "permission.closed":
      return event.permissionId;
    case "config.changed":
      return event.agentIds.join(" ");
    case "settings.changed":
      return event.settings.theme;
    case "problem.raised":
      return event.problem.problemId;
    case "problem.closed":
      return event.problemId;
    default:
      return unknown(event);
  }
}

function unknown(event: never): never {
  throw new Error(`an event that no type knows: ${JSON.stringify(event)}`);
}

/** Check a module beside this one, as the page's own build does, and return what is wrong. */
function check(source: string): string[] {
  const config = join(import.meta.dirname, "../../tsconfig.json");
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, (path) => ts.sys.readFile(path)).config,
    ts.sys,
    join(config, ".."),
  );
  const name = join(import.meta.dirname, "goldens.checked.ts");
  const files = ts.createCompilerHost({ ...options, types: [] });
  const host: ts.CompilerHost = {
    ...files,
    fileExists: (path) => path === name || files.fileExists(path),
    getSourceFile: (path, ...rest) =>
      path === name
        ? ts.createSourceFile(path, source, ts.ScriptTarget.ES2023)
        : files.getSourceFile(path, ...rest),
  };
  const program = ts.createProgram([name], { ...options, types: [] }, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map((found) => ts.flattenDiagnosticMessageText(found.messageText, "\n"));
}

/** A literal is checked for what is missing, for what is of another type and for what is too much. */
const HEAD = `import type { AnyEvent, Commands } from "./generated";
type Params = { readonly [C in keyof Commands]: Commands[C]["params"] };
type Results = { readonly [C in keyof Commands]: Commands[C]["result"] };
type Events = { readonly [T in AnyEvent["type"]]: Extract<AnyEvent, { type: T }> };
`;
const PATIENCE = 60_000;

describe("the app's samples", () => {
  test("are what the types say", { timeout: PATIENCE }, () => {
    const params = JSON.stringify(commands, (key, value: unknown) =>
      key === "type" ? undefined : value,
    );
    const source = `${HEAD}
      export const params: Params = ${params};
      export const results: Results = ${golden("results")};
      export const events: Events = ${golden("events")};`;
    expect(check(source)).toEqual([]);
  });

  test("would be refused if they were others", { timeout: PATIENCE }, () => {
    const other = golden("events").replace('"readerId"', '"reader_id"');
    expect(check(`${HEAD} export const events: Events = ${other};`)).toHaveLength(1);
  });

  test.each(Object.entries(commands))("%s is called by its type", (name, command) => {
    expect(command.type).toBe(name);
  });

  test.each(Object.entries(events))("%s is known", (type, event) => {
    expect(event.type).toBe(type);
    if (type !== "resync") expect(about(event)).toBeTruthy();
  });
});

/** All that the samples are about is there already, and nothing is. */
const full = fromSnapshot(results["get_snapshot"] as Snapshot, 1);
const empty: Snapshot = {
  ...(results["get_snapshot"] as Snapshot),
  agents: [],
  channels: [],
  sessions: [],
  turns: [],
  permissions: [],
  problems: [],
};
const models: [string, Model][] = [
  ["full", full],
  ["shown", { ...full, conversations: new Map([["channel-1", NO_MESSAGES]]) }],
  ["empty", fromSnapshot(empty, 1)],
];

describe.each(models)("a page that is %s", (_name, model) => {
  test.each(Object.entries(events))("takes %s", (type, event) => {
    if (type === "resync") {
      expect(() => apply(model, event)).toThrow(Gap);
      return;
    }
    const after = apply(model, event);
    expect(after.seq).toBe(event.seq);
    expect(apply(after, event)).toBe(after);
  });
});
