import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import type { Client, Connection, Submittable } from "pg";

/** Methods of the driver's connection that its types do not declare. */
interface CopyConnection extends Connection {
  query(statement: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Runs `copy … to stdout` and streams what the server sends, no faster than it is read. After a failure, end the client. */
export function copyOut(client: Client, statement: string): Readable {
  return client.query(new CopyOut(statement)).received;
}

class CopyOut implements Submittable {
  readonly received = new PassThrough();
  readonly #statement: string;
  #connection: CopyConnection | undefined;

  constructor(statement: string) {
    this.#statement = statement;
  }

  submit(connection: Connection): void {
    this.#connection = connection as CopyConnection;
    this.#connection.query(this.#statement);
  }

  handleCopyData({ chunk }: { chunk: Uint8Array }): void {
    // The driver reuses the memory of its chunks.
    if (this.received.write(Buffer.from(chunk))) return;
    const stream = this.#connection?.stream;
    stream?.pause();
    this.received.once("drain", () => stream?.resume());
  }

  handleError(error: Error): void {
    this.received.destroy(error);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    // There is no drain after the end: the connection would stay paused for the next statement.
    this.#connection?.stream.resume();
    this.received.end();
  }
}

/** Runs `copy … from stdin` with this content. Rejects with the server's or the source's failure. */
export function copyIn(client: Client, statement: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  return new Promise((resolve, reject) => void client.query(new CopyIn(statement, source, resolve, reject)));
}

class CopyIn implements Submittable {
  readonly #statement: string;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  readonly #failed = new AbortController();

  constructor(statement: string, source: AsyncIterable<Uint8Array>, resolve: () => void, reject: (error: unknown) => void) {
    this.#statement = statement;
    this.#source = source;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    (connection as CopyConnection).query(this.#statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).catch((error: unknown) => {
      this.#reject(error);
      connection.sendCopyFail("the source failed");
    });
  }

  async #send(connection: CopyConnection): Promise<void> {
    const { signal } = this.#failed;
    for await (const chunk of this.#source) {
      if (signal.aborted) return;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await once(connection.stream, "drain", { signal }).catch(() => undefined);
    }
    if (!signal.aborted) connection.endCopyFrom();
  }

  handleError(error: Error): void {
    this.#failed.abort();
    this.#reject(error);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve();
  }
}
