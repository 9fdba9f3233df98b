import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ColumnType } from "@fairway/contract/columns";
import type { ExportFormat } from "@fairway/contract/exports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchQuery } from "#query/engine.ts";
import { tableOf } from "#testing/arrow-table.ts";
import { engineCall } from "#testing/engine-call.ts";
import { type EngineBench, datasetOver, engineBench } from "./test-files.ts";

const call = engineCall();
const types = {
  n: "integer",
  open: "BOOLEAN",
  big: "integer",
  small: "integer",
  digits: "integer",
  real: "decimal",
  single: "decimal",
  money: "decimal",
  at: "TIMESTAMP_MILLS",
  flag: "BOOLEAN",
  text: "STRING",
} as const satisfies Record<string, ColumnType>;
const dataset = datasetOver("rows.parquet", types);
const csvColumns = Object.entries(types).map(([name, type]) => ({ name, type, description: "", combined: null }));
const openRows: SearchQuery = {
  timeRange: null,
  area: null,
  conditions: [{ column: "open", type: "BOOLEAN", operator: "=", value: true }],
  sort: [],
  offset: 0,
  limit: 1_000_000,
};

/** The secret of the rows that are filtered out: in every type, its bytes are letters. */
const secret = "SECRET!!";
const letters = Buffer.from(secret);
const [whole, real, single, half] = [letters.readBigInt64LE(), letters.readDoubleLE(), letters.readFloatLE(), letters.readInt32LE()];

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  const hidden = (value: string) => `case when i % 2 = 0 then ${value} end`;
  await bench.prepare(`copy (select i as n, i % 2 = 1 as open, ${hidden(`${whole}::bigint`)} as big, ${hidden(`${half}::integer`)} as small,
    ${hidden(`${whole}::decimal(38,0)`)} as digits, ${hidden(`${real}::double`)} as real, ${hidden(`${single}::float`)} as single,
    ${hidden(`('${whole}'::decimal(38,0) / 100)::decimal(38,2)`)} as money, ${hidden(`make_timestamp(${whole})`)} as "at", ${hidden("true")} as flag,
    ${hidden(`'${secret} and more'`)} as text from range(20_000) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
});
afterAll(() => bench.close());

/** Also of the halves: a value of 16 bytes may be cut anywhere. */
function expectNoSecret(bytes: Uint8Array): void {
  const found = Buffer.from(bytes);
  for (const part of [secret, secret.slice(0, 4), String(whole), String(half), String(real)]) expect(found.includes(part)).toBe(false);
}

describe("rows that are filtered out leave no value in", () => {
  async function arrowBytes(): Promise<Buffer> {
    const { chunks } = await bench.engine.searchArrow(dataset, openRows, call);
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return Buffer.concat(parts);
  }

  it("the bytes of rows as Arrow, which are the same in every answer", async () => {
    const [one, other] = [await arrowBytes(), await arrowBytes()];
    const table = tableOf(one);
    expect(table.numRows).toBe(10_000);
    for (const name of Object.keys(types).slice(2)) expect(table.getChild(name)?.nullCount).toBe(10_000);
    expectNoSecret(one);
    expect(one.equals(other)).toBe(true);
    for (const { data } of table.batches) {
      for (const { values, nullCount } of data.children.slice(2)) {
        expect(nullCount).toBeGreaterThan(0);
        const { buffer, byteOffset, byteLength } = values as Uint8Array;
        expect(new Uint8Array(buffer, byteOffset, byteLength).every((byte) => byte === 0)).toBe(true);
      }
    }
  });

  it.each(["arrow", "csv", "json", "parquet"] as const satisfies ExportFormat[])("the bytes of an export as %s", async (format) => {
    const file = path.join(bench.exportFolder, `rows.${format}`);
    expect(await bench.engine.export(dataset, openRows, { format, path: file, csvColumns, onRows: () => undefined }, call)).toBe(10_000);
    expectNoSecret(await readFile(file));
  });

  it("the text of rows as JSON", async () => {
    let text = "";
    for await (const chunk of (await bench.engine.search(dataset, openRows, call)).chunks) text += chunk;
    expect(text.length).toBeGreaterThan(100_000);
    expectNoSecret(Buffer.from(text));
  });
});
