// Written by build/contract.py from app/sidekicks/contract; edit that instead.

/** The key under `agents:` in the configuration. */
export type AgentId = string & { readonly __of?: "AgentId" };

export type ChannelId = string & { readonly __of?: "ChannelId" };

export type MessageId = string & { readonly __of?: "MessageId" };

/** Unique within its message. */
export type PartId = string & { readonly __of?: "PartId" };

export type TurnId = string & { readonly __of?: "TurnId" };

export type PermissionId = string & { readonly __of?: "PermissionId" };

export type RuleId = string & { readonly __of?: "RuleId" };

export type ReaderId = string & { readonly __of?: "ReaderId" };

export type ErrorCode =
  | "invalid"
  | "not_found"
  | "outside"
  | "conflict"
  | "exists"
  | "too_large"
  | "not_text"
  | "no_access"
  | "ambiguous"
  | "unavailable"
  | "busy"
  | "unsupported"
  | "sign_in"
  | "internal";

export type ToolContent = ToolText | ToolDiff | ToolTerminal | ToolImage | ToolOther;

export type Part =
  TextPart | ThoughtPart | ImagePart | ToolPart | PlanPart | NotePart | AttachmentPart;

export type AgentState =
  "stopped" | "starting" | "ready" | "working" | "waiting" | "stopping" | "failed";

export type FailureCode =
  | "command_not_found"
  | "not_executable"
  | "interpreter_missing"
  | "workspace_missing"
  | "workspace_no_access"
  | "wrong_protocol"
  | "no_answer"
  | "bad_answer"
  | "sign_in"
  | "crashed"
  | "runtime_unsupported";

export type RuntimeType = "local" | "container" | "sbx";

export type Outcome =
  "finished" | "stopped" | "failed" | "nothing" | "refused" | "limit" | "withdrawn";

/** `note`: worth knowing, nothing to mend. */
export type FindingLevel = "ok" | "note" | "problem";

export type AnyEvent =
  | ReaderOpened
  | Resync
  | AgentChanged
  | AgentRemoved
  | CommandsChanged
  | LogAdded
  | ChannelChanged
  | MessageAdded
  | MessageChanged
  | MessageRemoved
  | SessionChanged
  | TurnQueued
  | TurnStarted
  | TurnDelta
  | TurnUpdated
  | TurnEnded
  | PermissionAsked
  | PermissionClosed
  | ConfigChanged
  | SettingsChanged
  | ProblemRaised
  | ProblemClosed;

/** An error as the page gets it: a sentence for the person, a code and data for programs. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Markdown. */
export interface TextPart {
  readonly type: "text";
  readonly partId: PartId;
  readonly text: string;
}

/** What the agent thought aloud; folded in the page, never told to other agents. */
export interface ThoughtPart {
  readonly type: "thought";
  readonly partId: PartId;
  readonly text: string;
}

/** An image that the agent sent: base64 `data`. */
export interface ImagePart {
  readonly type: "image";
  readonly partId: PartId;
  readonly mimeType: string;
  readonly data: string;
}

/** A file that a tool call works on; `line` counts from 1. */
export interface Location {
  readonly path: string;
  readonly line: number | null;
}

/** Output of a tool as text. */
export interface ToolText {
  readonly type: "text";
  readonly text: string;
}

/** A change of one file; `oldText` is null for a new file. */
export interface ToolDiff {
  readonly type: "diff";
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
}

/** A terminal of the agent, with what it printed so far, where the agent tells it. */
export interface ToolTerminal {
  readonly type: "terminal";
  readonly terminalId: string;
  readonly output: string;
}

/** An image that a tool made: base64 `data`. */
export interface ToolImage {
  readonly type: "image";
  readonly mimeType: string;
  readonly data: string;
}

/** Content of a kind that we do not know, as it came. */
export interface ToolOther {
  readonly type: "other";
  readonly raw: unknown;
}

