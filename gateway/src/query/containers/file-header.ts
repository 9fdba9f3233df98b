import { createHash } from "node:crypto";
import type { DataFileFormat } from "@fairway/contract/data-file-formats";
import { detectDialect } from "#query/duckdb/text/csv-dialect.ts";
import { JsonDocument } from "#query/duckdb/text/json-document.ts";
import { parseObject } from "#query/duckdb/text/json-rows.ts";
import { headOf } from "#query/duckdb/text/text-bytes.ts";

/**
 * Names of columns as far as the first bytes of a file tell them: equal ones may be parts of one dataset. A text without a header is
 * known by its number of columns, and a file that tells nothing by its bytes.
 */
export async function headerOf(format: DataFileFormat, bytes: Uint8Array): Promise<string> {
  const own = createHash("sha256").update(bytes).digest("hex");
  switch (format) {
    case "csv":
    case "tsv": {
      const lines = (await textOf(bytes)).split(/\r\n|\r|\n/);
      const dialect = detectDialect(lines.length > 1 ? lines.slice(0, -1) : lines);
      return dialect === undefined ? own : JSON.stringify([dialect.headerLine === null, dialect.names]);
    }
    case "json":
    case "json-lines":
    case "geojson": {
      const keys = firstKeys(await textOf(bytes), format === "json-lines");
      return keys === undefined ? own : JSON.stringify(keys);
    }
    case "parquet":
    case "xlsx":
    case "zip":
    case "gzip":
      return own;
    default:
      return format satisfies never;
  }
}

async function textOf(bytes: Uint8Array): Promise<string> {
  async function* parts() {
    yield Buffer.from(bytes);
  }
  const head = await headOf(parts, { encoding: null, maxBytes: bytes.length });
  return head.bytes.toString("utf8");
}

/** Keys of the first object, in order of the alphabet, with the path of its list; undefined if it is longer than the text. */
function firstKeys(text: string, isLines: boolean): unknown {
  if (isLines) {
    const [first = ""] = text.replaceAll("\u001e", "").split("\n");
    return keysOf(first);
  }
  for (const path of pathsIn(text)) {
    for (const element of new JsonDocument(path).push(text)) {
      const keys = element.path === path && element.isObject ? keysOf(element.text) : undefined;
      if (keys !== undefined) return [path, keys];
    }
  }
  return undefined;
}

function pathsIn(text: string): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { path, isObject } of new JsonDocument(null).push(text)) if (isObject) paths.add(path);
  return paths;
}

function keysOf(text: string): readonly string[] | undefined {
  const parsed = parseObject(text);
  return typeof parsed === "string" ? undefined : [...parsed.cells.keys()].toSorted();
}
