import type { StreamedAnswer } from "#http/handlers.ts";
import type { RowStream } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";

/** Rows as they come from the engine, which stays open for them, between the answer's brackets. */
export function answerOf({ keepOpen }: SearchableDataset, rows: RowStream, mayBeCut: boolean): StreamedAnswer {
  keepOpen(rows.hasMore);
  return { contentType: "application/json; charset=utf-8", chunks: answerText(rows, mayBeCut) };
}

async function* answerText(rows: RowStream, mayBeCut: boolean): AsyncGenerator<string> {
  let opening = '{"results":[';
  for await (const chunk of rows.chunks) {
    yield opening + chunk;
    opening = "";
  }
  yield `${opening}]${mayBeCut && (await rows.hasMore) ? ',"truncated":true' : ""}}`;
}