/** A tool call, as last told. `kind` and `status` are the agent's words, known to us or not. */
export interface ToolPart {
  readonly type: "tool";
  readonly partId: PartId;
  readonly toolCallId: string;
  readonly title: string;
  readonly kind: string | null;
  readonly status: string;
  readonly locations: readonly Location[];
  readonly content: readonly ToolContent[];
  readonly input: unknown;
  readonly output: unknown;
}

/** A step of a plan; `status` is pending, in_progress, completed or the agent's own word. */
export interface PlanEntry {
  readonly content: string;
  readonly status: string;
  readonly priority: string;
}

/** The agent's plan, as last told. */
export interface PlanPart {
  readonly type: "plan";
  readonly partId: PartId;
  readonly entries: readonly PlanEntry[];
}

/** Something neutral: a remark (`text`), or an update of a kind that we do not know (`raw`). */
export interface NotePart {
  readonly type: "note";
  readonly partId: PartId;
  readonly text: string;
  readonly raw: unknown;
}

/** A file that the person sent along, by name. */
export interface AttachmentPart {
  readonly type: "attachment";
  readonly partId: PartId;
  readonly name: string;
  readonly mimeType: string;
}

/** A way to sign in. `agent`: by `sign_in`; `terminal`: by running `command`; else shown. */
export interface SignInMethod {
  readonly methodId: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: string;
  readonly command: string | null;
}

/** Why an agent does not run: one sentence with what to do, and the last lines of its stderr. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly stderr: string;
  /** For `sign_in`: the ways that the agent offers. */
  readonly methods: readonly SignInMethod[];
}

/** A command that an agent announced. `hint` says what may follow it. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly hint: string | null;
}

/** Someone the person talks to. `converses` is false for an entry without `command`. */
export interface Agent {
  readonly agentId: AgentId;
  readonly name: string;
  readonly state: AgentState;
  readonly where: string;
  readonly runtime: RuntimeType;
  readonly converses: boolean;
  readonly workspace: string;
  readonly failure: Failure | null;
  readonly restartToApply: boolean;
  /** Bytes of its process tree, while it runs. */
  readonly memory: number | null;
}

/** A conversation: `direct` with one agent, or a channel with a name and members in order. */
export interface Channel {
  readonly channelId: ChannelId;
  readonly kind: "direct" | "channel";
  readonly name: string;
  readonly members: readonly AgentId[];
  readonly draft: string;
  /** Messages of agents since the person last looked. */
  readonly unread: number;
}

/** How a turn ended; stays with the answer. */
export interface Ending {
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly reason: string | null;
}

/** One message. `position` orders a conversation; null while the message waits in the queue. */
export interface Message {
  readonly messageId: MessageId;
  readonly channelId: ChannelId;
  /** `user`, or the id of the agent. */
  readonly author: string;
  readonly parts: readonly Part[];
  readonly createdAt: string;
  readonly position: number | null;
  /** Begins with `/`, but is no command. */
  readonly asText: boolean;
  /** The turn that wrote it; null for the person's. */
  readonly turnId: TurnId | null;
  readonly ending: Ending | null;
}

/**
 * Why a turn has not started, or does not go on.
 *
 * `agent`: that agent answers elsewhere (`channelId`). `place`: as many run or answer as may.
 * `turn`: another recipient answers first. `answer`: the person's.
 */
export interface WaitsFor {
  readonly kind: "agent" | "place" | "turn" | "answer";
  readonly agentId: AgentId | null;
  readonly channelId: ChannelId | null;
  /** For `place`: what the idle agent started and still runs; only the person may end that. */
  readonly children: readonly string[];
}

/** One recipient's answer, while it is queued or runs. */
export interface Turn {
  readonly turnId: TurnId;
  readonly channelId: ChannelId;
  readonly agentId: AgentId;
  readonly state: "queued" | "running";
  readonly userMessageId: MessageId;
  readonly queuedAt: string;
  /** The answer, once the turn has started. */
  readonly messageId: MessageId | null;
  readonly startedAt: string | null;
  readonly waitsFor: WaitsFor | null;
  readonly stopping: boolean;
  /** Nothing came for a minute. */
  readonly quiet: boolean;
  readonly parts: readonly Part[];
}

