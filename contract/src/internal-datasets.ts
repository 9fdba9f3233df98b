import { z } from "zod";
import { isBucketGlob, parseBucketGlob } from "./bucket-globs.ts";
import { column, type ColumnType, isNumeric, isTimestamp, operatorsOf } from "./columns.ts";
import { datasetAbout } from "./dataset-about.ts";
import { datasetAccess } from "./dataset-access.ts";
import { accessProblems } from "./dataset-access-problems.ts";
import { qualitySettings } from "./dataset-quality.ts";
import { type FieldFilter, feature, fieldFilter, filterSupport, linkedDataset, mapSupport } from "./datasets.ts";
import { derivedColumnLimits, lookup } from "./derived-columns.ts";
import { entityId } from "./entities.ts";
import { parseFilterValue } from "./filter-values.ts";
import { mapView, type MeasureAggregation } from "./map-view.ts";
import { storedReading } from "./readings.ts";
import { type SortKey, sortKey } from "./search.ts";

const dataGlob = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (glob) => isBucketGlob(glob) || (!glob.startsWith("/") && !glob.split("/").includes("..") && !/\p{Cc}/u.test(glob)),
    "is not a path below the data folder",
  )
  .refine(
    (glob) => !isBucketGlob(glob) || parseBucketGlob(glob) !== undefined,
    "is not an address of files such as s3://bucket/folder/*.parquet",
  );

/** Source of the rows: files below the data folder or in a bucket (`s3://bucket/…`), or an engine's table as `catalog.schema.table`. */
export const datasetSource = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("files"),
    glob: dataGlob,
    format: z.enum(["parquet", "csv", "json", "xlsx"]),
    /** How text files are read; without it, the rules apply anew at each reading. */
    reading: storedReading.optional(),
  }),
  z.object({ kind: z.literal("table"), name: z.string().min(1).max(500) }),
]);

/** Filters without an id, as exports and editors write them, get one that is unique in their list. */
const filters = z.array(fieldFilter.extend({ id: z.string().optional() })).transform((list): FieldFilter[] => {
  const taken = new Set(list.map(({ id }) => id));
  return list.map((filter, index) => {
    const id = filter.id ?? (taken.has(filter.name) ? `${filter.name}-${index + 1}` : filter.name);
    taken.add(id);
    return { ...filter, id };
  });
});

const fields = z.object({
  /** The dataset's id. */
  id: entityId,
  category: entityId,
  description: z.string(),
  /** Empty = every signed-in user; otherwise holders of any of the roles. */
  roles: z.array(z.string().min(1)),
  /** Which rows and columns readers see; null or left out: all. */
  access: datasetAccess.nullish(),
  source: datasetSource,
  schema: z.object({ columns: z.array(column).min(1).max(1_000) }),
  /** Columns of other datasets. They are not among those of the schema, but everything may name them like these. */
  lookups: z.array(lookup).max(derivedColumnLimits.lookupsOfDataset).optional(),
  temporalField: z.string().nullable(),
  /** A COORDINATES column. */
  locationField: z.string().nullable(),
  /** Makes the order of rows stable. Default: the temporal field, newest first. */
  orderBy: z.array(sortKey).nullable(),
  features: z.array(feature),
  filterSupport: filterSupport.extend({ staticFilters: filters, preFilledFilters: filters, additionalFilters: filters }),
  mapSupport: mapSupport.nullable(),
  /** How the map of the dataset looks first; null or left out: items in the colors of `mapSupport`. */
  mapView: mapView.nullish(),
  linkedDatasets: z.array(linkedDataset),
  faMapIcon: z.string().nullable(),
  titleField: z.string().nullable(),
  subtitleField: z.string().nullable(),
  ...datasetAbout.shape,
  quality: qualitySettings.nullish(),
});

/** An internal dataset as administrators configure it; entity type `datasets/internal`. `enabled` is stored separately. */
export const internalDataset = fields.superRefine((dataset, context) => {
  const rules = dataset.access ? accessProblems(dataset, dataset.access) : [];
  const ofRules = rules.map(({ path, message }) => ({ path: ["access", ...path], message }));
  for (const { path, message } of [...problemsOf(dataset), ...ofRules]) context.addIssue({ code: "custom", path: [...path], message });
});
export type InternalDataset = z.infer<typeof fields>;

/** The settings of a dataset that a user has brought: those of an internal dataset without its address, its rows and who may read it. */
const storedOwnSettings = fields.omit({ id: true, category: true, roles: true, access: true, source: true });
export type OwnDatasetSettings = z.infer<typeof storedOwnSettings>;

