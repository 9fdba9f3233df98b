import { mapViewOf } from "@fairway/contract/map-view";
import type { Column } from "@fairway/contract/columns";
import { Scope } from "#query/scope.ts";
import type { DatasetRef, FieldFilter } from "@fairway/contract/datasets";
import type { Dataset, DatasetView } from "./dataset.ts";
import { DerivedColumns, type FindOther } from "./derived-dataset.ts";
import { queryableOf } from "./queryable-dataset.ts";

/** Undefined for a dataset that the reader may not know of. */
export type FindDataset = (ref: DatasetRef) => Dataset | undefined;

const nothing: FindDataset = () => undefined;

/** By the lookups that can be read. Other datasets have the lifetime of the dataset. */
const known = new WeakMap<Dataset, Map<string, DatasetView>>();

/**
 * The view of whoever finds these other datasets: with its lookups and computed columns. Everything that names a column which cannot be made
 * is without it.
 */
export function viewOf(dataset: Dataset, find: FindDataset): DatasetView {
  const others = (dataset.lookups ?? []).map(({ dataset: ref }) => find(ref));
  const key = others.map((other) => (other === undefined ? "-" : other.revision)).join(" ");
  const byReader = known.get(dataset) ?? new Map<string, DatasetView>();
  known.set(dataset, byReader);
  const found = byReader.get(key) ?? resolve(dataset, find);
  byReader.set(key, found);
  return found;
}

/** As it is without access to any other dataset: for what the portal computes for all readers, and for datasets that look it up. */
export const withoutLookups = (dataset: Dataset): DatasetView => viewOf(dataset, nothing);

/** How lookups find other datasets: without columns that these look up themselves. */
export const otherDatasets =
  (find: FindDataset): FindOther =>
  (ref) => {
    const other = find(ref);
    if (other === undefined) return undefined;
    const resolved = withoutLookups(other);
    return {
      source: resolved.source,
      columns: resolved.schema.columns,
      filterSupport: resolved.filterSupport,
      queryable: () => queryableOf(resolved, { features: new Set() }),
    };
  };

/** The derived columns of a dataset, and why some cannot be made. Undefined if it has none. */
export function derivedOf(
  { schema, lookups = [], source }: Pick<Dataset, "schema" | "lookups" | "source">,
  find: FindDataset,
): DerivedColumns | undefined {
  const computed = schema.columns.flatMap(({ computed: computation, ...column }, index) =>
    computation === undefined
      ? []
      : [{ ...column, expression: computation.expression, path: `schema.columns.${index}.computed.expression` }],
  );
  if (computed.length === 0 && lookups.length === 0) return undefined;
  const stored = schema.columns.filter((column) => column.computed === undefined);
  const derived = new DerivedColumns(source, stored, []);
  derived.add({ computed, lookups }, otherDatasets(find));
  return derived;
}

function resolve(dataset: Dataset, find: FindDataset): DatasetView {
  const { schema } = dataset;
  const derived = derivedOf(dataset, find);
  if (derived === undefined) return { ...dataset, scope: Scope.whole, problems: [] };
  const made = (column: Column) => {
    const found = derived.made.get(column.name);
    return found === undefined ? [] : [{ ...column, type: found.type, ...(found.day === true ? { day: true } : {}) }];
  };
  const looked = [...derived.made.values()].filter(({ name }) => !schema.columns.some((column) => column.name === name));
  const columns = [...schema.columns.flatMap((column) => (column.computed === undefined ? [column] : made(column))), ...looked];
  const resolved = withColumns(dataset, columns);
  return { ...resolved, scope: Scope.whole, derived: derived.steps, problems: derived.problems };
}

/** Without what names other columns. Required filters stay, so that a search is refused rather than widened. */
function withColumns(dataset: Dataset, all: readonly Column[]): Dataset {
  const plain = new Set(all.flatMap(({ name, combined }) => (combined === null ? [name] : [])));
  const columns = all.filter(({ combined }) => combined === null || combined.fields.every((field) => plain.has(field)));
  const names = new Set(columns.map(({ name }) => name));
  const present = (name: string | null) => (name !== null && names.has(name) ? name : null);
  const { filterSupport, mapSupport, temporalField, locationField } = dataset;
  const offered = (filters: FieldFilter[]) => filters.filter(({ name, required }) => required || names.has(name));
  const hasMap =
    mapSupport !== null &&
    [mapSupport.groupItemField, mapSupport.itemLocationField, mapSupport.itemTemporalField].every((name) => names.has(name));
  return {
    ...dataset,
    schema: { ...dataset.schema, columns },
    temporalField: present(temporalField),
    locationField: present(locationField),
    titleField: present(dataset.titleField),
    subtitleField: present(dataset.subtitleField),
    orderBy: dataset.orderBy?.filter(({ column }) => names.has(column)) ?? null,
    filterSupport: {
      ...filterSupport,
      supportsTimeRange: filterSupport.supportsTimeRange && present(temporalField) === temporalField,
      supportsGeospatial: filterSupport.supportsGeospatial && present(locationField) === locationField,
      staticFilters: offered(filterSupport.staticFilters),
      additionalFilters: offered(filterSupport.additionalFilters),
    },
    mapSupport: hasMap
      ? { ...mapSupport, colorField: present(mapSupport.colorField ?? null), sizeField: present(mapSupport.sizeField ?? null) }
      : null,
    mapView: mapViewOf(dataset.mapView, (name) => names.has(name)),
  };
}
