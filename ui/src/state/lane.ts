/** Runs one after the other what is given to it: the window's bridge may let a later call overtake. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(step: () => Promise<T>): Promise<T> {
    const next = this.#last.then(step, step);
    this.#last = next.catch(() => undefined);
    return next;
  }
}
