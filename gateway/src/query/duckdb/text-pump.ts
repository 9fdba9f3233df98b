/** Characters that may wait for a slow reader before the writer has to. */
const roomForCharacters = 16_000_000;

/**
 * Carries texts from a query to whoever reads them. The query runs ahead of a slow reader, so that its slot is free
 * again soon; past the room it waits.
 */
export class TextPump implements AsyncIterable<string> {
  readonly #signal: AbortSignal;
  readonly #texts: string[] = [];
  #waitingCharacters = 0;
  #ended: { readonly error?: unknown } | undefined;
  #readerLeft = false;
  readonly #onAbort = () => this.#tell();
  #wake: () => void = () => {};
  #changed = new Promise<void>((resolve) => (this.#wake = resolve));

  /** `signal` frees a writer who waits for room. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Resolves once there is room for more. False: nobody reads any more. */
  async push(text: string): Promise<boolean> {
    this.#texts.push(text);
    this.#waitingCharacters += text.length;
    this.#tell();
    while (this.#waitingCharacters > roomForCharacters && !this.#stopped) await this.#changed;
    return !this.#stopped;
  }

  end(): void {
    this.#finish({});
  }

  fail(error: unknown): void {
    this.#finish({ error });
  }

  /** Resolves when the first text is there or there is none; rejects with the failure that came before it. */
  async started(): Promise<void> {
    while (this.#texts.length === 0 && this.#ended === undefined) await this.#changed;
    if (this.#texts.length === 0 && this.#ended?.error !== undefined) throw this.#ended.error;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    try {
      for (;;) {
        const text = this.#texts.shift();
        if (text !== undefined) {
          this.#waitingCharacters -= text.length;
          this.#tell();
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
      this.#tell();
    }
  }

  #finish(ended: { readonly error?: unknown }): void {
    this.#ended ??= ended;
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#tell();
  }

  get #stopped(): boolean {
    return this.#readerLeft || this.#signal.aborted;
  }

  #tell(): void {
    const wake = this.#wake;
    this.#changed = new Promise<void>((resolve) => (this.#wake = resolve));
    wake();
  }
}
