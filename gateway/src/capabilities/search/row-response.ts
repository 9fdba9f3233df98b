import type { IncomingHttpHeaders } from "node:http";
import { arrowStream } from "@fairway/contract/search";
import Negotiator from "negotiator";
import type { StreamedAnswer } from "#http/handlers.ts";
import type { RowStream } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";

export type RowFormat = "json" | "arrow";

/** The format that the caller prefers; JSON unless it names Arrow. */
export const rowFormatOf = (headers: Readonly<IncomingHttpHeaders>): RowFormat =>
  new Negotiator({ headers }).mediaType(["application/json", arrowStream]) === arrowStream ? "arrow" : "json";

/** Streams rows as Arrow while keeping the engine open. */
export function streamArrow({ keepOpen }: SearchableDataset, rows: RowStream<Uint8Array>): StreamedAnswer {
  keepOpen(rows.hasMore);
  return { contentType: arrowStream, chunks: rows.chunks };
}

/** Streams rows as a JSON response while keeping the engine open. `mayBeCut`: report `truncated` if there are more rows. */
export function streamRows({ keepOpen, dataVersion }: SearchableDataset, rows: RowStream, mayBeCut: boolean): StreamedAnswer {
  keepOpen(rows.hasMore);
  return { contentType: "application/json; charset=utf-8", chunks: responseText(rows, mayBeCut, dataVersion) };
}

async function* responseText(rows: RowStream, mayBeCut: boolean, dataVersion: number | undefined): AsyncGenerator<string> {
  let prefix = '{"results":[';
  for await (const chunk of rows.chunks) {
    yield prefix + chunk;
    prefix = "";
  }
  const version = dataVersion === undefined ? "" : `,"dataVersion":${dataVersion}`;
  yield `${prefix}]${mayBeCut && (await rows.hasMore) ? ',"truncated":true' : ""}${version}}`;
}