/** One of the agent's own answers, in its order and words. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string | null;
}

/** What a permission is asked for, as far as the agent tells. */
export interface ToolCall {
  readonly toolCallId: string;
  readonly title: string;
  readonly kind: string | null;
  readonly locations: readonly Location[];
  readonly content: readonly ToolContent[];
  readonly input: unknown;
}

/** A question of a turn that only the person (or a rule of theirs) may answer. */
export interface Permission {
  readonly permissionId: PermissionId;
  readonly channelId: ChannelId;
  readonly agentId: AgentId;
  readonly turnId: TurnId | null;
  readonly toolCall: ToolCall;
  readonly options: readonly PermissionOption[];
  readonly askedAt: string;
}

/** A kept answer to what an agent asks for a kind of tool; it never chooses an `_always`. */
export interface Rule {
  readonly ruleId: RuleId;
  readonly agentId: AgentId;
  readonly kind: string;
  readonly decision: "allow" | "reject";
  readonly createdAt: string;
}

/** One value that a session option can take. */
export interface OptionChoice {
  readonly value: string;
  readonly name: string;
}

/** Something about a session that can be changed: its mode, its model, and so on. */
export interface SessionOption {
  readonly optionId: string;
  readonly name: string;
  readonly category: string | null;
  /** How the agent offers it; the latter two are the protocol's older ways. */
  readonly source: "config" | "mode" | "model";
  readonly value: string | boolean;
  readonly choices: readonly OptionChoice[];
}

/** Tokens in the session's context, of how many. */
export interface Usage {
  readonly used: number;
  readonly size: number | null;
}

/** One ACP session: an agent in a channel, with what the agent offers there. */
export interface Session {
  readonly channelId: ChannelId;
  readonly agentId: AgentId;
  readonly options: readonly SessionOption[];
  readonly usage: Usage | null;
}

/** Something wrong that stays so until it is mended, such as a line of the configuration. */
export interface Problem {
  readonly problemId: string;
  readonly code: string;
  readonly message: string;
  readonly severity: "error" | "warning";
  readonly file: string | null;
  readonly line: number | null;
  /** The path of the key, such as `agents.alice.runtime.type`. */
  readonly key: string | null;
  readonly expected: string | null;
}

/** A line of an agent's log. `frame` entries are ACP messages, `to` or `from` the agent. */
export interface LogEntry {
  readonly number: number;
  readonly at: string;
  readonly kind: "life" | "stderr" | "noise" | "frame";
  readonly text: string;
  readonly direction: "to" | "from" | null;
  readonly method: string | null;
}

/** What the person set in the app. `system` follows the computer. */
export interface Settings {
  readonly language: "system" | "en" | "fr";
  readonly theme: "system" | "light" | "dark";
}

/** The app itself. */
export interface AppInfo {
  readonly version: string;
  readonly platform: "linux" | "darwin";
  readonly language: "en" | "fr";
  readonly configPath: string;
  readonly maxRunning: number;
  readonly maxAnswering: number;
  readonly settings: Settings;
}

/** Everything but the messages (`get_messages`) at the number that came with it. */
export interface Snapshot {
  readonly app: AppInfo;
  readonly agents: readonly Agent[];
  readonly channels: readonly Channel[];
  readonly sessions: readonly Session[];
  readonly turns: readonly Turn[];
  readonly permissions: readonly Permission[];
  /** What agents ask besides permissions; none until elicitation is offered to them. */
  readonly questions: readonly never[];
  readonly shells: readonly never[];
  readonly problems: readonly Problem[];
}

/** Everything but the messages. */
export type SnapshotTaken = Snapshot;

