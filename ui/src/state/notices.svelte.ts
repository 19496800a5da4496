import { SidekicksError } from "../backend/errors";

export interface Notice {
  readonly id: number;
  readonly message: string;
}

/** What could not be done, in a sentence, until the person has put it away. */
export class Notices {
  #all = $state.raw<readonly Notice[]>([]);
  #next = 0;

  get all(): readonly Notice[] {
    return this.#all;
  }

  show(message: string): void {
    // The same sentence once: ten tries against an app that is gone are one notice.
    const others = this.#all.filter((one) => one.message !== message);
    this.#all = [...others, { id: this.#next++, message }];
  }

  dismiss(id: number): void {
    this.#all = this.#all.filter((one) => one.id !== id);
  }

  /** The value, or undefined after the refusal was shown. */
  async attempt<T>(promise: Promise<T>): Promise<T | undefined> {
    try {
      return await promise;
    } catch (error) {
      if (!(error instanceof SidekicksError)) throw error;
      this.show(error.message);
      return undefined;
    }
  }
}
