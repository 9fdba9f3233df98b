import type { FileHandle } from "node:fs/promises";
import type { FileKey } from "./key.ts";
import { FileTooLarge } from "./storage.ts";

/** Written at once. While one batch is being written the next one is collected, so twice as much is in memory. */
const batchBytes = 1_048_576;
/** The disk starts on so much while the rest still arrives, which leaves little to wait for at the end. */
const syncedBytes = 33_554_432;

/**
 * Writes the content to a new file, and resolves when it is on disk. Nothing is being written any more once it settles. Rejects
 * with FileTooLarge, and with errors of the content. `sync: false`: the file need not survive a crash.
 */
export async function writeContent(
  handle: FileHandle,
  key: FileKey,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  { sync = true }: { sync?: boolean } = {},
): Promise<void> {
  const writer = new BatchWriter(handle);
  try {
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new FileTooLarge(key, maxBytes);
      await writer.add(chunk);
    }
    await writer.flush();
  } finally {
    await writer.settled();
  }
  if (sync) await handle.sync();
}

/** Writes chunks in batches, one at a time. */
class BatchWriter {
  readonly #handle: FileHandle;
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #unsyncedBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();
  #isSyncing = false;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Rejects with the failure of an earlier batch. */
  async add(chunk: Uint8Array): Promise<void> {
    this.#batch.push(chunk);
    this.#batchBytes += chunk.byteLength;
    if (this.#batchBytes >= batchBytes) await this.#next();
  }

  async flush(): Promise<void> {
    await this.#next();
    await this.#writing;
    await this.#syncing;
  }

  /** Resolves when nothing is running any more, even after a failure. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#syncing]);
  }

  async #next(): Promise<void> {
    await this.#writing;
    const [batch, bytes] = [this.#batch, this.#batchBytes];
    this.#batch = [];
    this.#batchBytes = 0;
    if (bytes === 0) return;
    this.#writing = writeAll(this.#handle, batch, bytes);
    // Reported by the next call.
    this.#writing.catch(() => undefined);
    this.#unsyncedBytes += bytes;
    if (this.#unsyncedBytes >= syncedBytes && !this.#isSyncing) await this.#startSync();
  }

  async #startSync(): Promise<void> {
    // The system reports a failure of the disk only once, so an earlier one must not be lost.
    await this.#syncing;
    this.#unsyncedBytes = 0;
    this.#isSyncing = true;
    this.#syncing = this.#handle.datasync().finally(() => (this.#isSyncing = false));
    this.#syncing.catch(() => undefined);
  }
}

async function writeAll(handle: FileHandle, batch: readonly Uint8Array[], bytes: number): Promise<void> {
  const { bytesWritten } = await handle.writev(batch);
  if (bytesWritten === bytes) return;
  const all = Buffer.concat(batch);
  for (let written = bytesWritten; written < bytes;) {
    written += (await handle.write(all, written, bytes - written)).bytesWritten;
  }
}
