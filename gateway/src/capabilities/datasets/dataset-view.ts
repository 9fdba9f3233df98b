import { mapViewOf } from "@fairway/contract/map-view";
import type { Column } from "@fairway/contract/columns";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { storedInputs } from "#query/derived-columns.ts";
import type { DerivedStep } from "#query/engine.ts";
import { Scope, wholeKey } from "#query/scope.ts";
import type { DatasetRef, FieldFilter } from "@fairway/contract/datasets";
import type { Dataset, DatasetView } from "./dataset.ts";
import { DerivedColumns, type FindOther } from "./derived-dataset.ts";
import { queryableOf } from "./queryable-dataset.ts";
import { columnsOf, type KeyOfScope, partOf, type ReaderPart } from "./reader-part.ts";

/** Undefined for a dataset that the reader may not know of. */
export type FindDataset = (ref: DatasetRef) => Dataset | undefined;

/** Who reads datasets. */
export interface Viewer {
  readonly reader: SignedInUser;
  readonly find: FindDataset;
}

/** Views of one dataset that are kept. Rules with values of their readers make one for each reader. */
const maxKept = 1_000;

/**
 * Makes the views of datasets: the one place where rules for rows and columns, and the lookups that a reader may read, decide what there is
 * of a dataset.
 */
export class DatasetViews {
  readonly #keyOf: KeyOfScope;
  /** By what the reader has of it, and the lookups that can be read. Other datasets have the lifetime of the dataset. */
  readonly #known = new WeakMap<Dataset, Map<string, DatasetView>>();

  constructor(keyOf: KeyOfScope) {
    this.#keyOf = keyOf;
  }

