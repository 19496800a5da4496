/** An app in memory, for tests and for work on the page alone. Not in what is built for people. */
import type {
  Agent,
  AnyEvent,
  Channel,
  ChannelId,
  Commands,
  Message,
  Snapshot,
  Turn,
} from "../contract/generated";
import { apply } from "../state/apply";
import { fromSnapshot, toSnapshot, type Model } from "../state/model";
import type { Answer, Backend, CommandName, Step } from "./backend";
import { SidekicksError } from "./errors";

/** An event that has no number yet. */
export type Unnumbered = AnyEvent extends infer Event
  ? Event extends AnyEvent
    ? Omit<Event, "seq">
    : never
  : never;

export interface Call {
  readonly name: CommandName;
  readonly params: Readonly<Record<string, unknown>>;
}

const EMPTY: Snapshot = {
  app: {
    version: "0.1.0",
    platform: "linux",
    language: "en",
    configPath: "/home/ann/.config/sidekicks/sidekicks.yaml",
    maxRunning: 2,
    maxAnswering: 2,
    settings: { language: "system", theme: "system" },
  },
  agents: [],
  channels: [],
  sessions: [],
  turns: [],
  permissions: [],
  questions: [],
  shells: [],
  problems: [],
};

export function makeAgent(agentId: string, more: Partial<Agent> = {}): Agent {
  return {
    agentId,
    name: agentId.charAt(0).toUpperCase() + agentId.slice(1),
    state: "ready",
    where: "this computer",
    runtime: "local",
    converses: true,
    workspace: `/home/ann/work/${agentId}`,
    failure: null,
    restartToApply: false,
    memory: null,
    ...more,
  };
}

export function makeChannel(channelId: string, more: Partial<Channel> = {}): Channel {
  return {
    channelId,
    kind: "direct",
    name: "Alice",
    members: ["alice"],
    draft: "",
    unread: 0,
    ...more,
  };
}

export function makeMessage(messageId: string, more: Partial<Message> = {}): Message {
  return {
    messageId,
    channelId: "c1",
    author: "user",
    parts: [],
    createdAt: "2026-11-30T10:41:00Z",
    position: 1,
    asText: false,
    turnId: null,
    ending: null,
    ...more,
  };
}

export function makeTurn(turnId: string, more: Partial<Turn> = {}): Turn {
  return {
    turnId,
    channelId: "c1",
    agentId: "alice",
    state: "queued",
    userMessageId: "m1",
    queuedAt: "2026-11-30T10:41:00Z",
    messageId: null,
    startedAt: null,
    waitsFor: null,
    stopping: false,
    quiet: false,
    parts: [],
    ...more,
  };
}

export class FakeBackend implements Backend {
  readonly calls: Call[] = [];
  readonly messages: Message[];
  #model: Model;
  #log: AnyEvent[] = [];
  #streams = new Set<(step: Step | "end") => void>();
  #refusals = new Map<CommandName, SidekicksError>();
  #ids = 0;

  constructor(snapshot: Partial<Snapshot> = {}, messages: readonly Message[] = []) {
    this.#model = fromSnapshot({ ...EMPTY, ...snapshot }, 0);
    this.messages = [...messages];
  }

  get model(): Model {
    return this.#model;
  }

