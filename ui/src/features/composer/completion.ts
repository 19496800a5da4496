import type { AgentId, SlashCommand } from "../../contract/generated";

/** A command that can be put into the composer. */
export interface Offer {
  readonly command: SlashCommand;
  readonly agentId: AgentId;
  /** What takes the place of what was typed: `/name`, or `/agent:name` among several agents. */
  readonly text: string;
}

/** What was typed of a command's name, or null when the text is not (or no longer) a command's name. */
export function typedCommand(text: string): string | null {
  return /^\/(\S*)$/.exec(text)?.[1] ?? null;
}

export function makeOffers(
  members: readonly AgentId[],
  commandsOf: (agentId: AgentId) => readonly SlashCommand[],
): Offer[] {
  return members.flatMap((agentId) =>
    commandsOf(agentId).map((command) => ({
      command,
      agentId,
      text: members.length > 1 ? `/${agentId}:${command.name}` : `/${command.name}`,
    })),
  );
}

/** The offers that go with what was typed: those that begin with it, then those that hold it. */
export function matching(offers: readonly Offer[], typed: string): Offer[] {
  const wanted = typed.toLowerCase();
  const begins = ({ command, text }: Offer): boolean =>
    command.name.toLowerCase().startsWith(wanted) || text.toLowerCase().startsWith(`/${wanted}`);
  const holds = (offer: Offer): boolean => offer.text.toLowerCase().includes(wanted);
  return [...offers.filter(begins), ...offers.filter((offer) => !begins(offer) && holds(offer))];
}

/** Where the selection is in a list that was made anew: at the same offer, else at the first. */
export function keepSelection(offers: readonly Offer[], selected: string | null): number {
  return Math.max(
    0,
    offers.findIndex((offer) => offer.text === selected),
  );
}

/** Whether what was typed is a command that somebody announced. */
export function isAnnounced(offers: readonly Offer[], text: string): boolean {
  const word = /^\/\S+/.exec(text)?.[0];
  if (word === undefined) return true;
  return offers.some((offer) => offer.text === word || `/${offer.command.name}` === word);
}
