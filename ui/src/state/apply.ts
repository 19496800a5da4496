import type {
  AgentId,
  AnyEvent,
  ChannelId,
  Message,
  Part,
  SlashCommand,
  Turn,
  TurnDelta,
  TurnId,
  TurnUpdated,
} from "../contract/generated";
import { NO_MESSAGES, putMessage, removeMessage } from "./messages";
import type { Conversation, Model } from "./model";

/** Events were missed: only a new snapshot helps. */
export class Gap extends Error {}

/**
 * The model after an event. What the model already holds is ignored, so that a stream may begin
 * anywhere before it. Throws `Gap` when something is missing in between.
 */
export function apply(model: Model, event: AnyEvent): Model {
  if (event.type === "resync") throw new Gap("the app asks for a new snapshot");
  if (event.seq <= model.seq) return model;
  return { ...change(model, event), seq: event.seq };
}

function change(model: Model, event: AnyEvent): Model {
  switch (event.type) {
    case "reader.opened":
    case "resync":
    case "log.added":
      return model;
    case "agent.changed":
      return { ...model, agents: put(model.agents, event.agent, "agentId") };
    case "agent.removed":
      return { ...model, agents: without(model.agents, "agentId", event.agentId) };
    case "commands.changed":
      return announce(model, event.agentId, event.commands, event.seq);
    case "channel.changed":
      return { ...model, channels: put(model.channels, event.channel, "channelId") };
    case "message.added":
    case "message.changed":
      return inConversation(model, event.message.channelId, (conversation) =>
        putMessage(conversation, event.message, event.seq),
      );
    case "message.removed":
      return inConversation(model, event.channelId, (conversation) =>
        removeMessage(conversation, event.messageId, event.seq),
      );
    case "session.changed": {
      const { channelId, agentId, options, usage } = event;
      const rest = model.sessions.filter((one) => !sameSession(one, event));
      const at = model.sessions.findIndex((one) => sameSession(one, event));
      const session = { channelId, agentId, options, usage };
      return { ...model, sessions: rest.toSpliced(at < 0 ? rest.length : at, 0, session) };
    }
    case "turn.queued":
      return { ...model, turns: put(model.turns, event.turn, "turnId") };
    case "turn.started":
      return changeTurn(model, event.turnId, (turn) => ({
        ...turn,
        state: "running",
        messageId: event.messageId,
        startedAt: event.startedAt,
        waitsFor: null,
      }));
    case "turn.delta":
      return changeParts(model, event, (parts) => addText(parts, event));
    case "turn.updated":
      return updateTurn(model, event);
    case "turn.ended":
      return { ...model, turns: without(model.turns, "turnId", event.turnId) };
    case "permission.asked":
      return { ...model, permissions: put(model.permissions, event.permission, "permissionId") };
    case "permission.closed":
      return {
        ...model,
        permissions: without(model.permissions, "permissionId", event.permissionId),
      };
    case "config.changed": {
      const { maxRunning, maxAnswering, agentIds } = event;
      const agents = model.agents.toSorted(
        (one, other) => agentIds.indexOf(one.agentId) - agentIds.indexOf(other.agentId),
      );
      return { ...model, agents, app: { ...model.app, maxRunning, maxAnswering } };
    }
    case "settings.changed": {
      const language = event.language === "fr" ? "fr" : "en";
      return { ...model, app: { ...model.app, settings: event.settings, language } };
    }
    case "problem.raised":
      return { ...model, problems: put(model.problems, event.problem, "problemId") };
    case "problem.closed":
      return { ...model, problems: without(model.problems, "problemId", event.problemId) };
    default:
      return unknown(model, event);
  }
}

/** A newer app may tell of what this page does not know. A missing case above does not compile. */
function unknown(model: Model, _event: never): Model {
  return model;
}

