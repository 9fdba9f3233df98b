import { sql } from "kysely";
import { expect, it } from "vitest";
import { prestoDialect } from "#query/presto/dialect.ts";
import type { SqlColumn, SqlTable } from "./table.ts";
import { compileTracks } from "./tracks.ts";

const columns: SqlColumn[] = [
  { name: "ship", type: "STRING", storage: { kind: "text" } },
  { name: "at", type: "TIMESTAMP_MILLS", storage: { kind: "integer", narrow: true } },
  { name: "lat", type: "decimal", storage: { kind: "floating", single: false, finite: true } },
  { name: "lng", type: "decimal", storage: { kind: "floating", single: false, finite: true } },
];
const table: SqlTable = {
  from: sql`source`,
  columns: new Map(columns.map((column) => [column.name, column])),
  orderBy: [],
  storedOrder: null,
  numbered: { from: sql`source`, position: [], isFileOrder: true },
};
const request = {
  item: "ship",
  time: "at",
  location: { latitude: "lat", longitude: "lng" },
  points: 1_000,
  perTrack: { min: 20, max: 500 },
};

it("groups rows by item and part, without values and a view, and reads no other column", () => {
  const where = `where "at" is not null and "lat" is not null and "lng" is not null and "ship" is not null`;
  const east = "min_by(lng, placed.instant)";
  const { sql: text, parameters } = compileTracks(table, request, { timeRange: null, area: null, conditions: [] }, prestoDialect("trino"));
  expect([text.replaceAll(/\s+/g, " "), parameters]).toEqual([
    [
      `select "ship", "at", "lat", "lng" from (select placed.item as "ship", min(placed.instant) as "at", min_by(lat, placed.instant) as "lat",`,
      `case when ${east} > 180 and ${east} <= 360 then round(${east} - 360, 9) else ${east} end as "lng"`,
      `from (select "ship" as item, "at" as instant, cast("at" as double) as moment, "lat" as lat, "lng" as lng from source ${where}) as placed`,
      `join (select item, first_at, last_at, least(500, greatest(20, floor(1000 / cast(count(*) over () as double)))) as parts from`,
      `(select * from (select "ship" as item, min(cast("at" as double)) as first_at, max(cast("at" as double)) as last_at from source ${where} group by 1) as ends`,
      `order by last_at desc, item limit 50) as newest) as spans on placed.item = spans.item`,
      `group by placed.item, case when last_at > first_at then floor((moment - first_at) / (last_at - first_at) * parts) else 0 end) as tracks limit 1051`,
    ].join(" "),
    [],
  ]);
});
