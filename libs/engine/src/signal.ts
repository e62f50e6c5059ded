/** A flag that one loop waits for and many set: setting it twice before the loop looks is once. */
export class Signal {
  #set = false;
  #wake: (() => void) | null = null;

  raise(): void {
    this.#set = true;
    this.#wake?.();
    this.#wake = null;
  }

  /** Resolves at once if it was raised since the last wait, else when it is. */
  async wait(): Promise<void> {
    if (!this.#set) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#set = false;
  }
}
