import type { Column } from "@fairway/contract/columns";
import type { DatasetAccess } from "@fairway/contract/dataset-access";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { buildColumn, buildDataset, buildFilterSupport } from "./dataset-app.ts";
import type { NamedDataset } from "./rights-cases.ts";
import { canary } from "./twins-cases.ts";

const place: Column = buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } });
const shown = [
  buildColumn("id", "integer"),
  buildColumn("name", "STRING"),
  buildColumn("region", "STRING"),
  buildColumn("at", "TIMESTAMP_MILLS"),
  buildColumn("lat", "decimal"),
  buildColumn("lng", "decimal"),
  buildColumn("size", "integer"),
  place,
  buildColumn("double", "integer", { computed: { expression: "size * 2" } }),
  buildColumn("north", "decimal", { computed: { expression: "lat + 90" } }),
];
const withheld = [
  buildColumn(canary, "STRING", { description: `The ${canary} of the ward.` }),
  buildColumn("loud", "STRING", { computed: { expression: `upper(${canary})` } }),
  buildColumn("amount", "integer"),
];

const access: DatasetAccess = {
  rules: [
    {
      name: "Region",
      grants: [
        { roles: ["north"], rows: { filters: [{ name: "region", operator: "=", value: "north" }] } },
        { roles: ["audit"], rows: "all" },
      ],
    },
  ],
  columns: [
    { names: [canary, "amount"], roles: ["hr"], others: "withheld" },
    { names: ["lat", "lng"], roles: ["ranger"], others: { step: 0.5 } },
  ],
};

/** Roles of the readers: ada gets the rows of the north, max none, and eve everything. */
export const twinsAccounts = { ada: ["north", "schema-edit"], max: [], eve: ["audit", "hr", "ranger"] } as const;
export const twinsReaders = ["ada", "max"] as const;
export type TwinsReader = (typeof twinsReaders)[number];

const ref = (datasetId: string): NamedDataset => ({ datasetCategory: "wards", datasetId, id: "0" });
export const ruled = ref("ward-a");
/** The same data as each reader has it, without rules. */
export const twins: Readonly<Record<TwinsReader, NamedDataset>> = { ada: ref("ward-b"), max: ref("ward-c") };

/** Rows of a stored dataset, newest first. */
export interface TwinsRows {
  /** A SELECT that DuckDB, Trino and Presto read. */
  readonly select: string;
  readonly isEmpty: boolean;
}

type Store = (name: string, rows: TwinsRows) => Promise<InternalDataset["source"]>;

/** The dataset with rules and its twins, each with data of its own. */
export async function twinsDatasets(store: Store): Promise<InternalDataset[]> {
  const all = rows();
  const cut = all.filter(({ region }) => region === "north").map(coarse);
  const build = (id: string, source: InternalDataset["source"], more: Partial<InternalDataset> = {}) =>
    buildDataset({
      category: "wards",
      id,
      source,
      schema: { columns: shown },
      temporalField: "at",
      locationField: "place",
      mapSupport: { groupItemField: "name", itemLocationField: "place", itemTemporalField: "at" },
      titleField: "name",
      filterSupport: buildFilterSupport({ supportsTimeRange: true, supportsGeospatial: true }),
      ...more,
    });
  return [
    build(ruled.datasetId, await store(ruled.datasetId, asSelect(all, everyColumn)), {
      schema: { columns: [...shown, ...withheld] },
      access,
      subtitleField: canary,
      orderBy: null,
    }),
    build(twins.ada.datasetId, await store(twins.ada.datasetId, asSelect(cut, shownColumns))),
    build(twins.max.datasetId, await store(twins.max.datasetId, asSelect([], shownColumns))),
  ];
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly region: string | null;
  readonly atMs: number;
  readonly lat: number;
  readonly lng: number;
  readonly size: bigint;
}

/** Rows that ada does not see have values which would overflow. */
const rows = (): Row[] =>
  Array.from({ length: 300 }, (_, id): Row => {
    const isNorth = id % 3 === 0;
    return {
      id,
      name: `n${id % 7}`,
      region: isNorth ? "north" : id % 3 === 1 ? "south" : null,
      atMs: Date.UTC(2024, 0, 1) + id * 5 * 3_600_000,
      lat: ((id * 37) % 1_700) / 10 - 85,
      lng: ((id * 91) % 3_600) / 10 - 180,
      size: isNorth ? BigInt(id % 50) : 9_223_372_036_854_775_807n,
    };
  }).toReversed();

const middle = (value: number): number => Math.floor(value / 0.5) * 0.5 + 0.25;
const coarse = (row: Row): Row => ({ ...row, lat: middle(row.lat), lng: middle(row.lng) });

const text = (value: string | null): string => (value === null ? "cast(null as varchar)" : `cast('${value}' as varchar)`);
const shownColumns: Readonly<Record<string, (row: Row) => string>> = {
  id: ({ id }) => `cast(${id} as bigint)`,
  name: ({ name }) => text(name),
  region: ({ region }) => text(region),
  at: ({ atMs }) => `timestamp '${new Date(atMs).toISOString().slice(0, -1).replace("T", " ")}'`,
  lat: ({ lat }) => `cast('${lat}' as double)`,
  lng: ({ lng }) => `cast('${lng}' as double)`,
  size: ({ size }) => `cast(${size} as bigint)`,
};
const everyColumn: typeof shownColumns = {
  ...shownColumns,
  [canary]: ({ id }) => text(`${canary} ${id}`),
  amount: ({ id }) => `cast(${id * 1_000_003} as bigint)`,
};

function asSelect(all: readonly Row[], columns: typeof shownColumns): TwinsRows {
  const isEmpty = all.length === 0;
  const values = (isEmpty ? rows().slice(0, 1) : all).map(
    (row) =>
      `(${Object.values(columns)
        .map((valueOf) => valueOf(row))
        .join(", ")})`,
  );
  const names = Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(", ");
  const none = isEmpty ? " where 1 = 0" : "";
  return { select: `select * from (values ${values.join(", ")}) as wards (${names})${none}`, isEmpty };
}
