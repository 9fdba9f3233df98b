import type { Filter } from "@fairway/contract/filters";
import { buildColumn, buildFilterSupport } from "./dataset-app.ts";

/** Forty rows, as a SELECT, and their dataset. */
export const filteredRows = `select i as id, ['alpha', 'beta', '100%', null][1 + i % 4] as name,
    timestamp '2020-01-01' + to_hours(7 * i) as at, i / 2 as lat, i as lng from range(40) t(i)`;

export const filteredDataset = {
  schema: {
    columns: [
      buildColumn("id", "integer"),
      buildColumn("name", "STRING"),
      buildColumn("at", "TIMESTAMP_MILLS"),
      buildColumn("lat", "decimal"),
      buildColumn("lng", "decimal"),
      buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } }),
    ],
  },
  temporalField: "at",
  locationField: "place",
  mapSupport: { groupItemField: "id", itemLocationField: "place", itemTemporalField: "at" },
  filterSupport: buildFilterSupport({ supportsTimeRange: true, supportsGeospatial: true }),
};

/** Every form of filter besides comparisons, with the number of rows that it keeps. */
export const filterForms: readonly (readonly [Filter, number])[] = [
  [{ name: "name", operator: "in", value: ["beta", null] }, 20],
  [{ name: "name", operator: "not in", value: ["beta"] }, 30],
  [{ name: "id", operator: "between", value: [3, 9] }, 7],
  [{ name: "id", operator: "not between", value: [3, 9] }, 33],
  [{ name: "name", operator: "contains", value: "%" }, 10],
  [{ name: "name", operator: "not contains", value: "A" }, 20],
  [{ name: "name", operator: "starts with", value: "AL" }, 10],
  [{ name: "name", operator: "not starts with", value: "al" }, 30],
  [{ name: "at", operator: "when", value: { part: "dayOfWeek", zone: "UTC", in: [3] } }, 8],
  [{ name: "at", operator: "not when", value: { part: "dayOfWeek", zone: "UTC", in: [3] } }, 32],
  [
    {
      name: "*",
      operator: "any",
      value: [[{ name: "id", operator: "<", value: 2 }], [{ name: "name", operator: "=", value: "beta" }]],
    },
    11,
  ],
];

/** All of them in one search, with the number of rows that pass. */
export const everyForm: { readonly filters: readonly Filter[]; readonly rows: number } = {
  filters: [
    { name: "name", operator: "in", value: ["alpha", "beta", null] },
    { name: "name", operator: "not in", value: ["gamma", null] },
    { name: "id", operator: "between", value: [3, 30] },
    { name: "id", operator: "not between", value: [4, 7] },
    { name: "name", operator: "not contains", value: "%" },
    { name: "name", operator: "not starts with", value: "gam" },
    { name: "at", operator: "when", value: { part: "dayOfWeek", zone: "America/New_York", in: [1, 2, 3, 4, 5, 7] } },
    { name: "at", operator: "not when", value: { part: "hourOfDay", zone: "UTC", in: [0] } },
    {
      name: "*",
      operator: "any",
      value: [
        [
          { name: "name", operator: "contains", value: "BET" },
          { name: "id", operator: "in", value: [9, 13, 17] },
        ],
        [{ name: "name", operator: "starts with", value: "al" }],
      ],
    },
  ],
  rows: 6,
};
