import type { ParquetAnswer, ParquetMessage, ParquetRequest } from "./parquet-table.ts";
import { readParquet } from "./parquet-rows.ts";

/**
 * Reads a Parquet file outside the page's thread. The worker has no network: the policy of its script forbids it, and it
 * asks the page for every range.
 */
let lastRequest = 0;
const waiting = new Map<number, (bytes: ArrayBuffer) => void>();
const send = (message: ParquetMessage) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<ParquetRequest | ParquetAnswer>) => {
  if ("bytes" in data) {
    waiting.get(data.request)?.(data.bytes);
    waiting.delete(data.request);
  } else void open(data);
});

async function open({ size }: ParquetRequest): Promise<void> {
  const slice = (start: number, end = size) =>
    new Promise<ArrayBuffer>((resolve) => {
      lastRequest += 1;
      waiting.set(lastRequest, resolve);
      send({ kind: "read", request: lastRequest, start, end });
    });
  try {
    send({ kind: "table", table: await readParquet({ byteLength: size, slice }) });
  } catch (error) {
    send({ kind: "problem", problem: error instanceof Error ? error.message : String(error) });
  }
}
