import type { ColumnType } from "@fairway/contract/columns";
import type { DatasetStatistics, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { engineCall } from "./engine-call.ts";
import { type EngineBench, datasetOver, engineBench } from "../query/duckdb/test-files.ts";

export const call = engineCall();

export const types = {
  id: "integer",
  name: "STRING",
  flag: "BOOLEAN",
  small: "integer",
  big: "integer",
  huge: "integer",
  real: "decimal",
  wide: "decimal",
  price: "decimal",
  at: "TIMESTAMP_MILLS",
  'odd "name" $1': "TIMESTAMP_SECONDS",
  "whole.seconds": "TIMESTAMP_SECONDS",
  same: "decimal",
  none: "decimal",
  uuid: "STRING",
  list: "STRING",
} as const satisfies Record<string, ColumnType>;

export const few = datasetOver("few.parquet", types, { temporalField: "at" });

export const many = datasetOver(
  "many.parquet",
  {
    ...Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`c${index}`, "integer" as const])),
    key: "STRING",
    skewed: "STRING",
    n: "integer",
    x: "decimal",
    at: "TIMESTAMP_MILLS",
    lat: "decimal",
    lng: "decimal",
  },
  { temporalField: "at", location: { latitude: "lat", longitude: "lng" } },
);

export const opened = {} as { bench: EngineBench };

export async function openProfiles(): Promise<void> {
  opened.bench = await engineBench();
  await opened.bench.prepare(`copy (
    select i as id, case when i % 7 > 0 then ['Ärger', 'beta', 'Beta Blocker', '<b>50%_</b>', ''][1 + i % 5] end as name,
      case when i % 7 > 0 then i % 3 = 0 end as flag, (i % 3)::integer as small, 9007199254740991 + i as big,
      (170141183460469231731687303715884104000 + i)::hugeint as huge,
      case when i % 11 = 0 then 'nan'::double when i % 11 = 1 then 'inf'::double else sin(i) * 1000 end as real,
      case when i % 2 = 0 then 1.7e308 else -1.7e308 end as wide,
      (i % 50)::decimal(9, 2) / 4 as price, timestamp '1969-12-31 12:00:00.250' + to_seconds(i * i) as at,
      case when i % 10 > 0 then timestamp '1969-06-01' + to_hours(i::integer) end as "odd ""name"" $1", (i * 60 - 9999)::bigint as "whole.seconds",
      4.5::double as same, null::double as none, uuid() as uuid, [i % 4] as list
    from range(1000) t(i)) to 'FOLDER/few.parquet' (format parquet)`);
  const columns = Array.from({ length: 61 }, (_, index) => `i % ${index + 1} as c${index}`).join(", ");
  await opened.bench.prepare(`copy (
    select ${columns}, 'key ' || i as key, case when i % 3 = 0 then 'often' when i % 10 = 1 then repeat('long ', 500) else 'v' || (i % 7000) end as skewed, i as n, i / 7.0::double as x,
      case when i = 17 then 'infinity'::timestamp else timestamp '2001-01-01' + to_minutes((i * 37)::integer) end as at,
      case when i % 100 = 0 then 1e9 else i / 1000.0 end as lat, -120.123::double as lng
    from range(20000) t(i)) to 'FOLDER/many.parquet' (format parquet)`);
}

export const profileOf = (dataset: QueryableDataset, conditions: SearchQuery["conditions"] = []): Promise<DatasetStatistics> =>
  opened.bench.engine.profileDataset(dataset, { conditions, timeoutMs: 60_000 }, call);
