import { formatList } from "@fairway/contract/counts";
import { sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "./query-runner.ts";
import type { SourceMetadata } from "./source-metadata.ts";

/** Of typed files, so many rows are looked at. */
const lookedRows = 200_000;

/** Columns of typed files whose times have more digits than the portal shows, as their type alone does not say. */
export async function fineTimeNotes({ format, columns, from }: SourceMetadata, connection: QueryConnection): Promise<string[]> {
  const times = [...columns].filter(([, type]) => type.startsWith("TIMESTAMP") && type !== "TIMESTAMP_S" && type !== "TIMESTAMP_MS");
  if (format !== "parquet" || times.length === 0) return [];
  const isFine = times.map(([name, type]) => {
    const time = sql.id(name);
    const rest = type === "TIMESTAMP_NS" ? sql`epoch_ns(${time}) % 1000000` : sql`epoch_us(${time}) % 1000`;
    return sql`coalesce(bool_or(isfinite(${time}) and ${rest} <> 0), false)`;
  });
  const names = sql.join(times.map(([name]) => sql.id(name)));
  const [row = []] = await connection.rows(
    compileRaw(sql`select ${sql.join(isFine)} from (select ${names} from ${from} limit ${sql.lit(lookedRows)}) as looked`),
  );
  const fine = times.flatMap(([name], index) => (row[index] === true ? [`'${name}'`] : []));
  return fine.length === 0 ? [] : [`Times of ${formatList(fine)} have more than milliseconds, which tables and filters leave out.`];
}
