import type { PreviewReading } from "@fairway/contract/readings";
import { detectDialect } from "#query/duckdb/text/csv-dialect.ts";
import { encodingLabels } from "#query/duckdb/text/encoding-labels.ts";
import { headOf } from "#query/duckdb/text/text-bytes.ts";
import { linesIn } from "#query/duckdb/text/text-lines.ts";

/** Previews show the beginning; text far below may prove another encoding, but reading all of a large file would take too long. */
const lookedBytes = 16_000_000;

/** How a file is decoded and split, by the rules of datasets. `open` may be called several times. */
export async function previewReading(name: string, open: () => AsyncIterable<Buffer>): Promise<PreviewReading> {
  const head = await headOf(open, { maxBytes: lookedBytes });
  const { encoding, state, hasByteOrderMark, notUtf8 } = head;
  const lines = (await linesIn(head.bytes)).map(({ text }) => text);
  const isCsv = /\.(?:csv|tsv|tab|txt)$/i.test(name);
  const dialect = isCsv ? detectDialect(head.isComplete ? lines : lines.slice(0, Math.max(1, lines.length - 1))) : undefined;
  const sentence =
    encoding === "utf-8"
      ? notUtf8 === null
        ? null
        : "Some lines are not UTF-8 and are read as Windows-1252."
      : hasByteOrderMark
        ? null
        : `The file is read as ${encodingLabels[encoding]}.`;
  return {
    encoding,
    encodingState: state,
    sentence,
    delimiter: dialect === undefined || dialect.names.length === 1 ? null : dialect.delimiter,
    quote: dialect?.quote ?? null,
    headerLine: dialect?.headerLine ?? null,
    skipLines: dialect?.skipLines ?? 0,
  };
}