/** The same, checked as they are saved. */
export const ownDatasetSettings = storedOwnSettings.superRefine((settings, context) => {
  for (const { path, message } of problemsOf(settings)) context.addIssue({ code: "custom", path: [...path], message });
});

/** Order of rows unless a search specifies one: the dataset's own, otherwise newest first. */
export const defaultOrder = ({ orderBy, temporalField }: Pick<InternalDataset, "orderBy" | "temporalField">): SortKey[] =>
  orderBy ?? (temporalField === null ? [] : [{ column: temporalField, direction: "desc" }]);

interface Problem {
  path: (string | number)[];
  message: string;
}

/** Unknown names and invalid values, which would otherwise fail only at search time. */
function problemsOf(dataset: OwnDatasetSettings): Problem[] {
  return [...columnProblems(dataset), ...lookupProblems(dataset), ...fieldProblems(dataset), ...filterProblems(dataset)];
}

function columnProblems({ schema, lookups }: OwnDatasetSettings): Problem[] {
  const plain = plainNames({ schema, lookups });
  const seen = new Set<string>();
  let count = 0;
  return schema.columns.flatMap(({ name, combined, computed }, index): Problem[] => {
    const path = ["schema", "columns", index];
    const problems: Problem[] = [];
    // Engines compare names without regard to case.
    if (seen.has(name.toLowerCase())) problems.push({ path: [...path, "name"], message: `there is another column '${name}'` });
    if (name === "" || /\p{Cc}/u.test(name)) problems.push({ path: [...path, "name"], message: "is not a name" });
    seen.add(name.toLowerCase());
    for (const [at, field] of (combined?.fields ?? []).entries()) {
      if (!plain.has(field)) problems.push({ path: [...path, "combined", "fields", at], message: `there is no column '${field}'` });
    }
    if (combined !== null && combined.fields.length !== 2) {
      problems.push({ path: [...path, "combined", "fields"], message: "combines two columns" });
    }
    if (computed !== undefined && combined !== null) problems.push({ path: [...path, "computed"], message: "is for plain columns" });
    if (computed !== undefined && ++count === derivedColumnLimits.computedOfDataset + 1) {
      problems.push({ path: [...path, "computed"], message: `at most ${derivedColumnLimits.computedOfDataset} columns can be computed` });
    }
    return problems;
  });
}

/** Mistakes that show without the other datasets. */
function lookupProblems({ schema, lookups = [] }: OwnDatasetSettings): Problem[] {
  const plain = plainNames({ schema });
  const taken = new Set(schema.columns.map(({ name }) => name.toLowerCase()));
  const ids = new Set<string>();
  return lookups.flatMap(({ id, key, columns }, index): Problem[] => {
    const path = ["lookups", index];
    const problems: Problem[] = [];
    if (ids.has(id)) problems.push({ path: [...path, "id"], message: `there is another lookup '${id}'` });
    ids.add(id);
    for (const [at, { column: name }] of key.entries()) {
      if (!plain.has(name)) problems.push({ path: [...path, "key", at, "column"], message: `there is no column '${name}'` });
    }
    for (const [at, { name }] of columns.entries()) {
      const isTaken = taken.has(name.toLowerCase());
      if (isTaken) problems.push({ path: [...path, "columns", at, "name"], message: `there is another column '${name}'` });
      taken.add(name.toLowerCase());
    }
    return problems;
  });
}