  /** With its lookups and computed columns. Everything that names a column which the reader does not have is without it. */
  of(dataset: Dataset, viewer: Viewer): DatasetView {
    const { find, reader } = viewer;
    const part = partOf(dataset, reader, this.#keyOf);
    const others = (dataset.lookups ?? []).map(({ dataset: ref }) => {
      const other = find(ref);
      return other && { revision: other.revision, key: keyOfPart(partOf(other, reader, this.#keyOf)) };
    });
    const links = dataset.linkedDatasets.map((link) => this.#lostFields(link, viewer));
    const key = JSON.stringify([part && [part.scope.key, part.rows, part.notes, [...part.withheld]], others, links]);
    const kept = this.#known.get(dataset) ?? new Map<string, DatasetView>();
    this.#known.set(dataset, kept);
    const keys = [keyOfPart(part), ...others.map((other) => other?.key ?? "-")];
    const found = kept.get(key) ?? this.#make(dataset, viewer, part, keys);
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, found);
    return found;
  }

  /** How lookups find other datasets: without columns that these look up themselves. */
  others({ find, reader }: Viewer): FindOther {
    return (ref) => {
      const other = find(ref);
      return other && otherOf(this.of(other, { reader, find: nothing }));
    };
  }

  /** `keys`: of the parts of the dataset and of those that it looks up. */
  #make(dataset: Dataset, viewer: Viewer, part: ReaderPart | null, keys: readonly string[]): DatasetView {
    const key = keys.every((one) => one === wholeKey) ? wholeKey : this.#keyOf(JSON.stringify(keys));
    const linkedDatasets = dataset.linkedDatasets.filter(
      (link) =>
        this.#lostFields(link, viewer) === 0 &&
        link.filters.every(({ fromColumn }) => fromColumn === undefined || isAsStored(part, fromColumn)),
    );
    return made({ ...dataset, linkedDatasets }, this.others(viewer), part, key);
  }

  /** How many columns that a link filters by are not there as stored for the reader of the other dataset. */
  #lostFields({ filters, ...ref }: Dataset["linkedDatasets"][number], { find, reader }: Viewer): number {
    const target = find(ref);
    if (!target?.access) return 0;
    const lost = columnsOf(target, target.access, reader.roles);
    return filters.filter(({ name }) => lost.withheld.has(name) || lost.coarse.has(name)).length;
  }
}

const nothing: FindDataset = () => undefined;

const keyOfPart = (part: ReaderPart | null): string => part?.scope.key ?? wholeKey;

const isAsStored = (part: ReaderPart | null, name: string): boolean =>
  part === null || (!part.withheld.has(name) && !part.coarse.has(name));

const otherOf = (view: DatasetView): ReturnType<FindOther> => ({
  source: view.source,
  columns: view.schema.columns,
  filterSupport: view.filterSupport,
  queryable: () => queryableOf(view, { features: new Set() }),
});

const whole = new WeakMap<Dataset, DatasetView>();

/** All of it, without its lookups: for the portal's own work, of which no answer may show anything without the view of its reader. */
export function portalView(dataset: Dataset): DatasetView {
  const found = whole.get(dataset) ?? made(dataset, () => undefined, null, wholeKey);
  whole.set(dataset, found);
  return found;
}

/** Other datasets as the portal itself reads them. */
export const othersOfPortal =
  (find: FindDataset): FindOther =>
  (ref) => {
    const other = find(ref);
    return other && otherOf(portalView(other));
  };

/** The derived columns of a dataset, and why some cannot be made. Undefined if it has none. */
export function derivedOf(
  { schema, lookups = [], source }: Pick<Dataset, "schema" | "lookups" | "source">,
  findOther: FindOther,
): DerivedColumns | undefined {
  const computed = schema.columns.flatMap(({ computed: computation, ...column }, index) =>
    computation === undefined
      ? []
      : [{ ...column, expression: computation.expression, path: `schema.columns.${index}.computed.expression` }],
  );
  if (computed.length === 0 && lookups.length === 0) return undefined;
  const stored = schema.columns.filter((column) => column.computed === undefined);
  const derived = new DerivedColumns(source, stored, []);
  derived.add({ computed, lookups }, findOther);
  return derived;
}

function made({ access: _access, ...stored }: Dataset, findOther: FindOther, part: ReaderPart | null, key: string): DatasetView {
  const dataset = part === null ? stored : withoutWithheld(stored, part);
  const { schema } = dataset;
  const derived = derivedOf(dataset, findOther);
  if (derived === undefined && part === null) return { ...dataset, scope: Scope.whole, part, withheld: none, key, problems: [] };
  const computedOf = (column: Column) => {
    const found = derived?.made.get(column.name);
    return found === undefined ? [] : [{ ...column, type: found.type, ...(found.day === true ? { day: true } : {}) }];
  };
  const looked = [...(derived?.made.values() ?? [])].filter(({ name }) => !schema.columns.some((column) => column.name === name));
  const columns = [...schema.columns.flatMap((column) => (column.computed === undefined ? [column] : computedOf(column))), ...looked];
  const resolved = withColumns(dataset, columns, part);
  return {
    ...resolved,
    scope: part?.scope ?? Scope.whole,
    part: part && readersPart(part, madeOfCoarse(columns, part, derived?.steps ?? [])),
    key,
    withheld: part === null ? none : missingIn(resolved, stored),
    ...(derived === undefined ? {} : { derived: derived.steps }),
    problems: derived?.problems ?? [],
  };
}

const none: ReadonlySet<string> = new Set();

/** The columns of the dataset that the view does not have. */
function missingIn({ schema }: Omit<Dataset, "access">, { schema: all, lookups = [] }: Omit<Dataset, "access">): ReadonlySet<string> {
  const names = new Set([...all.columns, ...lookups.flatMap(({ columns }) => columns)].map(({ name }) => name));
  for (const { name } of schema.columns) names.delete(name);
  return names;
}

/** Without the withheld columns. Those that are computed from them are not there either, because they cannot be made. */
function withoutWithheld({ schema, lookups, ...dataset }: Omit<Dataset, "access">, { withheld }: ReaderPart): Omit<Dataset, "access"> {
  const isShown = ({ name }: { readonly name: string }) => !withheld.has(name);
  const shownLookups = lookups?.flatMap((lookup) => {
    const columns = lookup.columns.filter(isShown);
    return columns.length === 0 ? [] : [{ ...lookup, columns }];
  });
  return { ...dataset, schema: { ...schema, columns: schema.columns.filter(isShown) }, lookups: shownLookups };
}

/** The columns that are computed from coarse ones, in any number of steps, or looked up by them. */
const madeOfCoarse = (columns: readonly Column[], { coarse }: ReaderPart, derived: readonly DerivedStep[]): string[] =>
  columns.flatMap(({ name }) =>
    !coarse.has(name) && [...storedInputs({ derived }, [name])].some((input) => coarse.has(input)) ? [name] : [],
  );

const readersPart = ({ withheld, coarse, rows, notes, isTold }: ReaderPart, made: string[]) => ({
  rows,
  columns: withheld.size + coarse.size === 0 ? ("all" as const) : ("some" as const),
  hasWithheldColumns: withheld.size > 0,
  notes: [...notes],
  coarse: [...coarse].map(([name, form]) => ({ name, form })),
  madeOfCoarse: made,
  isTold,
});

/** Without what names other columns. Required filters stay, so that a search is refused rather than widened. */
function withColumns(dataset: Omit<Dataset, "access">, all: readonly Column[], part: ReaderPart | null): Omit<Dataset, "access"> {
  const isCoarse = (name: string) => part?.coarse.has(name) === true;
  const plain = new Set(all.flatMap(({ name, combined }) => (combined === null ? [name] : [])));
  const columns = all.filter(
    ({ combined }) =>
      combined === null || combined.fields.every((field) => plain.has(field) && (combined.type === "COORDINATES" || !isCoarse(field))),
  );
  const names = new Set(columns.map(({ name }) => name));
  const present = (name: string | null) => (name !== null && names.has(name) ? name : null);
  const { filterSupport, mapSupport, temporalField, locationField } = dataset;
  const offered = (filters: FieldFilter[]) => filters.filter(({ name, required }) => required || names.has(name));
  // Coarse items would join the tracks of several.
  const hasMap =
    mapSupport !== null &&
    !isCoarse(mapSupport.groupItemField) &&
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
      requiredOrFields:
        part === null ? filterSupport.requiredOrFields : (filterSupport.requiredOrFields?.filter((one) => names.has(one)) ?? null),
      // Those on columns that the reader does not have as stored apply unseen, within the scope.
      preFilledFilters: filterSupport.preFilledFilters.filter(({ name }) => isAsStored(part, name)),
      staticFilters: offered(filterSupport.staticFilters),
      additionalFilters: offered(filterSupport.additionalFilters),
    },
    mapSupport: hasMap
      ? { ...mapSupport, colorField: present(mapSupport.colorField ?? null), sizeField: present(mapSupport.sizeField ?? null) }
      : null,
    mapView: mapViewOf(dataset.mapView, (name) => names.has(name)),
  };
}
