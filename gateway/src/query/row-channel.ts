/** Characters or bytes to buffer for a slow reader before the writer has to wait. */
const maxBuffered = 16_000_000;

/**
 * Passes chunks of rows, as texts or bytes, from a query to a reader. The query runs ahead of a slow reader to release its slot early, and waits once the
 * buffer is full.
 */
export class RowChannel<Chunk extends string | Uint8Array = string> implements AsyncIterable<Chunk> {
  readonly #signal: AbortSignal;
  readonly #chunks: Chunk[] = [];
  #buffered = 0;
  #ended: { readonly error?: unknown } | undefined;
  #readerLeft = false;
  #isUsed = false;
  readonly #onAbort = () => this.#notify();
  #wake: () => void = () => {};
  #changed = new Promise<void>((resolve) => (this.#wake = resolve));

  /** Aborting `signal` releases a writer that waits for space. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Resolves once there is space for more, to false if the reader has stopped. */
  async push(chunk: Chunk): Promise<boolean> {
    this.#isUsed = true;
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    this.#notify();
    while (this.#buffered > maxBuffered && !this.#stopped) await this.#changed;
    return !this.#stopped;
  }

  /** Whether any chunk has been pushed. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  end(): void {
    this.#finish({});
  }

  fail(error: unknown): void {
    this.#finish({ error });
  }

  /** Resolves once the first chunk is available or the channel has ended; rejects if it failed before the first chunk. */
  async started(): Promise<void> {
    while (this.#chunks.length === 0 && this.#ended === undefined) await this.#changed;
    if (this.#chunks.length === 0 && this.#ended?.error !== undefined) throw this.#ended.error;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Chunk> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) {
          this.#buffered -= chunk.length;
          this.#notify();
          yield chunk;
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
