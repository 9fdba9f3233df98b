// @ts-check
// A wide dataset without paging: 10,000 rows of 40 columns, the same in every run.
import { decimal, integer, millis, text } from "@fairway/demo/column-drafts";
import { datasetRecipe } from "@fairway/demo/dataset-recipe";
import { measurements } from "./positions.mjs";

export const wideRows = 10_000;

const kinds = /** @type {const} */ ([
  { make: text, sql: (/** @type {number} */ n) => `'reading ' || (hash(i * 64 + ${n}) % 100000)` },
  { make: integer, sql: (/** @type {number} */ n) => `cast(hash(i * 64 + ${n}) % 1000000 as integer)` },
  { make: decimal, sql: (/** @type {number} */ n) => `round((hash(i * 64 + ${n}) % 1000000) / 997, 3)` },
  {
    make: millis,
    sql: (/** @type {number} */ n) => `make_timestamp_ms(1700000000000 + cast(hash(i * 64 + ${n}) % 10000000000 as bigint))`,
  },
]);

const columns = Array.from({ length: 39 }, (_, index) => {
  const kind = kinds[index % kinds.length] ?? kinds[0];
  const name = `c${String(index + 1).padStart(2, "0")}`;
  return { column: kind.make(name, "Made up."), sql: `${kind.sql(index)} as ${name}` };
});

export const wide = datasetRecipe(measurements, {
  id: "wide",
  description: "Ten thousand made-up rows of forty columns, in one answer.",
  columns: [integer("row", "Its number."), ...columns.map(({ column }) => column)],
  sources: {},
  select: `select cast(i as integer) as row, ${columns.map(({ sql }) => sql).join(", ")} from range(${wideRows}) as numbers(i) order by i`,
  orderBy: [{ column: "row", direction: "asc" }],
  features: ["COUNT"],
  titleField: "row",
  subtitleField: null,
  filters: { supportsAdvancedFiltering: true },
});
