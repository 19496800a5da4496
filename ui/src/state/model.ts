/**
 * What the page knows of the app, as plain values that are replaced and never changed: a part that
 * did not change keeps its identity, so that a view can tell by `===`.
 */
import type {
  Agent,
  AgentId,
  AppInfo,
  Channel,
  ChannelId,
  Message,
  MessageId,
  Permission,
  Problem,
  Session,
  SlashCommand,
  Snapshot,
  Turn,
} from "../contract/generated";

/** The messages of one conversation that were loaded: its newest, without a hole. */
export interface Conversation {
  /** By position; those that wait in the queue come last. */
  readonly messages: readonly Message[];
  /** The number of the event or answer that last told of a message, also of one that is gone. */
  readonly told: ReadonlyMap<MessageId, number>;
  /** Whether older ones are there to load. */
  readonly more: boolean;
}

export interface Announced {
  readonly commands: readonly SlashCommand[];
  readonly seq: number;
}

export interface Model {
  /** The last event that is in here. */
  readonly seq: number;
  readonly app: AppInfo;
  readonly agents: readonly Agent[];
  readonly channels: readonly Channel[];
  readonly sessions: readonly Session[];
  readonly turns: readonly Turn[];
  readonly permissions: readonly Permission[];
  readonly problems: readonly Problem[];
  /** What was told of agents' commands, and by which event or answer. */
  readonly commands: ReadonlyMap<AgentId, Announced>;
  /** Only those that were shown. */
  readonly conversations: ReadonlyMap<ChannelId, Conversation>;
}

/**
 * The model as the snapshot says. Conversations and commands, which no snapshot holds, are kept from
 * `before`; what was missed there is loaded again by whoever shows them.
 */
export function fromSnapshot(snapshot: Snapshot, seq: number, before?: Model | null): Model {
  return {
    seq,
    app: snapshot.app,
    agents: snapshot.agents,
    channels: snapshot.channels,
    sessions: snapshot.sessions,
    turns: snapshot.turns,
    permissions: snapshot.permissions,
    problems: snapshot.problems,
    commands: before?.commands ?? new Map(),
    conversations: before?.conversations ?? new Map(),
  };
}

/** What a fresh snapshot would say. */
export function toSnapshot(model: Model): Snapshot {
  const { app, agents, channels, sessions, turns, permissions, problems } = model;
  return {
    app,
    agents,
    channels,
    sessions,
    turns,
    permissions,
    questions: [],
    shells: [],
    problems,
  };
}
