import { z } from "zod";
import { column, columnType, operator } from "./columns.ts";
import { readerAccess } from "./dataset-access.ts";
import { filterValue } from "./filter-values.ts";
import { moreOperator } from "./filters.ts";
import { mapView } from "./map-view.ts";
import { route } from "./route.ts";
import { ownOrShared } from "./sharing.ts";
import { storableText } from "./text.ts";

export { filterValue, type FilterValue } from "./filter-values.ts";

/** Longer than any dataset name that can be saved, so that an unknown name is answered as not found. */
const pathPart = storableText.max(1_000);

export const datasetRef = z.object({ datasetCategory: pathPart, datasetId: pathPart }).meta({ id: "DatasetRef" });
export type DatasetRef = z.infer<typeof datasetRef>;

/** A key that is unique across categories; a dataset's id is unique only within its category. */
export const datasetKey = ({ datasetCategory, datasetId }: DatasetRef): string => JSON.stringify([datasetCategory, datasetId]);

/** Path parameters of every call on one dataset. */
export const datasetParams = z.object({ category: z.string(), datasetId: z.string() });

/** The mark of a dataset that a user has brought, in lists and descriptions. */
export const ownListing = z
  .object({
    /** The portal's own id. */
    id: z.string(),
    /** Shown in place of the dataset's id; null for the id. */
    title: z.string().nullable(),
    /** The owner's username; null once the account is gone. */
    owner: z.string().nullable(),
    can: ownOrShared,
    isShared: z.boolean(),
  })
  .meta({ id: "OwnListing" });
export type OwnListing = z.infer<typeof ownListing>;

/** `GET /datasets`: each category with the datasets this user may reach. */
export const accessList = z.array(
  z
    .object({
      id: z.string(),
      description: z.string(),
      datasets: z.array(datasetRef.extend({ description: z.string(), supportsMapResults: z.boolean(), own: ownListing.optional() })),
    })
    .meta({ id: "DatasetCategory" }),
);
export type AccessList = z.infer<typeof accessList>;

/** A filter as a dataset's description offers it and as the form holds it. */
export const fieldFilter = z
  .object({
    id: z.string(),
    /** The column it filters. */
    name: z.string(),
    display: z.string(),
    description: z.string(),
    required: z.boolean(),
    type: z.union([columnType, z.literal("number")]),
    /** An empty text filters nothing; null with `=` keeps rows without a value, with `<>` those with one. */
    value: filterValue.nullable(),
    operator,
    /** Allowed operators; omitted = all operators of the type. */
    operators: z.array(operator).optional(),
    /** Operators of an upstream that it takes besides `operators`; omitted = those of the dataset that fit the type. */
    moreOperators: z.array(moreOperator).optional(),
    /** Set by the dataset: shown as read-only, applied by the server, never sent by clients. */
    preFilled: z.boolean(),
    /** Its values are whole days, as its column holds them. */
    day: z.boolean().optional(),
  })
  .meta({ id: "FieldFilter" });
export type FieldFilter = z.infer<typeof fieldFilter>;

export const filterSupport = z.object({
  supportsTimeRange: z.boolean(),
  supportsGeospatial: z.boolean(),
  /** Allows filters on any column, several per column. Otherwise only the static and additional filters are allowed. */
  supportsAdvancedFiltering: z.boolean(),
  /** Column names. Satisfied by a non-empty value for one of them, or by any area or time range if supported. */
  requiredOrFields: z.array(z.string()).nullable(),
  staticFilters: z.array(fieldFilter),
  preFilledFilters: z.array(fieldFilter),
  /** Without advanced filtering: filters that users may add, each once. */
  additionalFilters: z.array(fieldFilter),
});
export type FilterSupport = z.infer<typeof filterSupport>;

export const feature = z.enum(["SAMPLE", "PAGINATION", "COUNT"]);
export type Feature = z.infer<typeof feature>;

/**
 * Features of the dataset's engine beyond searches: sorting rows, suggesting values, profiling a column, exporting all rows, breaking searches
 * down, counting rows by place.
 */
