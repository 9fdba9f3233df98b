import { z } from "zod";
import { passesRole } from "./access.ts";
import { type ColumnType, isNumeric, isTimestamp, operator } from "./columns.ts";
import { filterValue } from "./filter-values.ts";
import { isoUtc } from "./iso-utc.ts";
import { storableText } from "./text.ts";

/** Who sees which rows and columns of a dataset. Everything in it grants: more roles never take anything away. */
export const accessLimits = {
  rules: 5,
  /** Of one rule. */
  grants: 50,
  rolesOfGrant: 50,
  filtersOfGrant: 10,
  /** Of all areas of a dataset together. */
  corners: 500,
  columnRules: 100,
  noteCharacters: 500,
  nameCharacters: 100,
  /** Groups or roles of a reader that values are taken from. */
  readerValues: 1_000,
  /** Values of one list. */
  listValues: 1_000,
} as const;

const role = z.string().min(1).max(200);
const roles = z.array(role).min(1).max(accessLimits.rolesOfGrant);
const columnName = z.string().min(1).max(1_000);

/** Values of the reader that a cell is compared with: the username, or the names of all groups or roles. */
export const readerValue = z.enum(["username", "groups", "roles"]);
export type ReaderValue = z.infer<typeof readerValue>;

const ruleOperator = z.enum([...operator.options, "in", "between"]);

/** A condition on a stored column. Closed: a condition that lost a field could grant more rows. */
const comparison = z.strictObject({
  name: columnName,
  operator: ruleOperator,
  value: z.union([filterValue, z.null(), z.array(filterValue.nullable()).min(1).max(accessLimits.listValues)]),
});
/** True if the cell equals any of the reader's values. */
const ofReader = z.strictObject({ name: columnName, operator: z.literal("="), valueFrom: readerValue });
export const ruleFilter = z.union([comparison, ofReader]);
export type RuleFilter = z.infer<typeof ruleFilter>;
export type RuleComparison = z.infer<typeof comparison>;

const grantedRows = z.strictObject({
  filters: z.array(ruleFilter).min(1).max(accessLimits.filtersOfGrant).optional(),
  /** Fixed ends, inclusive, of the dataset's temporal field. */
  timeRange: z
    .strictObject({ start: isoUtc.optional(), end: isoUtc.optional() })
    .refine(({ start, end }) => start !== undefined || end !== undefined, "has neither a start nor an end")
    .optional(),
  geospatial: z
    .strictObject({ polygons: z.array(z.string().max(200_000)).min(1).max(100), antimeridianPolygons: z.literal(false) })
    .optional(),
});

const grant = z.strictObject({
  /** Any of them; `*` is every reader of the dataset. */
  roles,
  rows: z.union([
    z.literal("all"),
    grantedRows.refine((rows) => Object.values(rows).some((one) => one !== undefined), "needs filters, a time range or an area"),
  ]),
});
export type AccessGrant = z.infer<typeof grant>;

/** One aspect of the rows, such as the region. A reader sees the rows that a grant of every rule shows. */
const rule = z.strictObject({
  name: storableText.trim().min(1).max(accessLimits.nameCharacters),
  /** The only text about a rule that readers get. */
  note: storableText.trim().max(accessLimits.noteCharacters).optional(),
  grants: z.array(grant).min(1).max(accessLimits.grants),
});
export type AccessRule = z.infer<typeof rule>;

export const coarseUnit = z.enum(["hour", "day", "month", "year"]);

/**
 * Values in place of those that are stored: none, the first characters of a text, the step of a number (an integer is its start, a decimal
 * its middle), or the start of a time in UTC.
 */
export const coarseForm = z.union([
  z.literal("empty"),
  z.strictObject({ first: z.int().min(1).max(20) }),
  z.strictObject({ step: z.number().positive() }),
  z.strictObject({ start: coarseUnit }),
]);
export type CoarseForm = z.infer<typeof coarseForm>;

const columnRule = z.strictObject({
  names: z.array(columnName).min(1).max(1_000),
  /** Their holders see the columns as stored. */
  roles,
  /** The form that all other readers get. */
  others: z.union([z.literal("withheld"), coarseForm]),
});
export type ColumnRule = z.infer<typeof columnRule>;

export const datasetAccess = z
  .strictObject({
    rules: z.array(rule).max(accessLimits.rules).optional(),
    columns: z.array(columnRule).max(accessLimits.columnRules).optional(),
    /** Columns that no rule names. `withheld` makes the rules the list of what is shown. Default: shown. */
    unnamedColumns: z.enum(["shown", "withheld"]).optional(),
    /** Whether readers are told that they see a part. Default: yes. */
    tellReaders: z.boolean().optional(),
  })
  .meta({ id: "DatasetAccess" });
export type DatasetAccess = z.infer<typeof datasetAccess>;

export const hasValueOfReader = (filter: RuleFilter): filter is z.infer<typeof ofReader> => "valueFrom" in filter;

/** Whether a reader with these roles holds a grant, or is shown the columns of a rule. */
export const holdsAny = (held: readonly string[], granted: readonly string[]): boolean => granted.some((one) => passesRole(held, one));

/** Whether a coarse form is for columns of this type. */
export function fitsType(form: CoarseForm, type: ColumnType): boolean {
  if (form === "empty") return true;
  if ("first" in form) return type === "STRING";
  if ("start" in form) return isTimestamp(type);
  return isNumeric(type) && (type === "decimal" || Number.isSafeInteger(form.step));
}

/** The reader's part of a dataset with rules, as answers tell it. */
export const readerAccess = z
  .object({
    rows: z.enum(["all", "some", "none"]),
    columns: z.enum(["all", "some"]),
    /** Whether columns are missing, besides those that are coarse. An older server does not say. */
    hasWithheldColumns: z.boolean().default(false),
    /** Of the rules that leave out rows. */
    notes: z.array(z.string()),
    /** The columns with coarse values. */
    coarse: z.array(z.object({ name: z.string(), form: coarseForm })),
    /** Columns that are computed from those, or looked up by them. An older server does not say. */
    madeOfCoarse: z.array(z.string()).default([]),
    /** Changes with what the reader may see. It tells nothing of the rules. */
    version: z.string(),
  })
  .meta({ id: "ReaderAccess" });
export type ReaderAccess = z.infer<typeof readerAccess>;

export const rulesCannotBeAppliedText = "The access rules of this dataset cannot be applied now. Tell an administrator.";
export const noRowsText = "Your roles give you no rows of this dataset.";