/** Entries after the number asked for; ask for `next` the next time. */
export interface Log {
  readonly entries: readonly LogEntry[];
  readonly next: number;
}

/** A conversation that is there now. */
export interface ChannelOpened {
  readonly channelId: ChannelId;
}

/** Messages, oldest first; `more` if there are others beyond in the direction asked for. */
export interface MessagePage {
  readonly messages: readonly Message[];
  readonly more: boolean;
}

/** A turn that a message queued. */
export interface SentTurn {
  readonly turnId: TurnId;
  readonly agentId: AgentId;
}

/** The message and who will answer it, in order. */
export interface MessageSent {
  readonly messageId: MessageId;
  readonly turns: readonly SentTurn[];
}

/** Something to know before sending, such as a mention that names nobody. */
export interface PreviewHint {
  readonly kind: string;
  readonly message: string;
}

/** Who would answer; empty when the person must say whom it is for. */
export interface MessagePreview {
  readonly to: readonly AgentId[];
  readonly command: string | null;
  readonly hints: readonly PreviewHint[];
}

/**
 * A transcript (empty where nothing is unseen), the messages in it, and how many were left out.
 *
 * `how`: the agent's `session` is open; a stored one would be loaded; or a new one opened.
 */
export interface RecapPreview {
  readonly text: string;
  readonly messages: readonly MessageId[];
  readonly leftOut: number;
  readonly how: "session" | "load" | "new";
}

/** The kept answers, oldest first. */
export interface RuleList {
  readonly rules: readonly Rule[];
}

/** The new turn. */
export interface TurnQueuedAgain {
  readonly turnId: TurnId;
}

/** The text of a message that was taken back whole, for the composer; null where it stays. */
export interface TextBack {
  readonly text: string | null;
}

/** A command and whose it is. */
export interface OfferedCommand {
  readonly name: string;
  readonly description: string;
  readonly hint: string | null;
  readonly agentId: AgentId;
}

/** The commands known, and the members that never announced theirs. */
export interface CommandList {
  readonly commands: readonly OfferedCommand[];
  readonly unknown: readonly AgentId[];
}

/** The settings as they are now. */
export interface SettingsTaken {
  readonly settings: Settings;
}

/**
 * One thing that the doctor looked at, in a sentence; no secret in it, the home folder as `~`.
 *
 * `code` names it in every language. `advice` says what to do, where the sentence does not.
 * `details` are lines: names, folders, what a program wrote. `failure` is as in `Failure`.
 */
export interface Finding {
  readonly code: string;
  readonly level: FindingLevel;
  readonly message: string;
  readonly advice: string | null;
  readonly details: readonly string[];
  readonly durationMs: number | null;
  readonly failure: FailureCode | null;
}

/** What came of starting one agent, in order. `level` is the worst; `methods` to sign in. */
export interface AgentFindings {
  readonly agentId: AgentId;
  readonly name: string;
  readonly level: FindingLevel;
  readonly findings: readonly Finding[];
  readonly methods: readonly SignInMethod[];
}

/**
 * What the doctor found: of the app and the `computer`, and of each agent.
 *
 * `level` is the worst of all. `report` is all of it as text, to be copied.
 */
export interface Diagnosis {
  readonly level: FindingLevel;
  readonly computer: readonly Finding[];
  readonly agents: readonly AgentFindings[];
  readonly report: string;
}

/** The answer of a command that has nothing more to say. */
export type Done = Readonly<Record<string, never>>;

/** Everything but the messages. */
export interface GetSnapshot {
  readonly type: "get_snapshot";
}

/** Start the agent's program, taking a place. */
export interface StartAgent {
  readonly type: "start_agent";
  readonly agentId: AgentId;
}

/** End the agent's program and all that it started. */
export interface StopAgent {
  readonly type: "stop_agent";
  readonly agentId: AgentId;
}

/** Stop and start again, with the configuration as it is now. */
export interface RestartAgent {
  readonly type: "restart_agent";
  readonly agentId: AgentId;
}