function fieldProblems(dataset: OwnDatasetSettings): Problem[] {
  const { schema, mapSupport: map, mapView: view = null } = dataset;
  const measure = view?.rows?.measure;
  const plainColumns = plainNames(dataset);
  // Their types are those of the other dataset.
  const lookedUp = lookedUpNames(dataset);
  const allColumns = new Set([...schema.columns.map(({ name }) => name), ...lookedUp]);
  const ofType = (isType: (type: ColumnType) => boolean) =>
    new Set([...schema.columns.filter(({ type, combined }) => combined === null && isType(type)).map(({ name }) => name), ...lookedUp]);
  const timestampColumns = ofType(isTimestamp);
  const numericColumns = ofType(isNumeric);
  const coloringColumns = new Set([...plainColumns].filter((name) => !timestampColumns.has(name) || lookedUp.includes(name)));
  const coordinateColumns = new Set(schema.columns.filter(({ combined }) => combined?.type === "COORDINATES").map(({ name }) => name));
  const unknownName = (path: (string | number)[], name: string | null, columns: Set<string>, noun: string): Problem[] =>
    name === null || columns.has(name) ? [] : [{ path, message: `there is no ${noun} '${name}'` }];
  return [
    ...unknownName(["temporalField"], dataset.temporalField, timestampColumns, "timestamp column"),
    ...unknownName(["locationField"], dataset.locationField, coordinateColumns, "COORDINATES column"),
    ...unknownName(["titleField"], dataset.titleField, allColumns, "column"),
    ...unknownName(["subtitleField"], dataset.subtitleField, allColumns, "column"),
    ...(dataset.orderBy ?? []).flatMap((key, index) => unknownName(["orderBy", index, "column"], key.column, plainColumns, "column")),
    ...(map === null
      ? []
      : [
          ...unknownName(["mapSupport", "groupItemField"], map.groupItemField, plainColumns, "column"),
          ...unknownName(["mapSupport", "itemLocationField"], map.itemLocationField, coordinateColumns, "COORDINATES column"),
          ...unknownName(["mapSupport", "itemTemporalField"], map.itemTemporalField, timestampColumns, "timestamp column"),
          ...unknownName(["mapSupport", "colorField"], map.colorField ?? null, coloringColumns, "column of numbers, texts or truth values"),
          ...unknownName(["mapSupport", "sizeField"], map.sizeField ?? null, numericColumns, "column of numbers"),
        ]),
    ...(view === null
      ? []
      : [
          ...unknownName(["mapView", "colorBy"], view.colorBy ?? null, coloringColumns, "column of numbers, texts or truth values"),
          ...unknownName(["mapView", "sizeBy"], view.sizeBy ?? null, numericColumns, "column of numbers"),
          ...(measure === undefined
            ? []
            : unknownName(
                ["mapView", "rows", "measure", "column"],
                measure.column,
                isOfOrder(measure.aggregation) ? new Set([...numericColumns, ...timestampColumns]) : numericColumns,
                isOfOrder(measure.aggregation) ? "column of numbers or times" : "column of numbers",
              )),
          ...(view.show === "rows" && dataset.locationField === null && map === null
            ? [{ path: ["mapView", "show"], message: "needs a location" }]
            : []),
        ]),
    ...(dataset.filterSupport.supportsTimeRange && dataset.temporalField === null
      ? [{ path: ["filterSupport", "supportsTimeRange"], message: "needs a temporalField" }]
      : []),
    ...(dataset.filterSupport.supportsGeospatial && dataset.locationField === null
      ? [{ path: ["filterSupport", "supportsGeospatial"], message: "needs a locationField" }]
      : []),
    ...(dataset.filterSupport.requiredOrFields ?? []).flatMap((name, index) =>
      unknownName(["filterSupport", "requiredOrFields", index], name, plainColumns, "column"),
    ),
  ];
}

/** Least and greatest are of times, too; an average or a sum is not. */
const isOfOrder = (aggregation: MeasureAggregation): boolean => aggregation === "min" || aggregation === "max";

function filterProblems(dataset: OwnDatasetSettings): Problem[] {
  const lists = ["staticFilters", "preFilledFilters", "additionalFilters"] as const;
  return lists.flatMap((list) =>
    dataset.filterSupport[list].flatMap((filter, index) =>
      oneFilterProblems(dataset, filter, list === "preFilledFilters").map(({ path, message }): Problem => ({
        path: ["filterSupport", list, index, ...path],
        message,
      })),
    ),
  );
}

function oneFilterProblems(dataset: OwnDatasetSettings, filter: FieldFilter, requiresValue: boolean): Problem[] {
  const { schema } = dataset;
  // Readers without access to the other dataset have no such column: the dataset's own filters would keep nothing of them.
  if (!requiresValue && lookedUpNames(dataset).includes(filter.name)) return [];
  const column = schema.columns.find(({ name, combined }) => combined === null && name === filter.name);
  if (column === undefined) return [{ path: ["name"], message: `there is no column '${filter.name}'` }];
  if (!operatorsOf(column.type).includes(filter.operator)) {
    return [{ path: ["operator"], message: `'${filter.operator}' is not for ${column.type}` }];
  }
  if (filter.value === "" && !requiresValue) return [];
  if (filter.value === null) {
    return filter.operator === "=" || filter.operator === "<>" ? [] : [{ path: ["operator"], message: "null takes '=' or '<>'" }];
  }
  const parsed = parseFilterValue(column.type, filter.value);
  return "problem" in parsed ? [{ path: ["value"], message: `'${filter.value}' ${parsed.problem}` }] : [];
}

const plainNames = ({ schema, lookups }: Pick<OwnDatasetSettings, "schema" | "lookups">): Set<string> =>
  new Set([...schema.columns.filter(({ combined }) => combined === null).map(({ name }) => name), ...lookedUpNames({ lookups })]);

const lookedUpNames = ({ lookups = [] }: Pick<OwnDatasetSettings, "lookups">): string[] =>
  lookups.flatMap(({ columns }) => columns.map(({ name }) => name));
