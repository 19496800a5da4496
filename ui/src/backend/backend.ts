import type { AnyEvent, Commands } from "../contract/generated";

export type CommandName = keyof Commands;

/** What a command answered, and the number of the last event that the answer already holds. */
export interface Answer<Name extends CommandName> {
  readonly value: Commands[Name]["result"];
  readonly seq: number;
}

/** A step of the event stream: events in order, or the word that the app stops. */
export type Step =
  { readonly kind: "events"; readonly events: readonly AnyEvent[] } | { readonly kind: "close" };

/** The app as the page reaches it: commands one way, one stream of numbered events the other. */
export interface Backend {
  /** Run a command. Throws `SidekicksError`. */
  invoke<Name extends CommandName>(
    name: Name,
    params: Commands[Name]["params"],
  ): Promise<Answer<Name>>;

  /**
   * The events after number `after`, until the stream ends or `signal` aborts. An end without
   * `close` is transient; `SecretRefused` is final.
   */
  events(after: number, signal: AbortSignal): AsyncIterable<Step>;
}