/** The agent's log after entry number `after`; with the ACP messages if `frames`. */
export interface GetLog {
  readonly type: "get_log";
  readonly agentId: AgentId;
  readonly after?: number;
  readonly frames?: boolean;
}

/** Have the agent sign in by one of its methods; returns when it has. */
export interface SignIn {
  readonly type: "sign_in";
  readonly agentId: AgentId;
  readonly methodId: string;
}

/** The direct conversation with an agent, made at the first time. */
export interface OpenDirect {
  readonly type: "open_direct";
  readonly agentId: AgentId;
}

/** A page of messages, oldest first: the last, or those before, after or around a message. */
export interface GetMessages {
  readonly type: "get_messages";
  readonly channelId: ChannelId;
  readonly before?: MessageId | null;
  readonly after?: MessageId | null;
  /** A message's id, or a date (`2026-11-30`). */
  readonly around?: string | null;
  readonly limit?: number;
}

/** Send a message; `to` overrides who answers. A repeated `localId` gives the first result. */
export interface SendMessage {
  readonly type: "send_message";
  readonly channelId: ChannelId;
  readonly text: string;
  readonly to?: readonly AgentId[];
  readonly asText?: boolean;
  readonly localId?: string | null;
}

/** Who would answer this text, by the same parser that sends. */
export interface PreviewMessage {
  readonly type: "preview_message";
  readonly channelId: ChannelId;
  readonly text: string;
}

/** What an agent would be told with the next ordinary message, besides the message. */
export interface PreviewRecap {
  readonly type: "preview_recap";
  readonly channelId: ChannelId;
  readonly agentId: AgentId;
}

/**
 * Cancel the turn that runs and drop those still to come for that message.
 *
 * `force` ends the agent's program, for one that goes on after the cancel.
 */
export interface StopTurn {
  readonly type: "stop_turn";
  readonly channelId: ChannelId;
  readonly force?: boolean;
}

/** Ask the same agent for another answer to the same message. */
export interface RetryTurn {
  readonly type: "retry_turn";
  readonly turnId: TurnId;
}

/** Take a queued turn back. */
export interface WithdrawTurn {
  readonly type: "withdraw_turn";
  readonly turnId: TurnId;
}

/**
 * The slash commands of a conversation's members, as last announced.
 *
 * With `open`, members that never announced theirs are started, as places allow.
 */
export interface ListCommands {
  readonly type: "list_commands";
  readonly channelId: ChannelId;
  readonly open?: boolean;
}

/** Answer with one of the agent's own options. */
export interface AnswerPermission {
  readonly type: "answer_permission";
  readonly permissionId: PermissionId;
  readonly optionId: string;
  /** Keep it as a rule for this agent and kind of tool. */
  readonly remember?: boolean;
}

/** The kept answers, of one agent or of all. */
export interface ListRules {
  readonly type: "list_rules";
  readonly agentId?: AgentId | null;
}

/** Take a kept answer back. */
export interface DeleteRule {
  readonly type: "delete_rule";
  readonly ruleId: RuleId;
}

/** Change a session option that the agent offers. */
export interface SetOption {
  readonly type: "set_option";
  readonly channelId: ChannelId;
  readonly agentId: AgentId;
  readonly optionId: string;
  readonly value: string | boolean;
}

/** Keep what is being written in a conversation. */
export interface SaveDraft {
  readonly type: "save_draft";
  readonly channelId: ChannelId;
  readonly text: string;
}

/** The person has seen a conversation to its end. */
export interface MarkRead {
  readonly type: "mark_read";
  readonly channelId: ChannelId;
}

/** What the person set. */
export interface GetSettings {
  readonly type: "get_settings";
}

