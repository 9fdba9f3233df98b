import type { Unreadable } from "@fairway/contract/readings";
import { sql } from "kysely";
import type { UnreadablePage } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "./query-runner.ts";
import type { SourceMetadata, Understood } from "./source-metadata.ts";
import { nameOf, positionsOf } from "./text-rows.ts";
import { readAs } from "./text/text-columns.ts";
import { isLocal, withoutZone } from "./text/text-reading.ts";

/** Values that cannot be read by column, in the order of the rows. Columns whose texts are taken as they are have none. */
export async function unreadableValues(
  { textFiles }: Pick<SourceMetadata, "textFiles">,
  { columns, looked, settings }: Understood,
  pages: readonly UnreadablePage[],
  connection: QueryConnection,
): Promise<ReadonlyMap<string, Unreadable["first"]>> {
  const found: { name: string; row: number; text: string; reason?: string }[] = [];
  for (const { column: name, from, limit } of pages) {
    const decided = columns.get(name);
    if (decided === undefined || decided.type === "STRING") continue;
    const { type, reading } = decided;
    const value = sql.id(name);
    const words = settings.columns.get(name)?.missingWords ?? settings.missingWords;
    const isMissing =
      words.length === 0 ? sql`false` : sql`lower(trim(${value})) in (${sql.join(words.map((word) => sql.lit(word.toLowerCase())))})`;
    const isSkipped = isLocal(reading) ? sql`${readAs(type, value, withoutZone(reading)).value} is not null` : sql`false`;
    const rows = await connection.rows(
      compileRaw(sql`
        select cast(position as varchar), left(v, 200), cast(skipped as varchar) from (
          select trim(${value}) <> '' and ${readAs(type, value, { ...reading, missingNumbers: [] }).value} is null and not ${isMissing} as bad,
            ${value} as v, ${isSkipped} as skipped, row_number() over () - 1 as position from ${looked}) as numbered
        where bad order by position limit ${sql.lit(limit)} offset ${sql.lit(from)}`),
    );
    const reason = `clocks in ${reading.time.zone} skip this time`;
    for (const [row, text, skipped] of rows)
      found.push({ name, row: Number(row), text: String(text), ...(skipped === "true" ? { reason } : {}) });
  }
  const positions = await positionsOf(
    found.map(({ row }) => row),
    textFiles,
    connection,
  );
  const values = new Map<string, Unreadable["first"]>(pages.map(({ column }) => [column, []]));
  for (const { name, row, ...value } of found) {
    const position = positions.get(row);
    const file = textFiles.length > 1 && position !== undefined ? { file: nameOf(position.file) } : {};
    values.get(name)?.push({ ...file, line: position?.line ?? null, ...value });
  }
  return values;
}
