/** Runs tasks one after the other, in the order of their arrival. A failed task fails for its caller only. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    // The chain goes on after a failure; the caller has the rejection.
    this.last = result.catch(() => undefined);
    return result;
  }
}
