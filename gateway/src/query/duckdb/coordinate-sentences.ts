import { isNumeric } from "@fairway/contract/columns";
import { latitudeName, longitudeName } from "@fairway/contract/coordinate-names";
import { formatCount, plural, pluralize } from "@fairway/contract/counts";
import { type RawBuilder, sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "./query-runner.ts";
import type { Understood } from "./source-metadata.ts";
import { type TextFile, positionsOf } from "./text-rows.ts";
import { readAs } from "./text/text-columns.ts";

/** Coordinates that are out of range, and longitudes that go on beyond 180. */
export async function coordinateSentences(
  { columns, looked }: Understood,
  textFiles: readonly TextFile[],
  connection: QueryConnection,
): Promise<string[]> {
  const sentences: string[] = [];
  for (const [name, { type, range, reading }] of columns) {
    if (!isNumeric(type) || range === null) continue;
    const isLongitude = longitudeName.test(name);
    if (!isLongitude && !latitudeName.test(name)) continue;
    const [low, high] = isLongitude ? [-180, 360] : [-90, 90];
    if (range.from < low || range.to > high)
      sentences.push(
        await outsideSentence(name, readAs("decimal", sql.id(name), reading).value, [low, high], looked, textFiles, connection),
      );
    else if (isLongitude && range.to > 180 && range.from >= 0)
      sentences.push(`Longitudes of '${name}' go from 0 to 360: the column keeps them, and maps take 360 less from those above 180.`);
  }
  return sentences;
}

async function outsideSentence(
  name: string,
  value: RawBuilder<unknown>,
  [low, high]: readonly [number, number],
  looked: RawBuilder<unknown>,
  textFiles: readonly TextFile[],
  connection: QueryConnection,
): Promise<string> {
  const [row = []] = await connection.rows(
    compileRaw(sql`
      select cast(count(*) as varchar), cast(min(position) as varchar), arg_min(text, position) from (
        select ${value} as number, ${sql.id(name)} as text, row_number() over () - 1 as position from ${looked}) as numbered
      where number < ${sql.lit(low)} or number > ${sql.lit(high)}`),
  );
  const [count, first] = [Number(row[0]), Number(row[1])];
  const line = (await positionsOf([first], textFiles, connection)).get(first)?.line;
  const where = line == null ? "" : ` (line ${formatCount(line)}: '${String(row[2])}')`;
  return `${pluralize(count, "value")} of '${name}' ${plural(count, "is", "are")} outside of ${low} to ${high}${where} and no valid position.`;
}
