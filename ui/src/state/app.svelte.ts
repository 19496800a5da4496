import { getContext, setContext } from "svelte";
import type { Backend } from "../backend/backend";
import type { AgentId, ChannelId, Permission } from "../contract/generated";
import { Agents } from "./agents.svelte";
import { Announcer } from "./announcer.svelte";
import { Channels } from "./channels.svelte";
import { Commands } from "./commands.svelte";
import { Conversations } from "./conversations.svelte";
import { Drafts } from "./drafts.svelte";
import { Lane } from "./lane";
import { Notices } from "./notices.svelte";
import { Outbox } from "./outbox.svelte";
import { Permissions } from "./permissions.svelte";
import { Rules } from "./rules.svelte";
import { Settings } from "./settings.svelte";
import { Sync } from "./sync.svelte";
import { Turns } from "./turns.svelte";

/** A place in the sidebar: a conversation, or an agent that none was opened with yet. */
type Stop = { readonly channelId: ChannelId } | { readonly agentId: AgentId };

/** All of the page's state, wired. Components take it from the context. */
export class App {
  readonly sync: Sync;
  readonly notices = new Notices();
  readonly agents: Agents;
  readonly channels: Channels;
  readonly conversations: Conversations;
  readonly turns: Turns;
  readonly commands: Commands;
  readonly permissions: Permissions;
  readonly rules: Rules;
  readonly settings: Settings;
  readonly drafts: Drafts;
  readonly outbox: Outbox;
  readonly announcer: Announcer;

  constructor(backend: Backend) {
    // What is written and what is sent must reach the app in that order.
    const lane = new Lane();
    this.sync = new Sync(backend);
    this.agents = new Agents(this.sync, this.notices);
    this.channels = new Channels(this.sync, this.notices);
    this.conversations = new Conversations(this.sync, this.notices);
    this.turns = new Turns(this.sync, this.notices);
    this.commands = new Commands(this.sync);
    this.permissions = new Permissions(this.sync, this.notices);
    this.rules = new Rules(this.sync, this.notices);
    this.settings = new Settings(this.sync, this.notices);
    this.drafts = new Drafts(this.sync, lane);
    this.outbox = new Outbox(this.sync, this.conversations, this.drafts, lane);
    this.announcer = new Announcer(this.sync, this.agents);
  }

  /** Show a conversation; what is being written in the one before is saved. */
  open(channelId: ChannelId): void {
    this.#leave();
    this.channels.show(channelId);
  }

  async openDirect(agentId: AgentId): Promise<void> {
    this.#leave();
    await this.channels.showDirect(agentId);
  }

  /** Show the conversation of a question, and its card. */
  goTo(permission: Permission): void {
    this.open(permission.channelId);
    this.permissions.leadTo(permission.permissionId);
  }

  /** Show the next (1) or previous (-1) conversation of the sidebar. */
  async move(step: 1 | -1): Promise<void> {
    const stops: Stop[] = [
      ...this.channels.shared,
      ...this.agents.all.filter((agent) => agent.converses),
    ];
    const shown = this.channels.shown;
    const at = stops.findIndex((stop) =>
      "channelId" in stop
        ? stop.channelId === shown?.channelId
        : shown?.kind === "direct" && shown.members.includes(stop.agentId),
    );
    const next = stops[at < 0 ? 0 : (at + step + stops.length) % stops.length];
    if (!next) return;
    if ("channelId" in next) this.open(next.channelId);
    else await this.openDirect(next.agentId);
  }

  #leave(): void {
    const shown = this.channels.shown;
    if (shown) this.drafts.flush(shown.channelId);
  }
}

/** Where the context holds it, for those that are mounted alone. */
export const APP_KEY = Symbol("app");

export function provideApp(app: App): App {
  return setContext(APP_KEY, app);
}

export function useApp(): App {
  return getContext<App>(APP_KEY);
}