function put<Item>(items: readonly Item[], item: Item, key: keyof Item): readonly Item[] {
  const at = items.findIndex((one) => one[key] === item[key]);
  return at < 0 ? [...items, item] : items.with(at, item);
}

function without<Item, Key extends keyof Item>(
  items: readonly Item[],
  key: Key,
  value: Item[Key],
): readonly Item[] {
  return items.filter((one) => one[key] !== value);
}

function sameSession(
  one: { readonly channelId: ChannelId; readonly agentId: string },
  other: { readonly channelId: ChannelId; readonly agentId: string },
): boolean {
  return one.channelId === other.channelId && one.agentId === other.agentId;
}

function inConversation(
  model: Model,
  channelId: ChannelId,
  step: (conversation: Conversation) => Conversation,
): Model {
  const conversation = model.conversations.get(channelId);
  if (!conversation) return model;
  return {
    ...model,
    conversations: new Map(model.conversations).set(channelId, step(conversation)),
  };
}

function changeTurn(model: Model, turnId: TurnId, step: (turn: Turn) => Turn): Model {
  const at = model.turns.findIndex((turn) => turn.turnId === turnId);
  const turn = model.turns[at];
  return turn ? { ...model, turns: model.turns.with(at, step(turn)) } : model;
}

/** Change the parts of a turn's answer: of the turn while it is there, else of the answer itself. */
function changeParts(
  model: Model,
  event: TurnDelta | TurnUpdated,
  step: (parts: readonly Part[]) => readonly Part[],
): Model {
  if (model.turns.some((turn) => turn.turnId === event.turnId)) {
    return changeTurn(model, event.turnId, (turn) => ({ ...turn, parts: step(turn.parts) }));
  }
  return inConversation(model, event.channelId, (conversation) => {
    const { messages, told } = conversation;
    const at = messages.findIndex((message) => message.messageId === event.messageId);
    const message = messages[at];
    if (!message || (told.get(message.messageId) ?? -1) >= event.seq) return conversation;
    const changed: Message = { ...message, parts: step(message.parts) };
    return {
      ...conversation,
      messages: messages.with(at, changed),
      told: new Map(told).set(message.messageId, event.seq),
    };
  });
}

/** Join text at its offset. Text that is known already (in whole or in part) is not added twice. */
function addText(parts: readonly Part[], event: TurnDelta): readonly Part[] {
  const at = parts.findIndex((part) => part.partId === event.partId);
  const part = parts[at];
  const known = part && "text" in part ? part.text : "";
  if (event.offset > known.length) throw new Gap("text is missing before a delta");
  const fresh = event.text.slice(known.length - event.offset);
  if (part) {
    const grows = part.type === "text" || part.type === "thought";
    return grows && fresh ? parts.with(at, { ...part, text: known + fresh }) : parts;
  }
  const type = event.kind === "thought" ? "thought" : "text";
  return [...parts, { type, partId: event.partId, text: fresh }];
}

function updateTurn(model: Model, event: TurnUpdated): Model {
  const { part, waitsFor, stopping, quiet } = event;
  const updated = part ? changeParts(model, event, (parts) => put(parts, part, "partId")) : model;
  return changeTurn(updated, event.turnId, (turn) => ({
    ...turn,
    messageId: event.messageId ?? turn.messageId,
    waitsFor,
    stopping,
    quiet,
  }));
}

/** An agent's commands, unless something newer was told of them. */
export function announce(
  model: Model,
  agentId: AgentId,
  commands: readonly SlashCommand[],
  seq: number,
): Model {
  if ((model.commands.get(agentId)?.seq ?? -1) > seq) return model;
  return { ...model, commands: new Map(model.commands).set(agentId, { commands, seq }) };
}

/** Begin to keep a conversation's messages: from now on events are applied to it. */
export function watchConversation(model: Model, channelId: ChannelId): Model {
  if (model.conversations.has(channelId)) return model;
  return { ...model, conversations: new Map(model.conversations).set(channelId, NO_MESSAGES) };
}
