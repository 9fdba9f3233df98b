import type { StreamedAnswer } from "#http/handlers.ts";
import type { RowStream } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";

/** Streams rows as a JSON response while keeping the engine open. `mayBeCut`: report `truncated` if there are more rows. */
export function streamRows({ keepOpen }: SearchableDataset, rows: RowStream, mayBeCut: boolean): StreamedAnswer {
  keepOpen(rows.hasMore);
  return { contentType: "application/json; charset=utf-8", chunks: responseText(rows, mayBeCut) };
}

async function* responseText(rows: RowStream, mayBeCut: boolean): AsyncGenerator<string> {
  let prefix = '{"results":[';
  for await (const chunk of rows.chunks) {
    yield prefix + chunk;
    prefix = "";
  }
  yield `${prefix}]${mayBeCut && (await rows.hasMore) ? ',"truncated":true' : ""}}`;
}
