import type { AppInfo, Settings as Values } from "../contract/generated";
import type { Notices } from "./notices.svelte";
import type { Sync } from "./sync.svelte";

/** What the person set, and what the app says of itself. */
export class Settings {
  readonly #sync: Sync;
  readonly #notices: Notices;
  readonly #app = $derived.by(() => this.#sync.model?.app);

  constructor(sync: Sync, notices: Notices) {
    this.#sync = sync;
    this.#notices = notices;
  }

  get app(): AppInfo | undefined {
    return this.#app;
  }

  /** Change settings: only the given ones. */
  async set(values: Partial<Values>): Promise<void> {
    await this.#notices.attempt(this.#sync.invoke("set_settings", { settings: { ...values } }));
  }

  /** Open a web or mail link in the system's browser: the page itself never navigates. */
  async openExternal(url: string): Promise<void> {
    await this.#notices.attempt(this.#sync.invoke("open_external", { url }));
  }
}