export const assist = z.enum(["SORTING", "SUGGESTIONS", "PROFILE", "EXPORT", "BREAKDOWN", "GRID"]);
export type Assist = z.infer<typeof assist>;

export const mapSupport = z.object({
  groupItemField: z.string(),
  /** Names a COORDINATES column. */
  itemLocationField: z.string(),
  itemTemporalField: z.string(),
  /** The columns that color and size the markers until a person chooses others. Without them: their age, and one size. */
  colorField: z.string().nullish(),
  sizeField: z.string().nullish(),
});

export const linkedFilter = z.object({
  name: z.string(),
  operator,
  value: filterValue.optional(),
  /** Takes the value from this column of the source row. */
  fromColumn: z.string().optional(),
});
export const linkedDataset = datasetRef.extend({ display: z.string(), filters: z.array(linkedFilter) });

export const timeExtent = z.object({ startMs: z.number(), endMs: z.number() });
export type TimeExtent = z.infer<typeof timeExtent>;

export const datasetDescription = z
  .object({
    category: z.object({ id: z.string(), description: z.string() }),
    datasetId: z.string(),
    description: z.string(),
    schema: z.object({ columns: z.array(column) }),
    features: z.array(feature),
    assists: z.array(assist),
    filterSupport,
    /** Operators that filters on its columns may have besides those that compare with one value. An older server knows none. */
    moreOperators: z.array(moreOperator).default([]),
    linkedDatasets: z.array(linkedDataset),
    faMapIcon: z.string().nullable(),
    mapSupport: mapSupport.nullable(),
    /** How its map looks first; null for the usual look. An older server sends none. */
    mapView: mapView.nullable().default(null),
    titleField: z.string().nullable(),
    subtitleField: z.string().nullable(),
    /** The column that `timeRange` applies to. */
    temporalField: z.string().nullable(),
    /** First and last time in the data; null if there is no temporal field or it could not be read quickly. */
    timeExtent: timeExtent.nullable(),
    /** Of datasets with rules for rows and columns: the reader's part. */
    access: readerAccess.optional(),
    /** Of datasets that users have brought. */
    source: z.object({ kind: z.literal("imported") }).optional(),
    own: ownListing.optional(),
    /** The version of the rows of such a dataset. */
    dataVersion: z.int().optional(),
  })
  .meta({ id: "DatasetDescription" });
export type DatasetDescription = z.infer<typeof datasetDescription>;

const schemaColumn = z.object({
  /** The column's name. */
  id: z.string(),
  name: z.string(),
  /** 0 String, 1 Boolean, 2 Integer, 3 Decimal, 4 Epoch Timestamp in Seconds, 5 in Milliseconds. */
  type: z.int().min(0).max(5),
  unit: z.string().optional(),
  /** Shown to people in place of the name. */
  label: z.string().optional(),
  /** Its times are whole days: the same day in every zone. */
  day: z.boolean().optional(),
  description: z.string(),
  communityDescription: z.string(),
  userDescription: z.string(),
});

export type SchemaColumn = z.infer<typeof schemaColumn>;

/** `GET /datasets/{category}/{datasetId}/schema`: the specification's schema entity. */
export const datasetSchema = z
  .object({
    dataset: datasetRef,
    description: z.string(),
    communityDescription: z.string(),
    userDescription: z.string(),
    containsLocationData: z.boolean(),
    supportsMapResults: z.boolean(),
    columns: z.array(schemaColumn),
  })
  .meta({ id: "DatasetSchema" });
export type DatasetSchema = z.infer<typeof datasetSchema>;

export const datasets = {
  list: route({
    method: "GET",
    path: "/datasets",
    access: "signed-in",
    summary: "The access list: each category with the datasets this user may reach.",
    response: accessList,
    apiKey: true,
  }),
  describe: route({
    method: "GET",
    path: "/datasets/:category/:datasetId/describe",
    access: "signed-in",
    summary: "Columns, features, filters, links and map support of a dataset.",
    params: datasetParams,
    response: datasetDescription,
    apiKey: true,
  }),
};
