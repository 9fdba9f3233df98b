/** Characters to buffer for a slow reader before the writer has to wait. */
const maxBufferedCharacters = 16_000_000;

/**
 * Passes texts from a query to a reader. The query runs ahead of a slow reader to release its slot early, and waits once the
 * buffer is full.
 */
export class TextChannel implements AsyncIterable<string> {
  readonly #signal: AbortSignal;
  readonly #texts: string[] = [];
  #bufferedCharacters = 0;
  #ended: { readonly error?: unknown } | undefined;
  #readerLeft = false;
  readonly #onAbort = () => this.#notify();
  #wake: () => void = () => {};
  #changed = new Promise<void>((resolve) => (this.#wake = resolve));

  /** Aborting `signal` releases a writer that waits for space. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Resolves once there is space for more, to false if the reader has stopped. */
  async push(text: string): Promise<boolean> {
    this.#texts.push(text);
    this.#bufferedCharacters += text.length;
    this.#notify();
    while (this.#bufferedCharacters > maxBufferedCharacters && !this.#stopped) await this.#changed;
    return !this.#stopped;
  }

  end(): void {
    this.#finish({});
  }

  fail(error: unknown): void {
    this.#finish({ error });
  }

  /** Resolves once the first text is available or the channel has ended; rejects if it failed before the first text. */
  async started(): Promise<void> {
    while (this.#texts.length === 0 && this.#ended === undefined) await this.#changed;
    if (this.#texts.length === 0 && this.#ended?.error !== undefined) throw this.#ended.error;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    try {
      for (;;) {
        const text = this.#texts.shift();
        if (text !== undefined) {
          this.#bufferedCharacters -= text.length;
          this.#notify();
          yield text;
        } else if (this.#ended !== undefined) {
          if (this.#ended.error !== undefined) throw this.#ended.error;
          return;
        } else {
          await this.#changed;
        }
      }
    } finally {
      this.#readerLeft = true;
      this.#notify();
    }
  }

  #finish(ended: { readonly error?: unknown }): void {
    this.#ended ??= ended;
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#notify();
  }

  get #stopped(): boolean {
    return this.#readerLeft || this.#signal.aborted;
  }

  #notify(): void {
    const wake = this.#wake;
    this.#changed = new Promise<void>((resolve) => (this.#wake = resolve));
    wake();
  }
}
