import type { Commands, ErrorBody } from "../contract/generated";
import { words } from "../words/words.svelte";
import type { Entry } from "./auth";
import type { Answer, Backend, CommandName, Step } from "./backend";
import { SidekicksError } from "./errors";
import { readEvents } from "./stream";
import { httpTransport, windowTransport, type Transport } from "./transport";

type Envelope<Name extends CommandName> =
  | { readonly ok: true; readonly value: Commands[Name]["result"]; readonly seq: number }
  | { readonly ok: false; readonly error: ErrorBody; readonly seq: number };

/** The running app. The one caller of the transports. */
export class Api implements Backend {
  readonly #secret: string;
  readonly #transport: Transport;

  constructor({ secret, inWindow }: Entry) {
    this.#secret = secret;
    this.#transport = inWindow ? windowTransport(secret) : httpTransport(secret);
  }

  async invoke<Name extends CommandName>(
    name: Name,
    params: Commands[Name]["params"],
  ): Promise<Answer<Name>> {
    const answered = await this.#transport(JSON.stringify({ type: name, ...params }));
    let envelope: Envelope<Name>;
    try {
      envelope = JSON.parse(answered) as Envelope<Name>;
    } catch {
      throw new SidekicksError({ code: "internal", message: words().answerUnreadable });
    }
    if (!envelope.ok) throw new SidekicksError(envelope.error);
    return { value: envelope.value, seq: envelope.seq };
  }

  events(after: number, signal: AbortSignal): AsyncIterable<Step> {
    return readEvents(this.#secret, after, signal);
  }
}