  makeId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#ids}`;
  }

  /** Tell every open stream. */
  publish(...events: Unnumbered[]): void {
    const numbered = events.map((event) => {
      const whole = { ...event, seq: this.#model.seq + 1 } as AnyEvent;
      this.#model = apply(this.#model, whole);
      if (whole.type === "message.added" || whole.type === "message.changed") {
        this.#keep(whole.message);
      }
      return whole;
    });
    this.#log.push(...numbered);
    for (const stream of this.#streams) stream({ kind: "events", events: numbered });
  }

  /** The next call of a command is refused. */
  refuse(name: CommandName, error: SidekicksError): void {
    this.#refusals.set(name, error);
  }

  /** End every stream as a lost connection does. */
  drop(): void {
    for (const stream of this.#streams) stream("end");
  }

  /** Say that the app stops. */
  close(): void {
    for (const stream of this.#streams) stream({ kind: "close" });
  }

  /** Forget what was told, so that whoever comes back must take a new snapshot. */
  forget(): void {
    this.#log = [];
  }

  async *events(after: number, signal: AbortSignal): AsyncGenerator<Step> {
    const waiting: (Step | "end")[] = [];
    let wake: () => void = () => undefined;
    const stream = (step: Step | "end"): void => {
      waiting.push(step);
      wake();
    };
    const abort = (): void => stream("end");
    signal.addEventListener("abort", abort);
    this.#streams.add(stream);
    try {
      yield { kind: "events", events: [{ type: "reader.opened", seq: after, readerId: "r1" }] };
      const missed = this.#log.filter((event) => event.seq > after);
      if (missed.length !== this.#model.seq - after) {
        yield { kind: "events", events: [{ type: "resync", seq: this.#model.seq }] };
        return;
      }
      if (missed.length > 0) yield { kind: "events", events: missed };
      for (;;) {
        const step = waiting.shift();
        if (step === "end") return;
        if (step) yield step;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      signal.removeEventListener("abort", abort);
      this.#streams.delete(stream);
    }
  }

  async invoke<Name extends CommandName>(
    name: Name,
    params: Commands[Name]["params"],
  ): Promise<Answer<Name>> {
    this.calls.push({ name, params: { ...params } });
    await Promise.resolve();
    const refusal = this.#refusals.get(name);
    this.#refusals.delete(name);
    if (refusal) throw refusal;
    const answer: unknown = this.handlers[name]?.(params) ?? {};
    return { value: answer as Commands[Name]["result"], seq: this.#model.seq };
  }

  /** What commands do; those that are not here answer nothing. */
  handlers: { [Name in CommandName]?: (params: Commands[Name]["params"]) => unknown } = {
    get_snapshot: () => toSnapshot(this.#model),
    get_messages: ({ channelId, before, limit = 50 }) => {
      const all = this.messages.filter((message) => message.channelId === channelId);
      const at = before ? all.findIndex((message) => message.messageId === before) : all.length;
      const start = Math.max(0, at - limit);
      return { messages: all.slice(start, at), more: start > 0 };
    },
    open_direct: ({ agentId }) => {
      const known = this.#model.channels.find(
        (one) => one.kind === "direct" && one.members.includes(agentId),
      );
      if (known) return { channelId: known.channelId };
      const channelId = this.makeId("c");
      const name = this.#model.agents.find((one) => one.agentId === agentId)?.name ?? agentId;
      const channel = makeChannel(channelId, { name, members: [agentId] });
      this.publish({ type: "channel.changed", channel });
      return { channelId };
    },
    send_message: ({ channelId, text, to = [] }) => {
      const channel = this.#model.channels.find((one) => one.channelId === channelId);
      const agentId = to[0] ?? channel?.members[0] ?? "";
      const messageId = this.makeId("m");
      const message = makeMessage(messageId, {
        channelId,
        parts: [{ type: "text", partId: "p1", text }],
        createdAt: new Date().toISOString(),
        position: null,
      });
      const queuedAt = message.createdAt;
      const turn = makeTurn(this.makeId("t"), {
        channelId,
        agentId,
        userMessageId: messageId,
        queuedAt,
      });
      this.publish({ type: "message.added", message }, { type: "turn.queued", turn });
      return { messageId, turns: [{ turnId: turn.turnId, agentId }] };
    },
    list_commands: ({ channelId }) => {
      const channel = this.#model.channels.find((one) => one.channelId === channelId);
      return { commands: [], unknown: channel?.members ?? [] };
    },
    withdraw_turn: () => ({ text: null }),
    set_settings: ({ settings: changed }) => {
      const settings = { ...this.#model.app.settings, ...changed };
      const language = settings.language === "system" ? "en" : settings.language;
      this.publish({ type: "settings.changed", settings, language });
      return { settings };
    },
    mark_read: ({ channelId }) => this.changeChannel(channelId, { unread: 0 }),
    save_draft: ({ channelId, text }) => this.changeChannel(channelId, { draft: text }),
  };

  changeChannel(channelId: ChannelId, change: Partial<Channel>): void {
    const channel = this.#model.channels.find((one) => one.channelId === channelId);
    if (channel) this.publish({ type: "channel.changed", channel: { ...channel, ...change } });
  }

  #keep(message: Message): void {
    const at = this.messages.findIndex((one) => one.messageId === message.messageId);
    if (at < 0) this.messages.push(message);
    else this.messages[at] = message;
  }
}
