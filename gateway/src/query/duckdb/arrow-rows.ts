import bindings from "@duckdb/node-bindings";
import { type ArrowPart, IpcStream } from "#query/arrow/ipc-stream.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import { arrowColumn } from "./arrow-columns.ts";
import type { StreamedResult } from "./query-runner.ts";

/** A batch has at least as many rows or bytes, unless it is the last one. Batches are whole chunks of DuckDB. */
const [batchRows, batchBytes] = [32_768, 4_000_000];

/** DuckDB's chunks as an Arrow IPC stream of up to `limit` rows. Calls `onCut` if there were more. */
export async function* arrowRows(
  { typeIds, chunks }: StreamedResult,
  columns: readonly SqlColumn[],
  limit: number,
  onCut: () => void,
): AsyncGenerator<ArrowPart> {
  const readers = columns.map((column, index) => {
    const typeId = typeIds[index];
    if (typeId === undefined) throw new Error("a result has fewer columns than were selected");
    return arrowColumn(column, typeId);
  });
  const stream = new IpcStream(readers.map(({ field }) => field));
  let [sent, collected] = [0, 0];
  const batch = (hasMore = false): ArrowPart => {
    const part = stream.batch(
      readers.map((reader) => reader.take()),
      collected,
      hasMore,
    );
    sent += collected;
    collected = 0;
    return part;
  };
  for await (const chunk of chunks) {
    const rows = Math.min(chunk.rowCount, limit - sent - collected);
    for (const [index, reader] of readers.entries()) reader.append(bindings.data_chunk_get_vector(chunk.chunk, index), rows);
    collected += rows;
    if (rows < chunk.rowCount) {
      onCut();
      yield batch(true);
      break;
    }
    if (collected >= batchRows || readers.reduce((bytes, { byteLength }) => bytes + byteLength, 0) >= batchBytes) yield batch();
  }
  if (collected > 0) yield batch();
  yield stream.end();
}
