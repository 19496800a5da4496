import type { Answer, Backend, CommandName } from "../backend/backend";
import { SecretRefused } from "../backend/errors";
import type { AnyEvent, Commands } from "../contract/generated";
import { apply, Gap } from "./apply";
import { fromSnapshot, type Model } from "./model";

/**
 * `starting`: no snapshot yet. `live`: told of everything. `lost`: trying to reach the app again.
 * `stopped`: the app said that it stops. `refused`: the secret is not that of a running app.
 */
export type SyncState = "starting" | "live" | "lost" | "stopped" | "refused";

export type Listener = (event: AnyEvent, model: Model) => void;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** Events are applied for this long; then the page may do other things. */
const SLICE_MS = 12;

/**
 * Keeps the model what the app says. The one owner of the model: everything else reads it, and
 * changes it through `change` or by asking the app.
 *
 * Starting is recovering: a snapshot, then the events after it; a lost stream goes on after the last
 * event that was applied, and a gap leads back to the snapshot.
 */
export class Sync {
  #backend: Backend;
  #model = $state.raw<Model | null>(null);
  #state = $state<SyncState>("starting");
  #failures = $state(0);
  #snapshots = $state(0);
  #listeners: Listener[] = [];
  #ended = new AbortController();
  #wake: () => void = () => undefined;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  get state(): SyncState {
    return this.#state;
  }

  /** Null until the first snapshot. */
  get model(): Model | null {
    return this.#model;
  }

  /** Tries in a row that failed. */
  get failures(): number {
    return this.#failures;
  }

  /** How many snapshots were taken; messages loaded before the last one may have missed events. */
  get snapshots(): number {
    return this.#snapshots;
  }

  invoke<Name extends CommandName>(
    name: Name,
    params: Commands[Name]["params"],
  ): Promise<Answer<Name>> {
    return this.#backend.invoke(name, params);
  }

  /** Change what the page keeps beside the snapshot. */
  change(step: (model: Model) => Model): void {
    if (this.#model) this.#model = step(this.#model);
  }

  /** Be told of each event once, after it was applied. */
  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Do not wait for the next try. */
  retry(): void {
    this.#wake();
  }

  stop(): void {
    this.#ended.abort();
    this.#wake();
  }

  /** Follow the app until `stop`, its end, or its refusal. */
  async run(): Promise<void> {
    let fresh = true;
    while (!this.#ended.signal.aborted) {
      try {
        if (fresh || !this.#model) await this.#takeSnapshot();
        fresh = false;
        if ((await this.#follow()) === "close") {
          this.#state = "stopped";
          return;
        }
      } catch (error) {
        if (error instanceof SecretRefused) {
          this.#state = "refused";
          return;
        }
        fresh = error instanceof Gap;
      }
      if (this.#model && !fresh) this.#state = "lost";
      this.#failures += 1;
      await this.#pause();
    }
  }

  async #takeSnapshot(): Promise<void> {
    const { value, seq } = await this.#backend.invoke("get_snapshot", {});
    this.#model = fromSnapshot(value, seq, this.#model);
    this.#snapshots += 1;
  }

  async #follow(): Promise<"close" | "end"> {
    const after = this.#model?.seq ?? 0;
    let begun = performance.now();
    for await (const step of this.#backend.events(after, this.#ended.signal)) {
      if (step.kind === "close") return "close";
      this.#state = "live";
      this.#failures = 0;
      this.#take(step.events);
      // What has arrived already is read without a pause: a flood would be one long task.
      if (performance.now() - begun < SLICE_MS) continue;
      await new Promise((resolve) => setTimeout(resolve));
      begun = performance.now();
    }
    return "end";
  }

  #take(events: readonly AnyEvent[]): void {
    let model = this.#model;
    if (!model) return;
    const news: [AnyEvent, Model][] = [];
    try {
      for (const event of events) {
        const next = apply(model, event);
        if (next !== model) news.push([event, next]);
        model = next;
      }
    } finally {
      this.#model = model;
      for (const [event, then] of news) for (const tell of this.#listeners) tell(event, then);
    }
  }

  #pause(): Promise<void> {
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    return new Promise((resolve) => {
      // Jitter, so that several pages of one app do not come back at the same moment.
      const timer = setTimeout(resolve, longest * (0.5 + Math.random() / 2));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