/** Change settings: only the given ones. */
export interface SetSettings {
  readonly type: "set_settings";
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Look at the app, the computer and the agents, or that one agent, and say what is wrong.
 *
 * Each agent is really started, as a program of its own, and ended again.
 */
export interface Doctor {
  readonly type: "doctor";
  readonly agentId?: AgentId | null;
}

/** Open a web or mail link in the system's browser. */
export interface OpenExternal {
  readonly type: "open_external";
  readonly url: string;
}

/** The first event of a stream. */
export interface ReaderOpened {
  readonly type: "reader.opened";
  readonly seq: number;
  readonly readerId: ReaderId;
}

/** This reader has missed events: take a new snapshot and open the stream again. */
export interface Resync {
  readonly type: "resync";
  readonly seq: number;
}

/** An agent is new or has changed. */
export interface AgentChanged {
  readonly type: "agent.changed";
  readonly seq: number;
  readonly agent: Agent;
}

/** An agent is gone from the configuration. */
export interface AgentRemoved {
  readonly type: "agent.removed";
  readonly seq: number;
  readonly agentId: AgentId;
}

/** An agent announced its slash commands. */
export interface CommandsChanged {
  readonly type: "commands.changed";
  readonly seq: number;
  readonly agentId: AgentId;
  readonly commands: readonly SlashCommand[];
}

/** An agent's log has grown to `next`; told at most four times a second. */
export interface LogAdded {
  readonly type: "log.added";
  readonly seq: number;
  readonly agentId: AgentId;
  readonly next: number;
}

/** A conversation is new or has changed. */
export interface ChannelChanged {
  readonly type: "channel.changed";
  readonly seq: number;
  readonly channel: Channel;
}

/** A message is there; it may still wait in the queue. */
export interface MessageAdded {
  readonly type: "message.added";
  readonly seq: number;
  readonly message: Message;
}

/** A message has taken its place, or has ended. */
export interface MessageChanged {
  readonly type: "message.changed";
  readonly seq: number;
  readonly message: Message;
}

/** A message was taken back before it was said. */
export interface MessageRemoved {
  readonly type: "message.removed";
  readonly seq: number;
  readonly channelId: ChannelId;
  readonly messageId: MessageId;
}

/** An agent's session in a conversation offers other options, or its usage changed. */
export interface SessionChanged {
  readonly type: "session.changed";
  readonly seq: number;
  readonly channelId: ChannelId;
  readonly agentId: AgentId;
  readonly options: readonly SessionOption[];
  readonly usage: Usage | null;
}

/** An agent is to answer. */
export interface TurnQueued {
  readonly type: "turn.queued";
  readonly seq: number;
  readonly turn: Turn;
}

/** An agent has begun; `messageId` is its answer, added just before. */
export interface TurnStarted {
  readonly type: "turn.started";
  readonly seq: number;
  readonly turnId: TurnId;
  readonly channelId: ChannelId;
  readonly agentId: AgentId;
  readonly messageId: MessageId;
  readonly startedAt: string;
}

/** Text that joins a part of the answer at `offset`, in UTF-16 units. */
export interface TurnDelta {
  readonly type: "turn.delta";
  readonly seq: number;
  readonly turnId: TurnId;
  readonly channelId: ChannelId;
  readonly messageId: MessageId;
  readonly partId: PartId;
  /** `text` or `thought`, for a part that begins with this. */
  readonly kind: string;
  readonly offset: number;
  readonly text: string;
}

/**
 * A part of the answer, whole, or the state of the turn; what is null has not changed
 * (but `waitsFor`, which is always as it is now).
 */
export interface TurnUpdated {
  readonly type: "turn.updated";
  readonly seq: number;
  readonly turnId: TurnId;
  readonly channelId: ChannelId;
  readonly messageId: MessageId | null;
  readonly part: Part | null;
  readonly waitsFor: WaitsFor | null;
  readonly stopping: boolean;
  readonly quiet: boolean;
}

/** The turn is over; its answer was changed just before, with the same ending. */
export interface TurnEnded {
  readonly type: "turn.ended";
  readonly seq: number;
  readonly turnId: TurnId;
  readonly channelId: ChannelId;
  readonly agentId: AgentId;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly reason: string | null;
}

/** An agent waits for the person. */
export interface PermissionAsked {
  readonly type: "permission.asked";
  readonly seq: number;
  readonly permission: Permission;
}

/** A question needs no answer any more; `outcome` is the option chosen, or `cancelled`. */
export interface PermissionClosed {
  readonly type: "permission.closed";
  readonly seq: number;
  readonly permissionId: PermissionId;
  readonly outcome: string;
}

/** The configuration file was read anew; what it changed is told by events of its own. */
export interface ConfigChanged {
  readonly type: "config.changed";
  readonly seq: number;
  readonly maxRunning: number;
  readonly maxAnswering: number;
  /** All agents, in the file's order. */
  readonly agentIds: readonly AgentId[];
}

/** The person changed a setting. */
export interface SettingsChanged {
  readonly type: "settings.changed";
  readonly seq: number;
  readonly settings: Settings;
  /** What `settings.language` comes to. */
  readonly language: string;
}

/** Something is wrong. */
export interface ProblemRaised {
  readonly type: "problem.raised";
  readonly seq: number;
  readonly problem: Problem;
}

/** A problem is mended. */
export interface ProblemClosed {
  readonly type: "problem.closed";
  readonly seq: number;
  readonly problemId: string;
}

/** Every command by name: what it takes and what it answers. */
export interface Commands {
  get_snapshot: {
    params: Readonly<Record<string, never>>;
    result: SnapshotTaken;
  };
  start_agent: {
    params: Omit<StartAgent, "type">;
    result: Done;
  };
  stop_agent: {
    params: Omit<StopAgent, "type">;
    result: Done;
  };
  restart_agent: {
    params: Omit<RestartAgent, "type">;
    result: Done;
  };
  get_log: {
    params: Omit<GetLog, "type">;
    result: Log;
  };
  sign_in: {
    params: Omit<SignIn, "type">;
    result: Done;
  };
  open_direct: {
    params: Omit<OpenDirect, "type">;
    result: ChannelOpened;
  };
  get_messages: {
    params: Omit<GetMessages, "type">;
    result: MessagePage;
  };
  send_message: {
    params: Omit<SendMessage, "type">;
    result: MessageSent;
  };
  preview_message: {
    params: Omit<PreviewMessage, "type">;
    result: MessagePreview;
  };
  preview_recap: {
    params: Omit<PreviewRecap, "type">;
    result: RecapPreview;
  };
  stop_turn: {
    params: Omit<StopTurn, "type">;
    result: Done;
  };
  retry_turn: {
    params: Omit<RetryTurn, "type">;
    result: TurnQueuedAgain;
  };
  withdraw_turn: {
    params: Omit<WithdrawTurn, "type">;
    result: TextBack;
  };
  list_commands: {
    params: Omit<ListCommands, "type">;
    result: CommandList;
  };
  answer_permission: {
    params: Omit<AnswerPermission, "type">;
    result: Done;
  };
  list_rules: {
    params: Omit<ListRules, "type">;
    result: RuleList;
  };
  delete_rule: {
    params: Omit<DeleteRule, "type">;
    result: Done;
  };
  set_option: {
    params: Omit<SetOption, "type">;
    result: Done;
  };
  save_draft: {
    params: Omit<SaveDraft, "type">;
    result: Done;
  };
  mark_read: {
    params: Omit<MarkRead, "type">;
    result: Done;
  };
  get_settings: {
    params: Readonly<Record<string, never>>;
    result: SettingsTaken;
  };
  set_settings: {
    params: Omit<SetSettings, "type">;
    result: SettingsTaken;
  };
  doctor: {
    params: Omit<Doctor, "type">;
    result: Diagnosis;
  };
  open_external: {
    params: Omit<OpenExternal, "type">;
    result: Done;
  };
}
