import { z } from "zod";

/** Column types of a dataset, as `describe` names them. */
export const columnType = z.enum(["STRING", "BOOLEAN", "integer", "decimal", "TIMESTAMP_SECONDS", "TIMESTAMP_MILLS"]);
export type ColumnType = z.infer<typeof columnType>;

/** The same types as numeric codes, as schema calls name them. */
export const columnTypeCode = {
  STRING: 0,
  BOOLEAN: 1,
  integer: 2,
  decimal: 3,
  TIMESTAMP_SECONDS: 4,
  TIMESTAMP_MILLS: 5,
} as const satisfies Record<ColumnType, number>;

export const columnTypeName: Record<ColumnType, string> = {
  STRING: "String",
  BOOLEAN: "Boolean",
  integer: "Integer",
  decimal: "Decimal",
  TIMESTAMP_SECONDS: "Epoch Timestamp in Seconds",
  TIMESTAMP_MILLS: "Epoch Timestamp in Milliseconds",
};

/** The name of a schema's type code. */
export function columnTypeNameOf(code: number): string {
  const type = columnType.options.find((option) => columnTypeCode[option] === code);
  return type ? columnTypeName[type] : "Unknown";
}

export const isNumeric = (type: ColumnType): boolean => type === "integer" || type === "decimal";
export const isTimestamp = (type: ColumnType): boolean => type === "TIMESTAMP_SECONDS" || type === "TIMESTAMP_MILLS";

/** A column composed of several others. Rows hold no value for it; the web app joins the fields with `joinedBy`. */
export const combination = z.object({
  type: z.enum(["COORDINATES", "FILESET"]),
  /** COORDINATES: [latitude, longitude] in that order. FILESET: [fileset id, path]. */
  fields: z.array(z.string()).min(1),
  joinedBy: z.string(),
});

export const columnLabelCharacters = 100;

export const column = z
  .object({
    name: z.string(),
    type: columnType,
    description: z.string(),
    combined: combination.nullable(),
    /** Shown after the column name instead of in every cell: `kt`, `mb`, `min`. */
    unit: z.string().optional(),
    /** Its times are whole days: the same day in every zone. */
    day: z.boolean().optional(),
    /** The text that people read in place of the name, which calls, addresses and JSON keep. */
    label: z.string().trim().min(1).max(columnLabelCharacters).optional(),
    /** Not shown until a person asks for it. Its values are not protected. */
    hidden: z.boolean().optional(),
    /** Its values are computed from other columns of the same row: its type follows from the expression. */
    computed: z.object({ expression: z.string().min(1).max(2_000) }).optional(),
  })
  .meta({ id: "Column" });
export type Column = z.infer<typeof column>;

/** The text that people read for a column: its label, or else its name. */
export const columnTitle = ({ name, label }: { readonly name: string; readonly label?: string | undefined }): string => label ?? name;
/** The same of the column with this name; the name if there is none. */
export const columnTitleIn = (columns: readonly Pick<Column, "name" | "label">[], name: string): string =>
  columns.find((column) => column.name === name)?.label ?? name;

/** The columns that are shown until a person chooses others. */
export const shownAtFirst = <One extends Pick<Column, "hidden">>(columns: readonly One[]): readonly One[] =>
  columns.some(({ hidden }) => hidden === true) ? columns.filter(({ hidden }) => hidden !== true) : columns;

/** Whether the values of a column are whole days: the same in every zone, without a clock. */
export const isDay = ({ type, day }: { readonly type: ColumnType; readonly day?: boolean | undefined }): boolean =>
  day === true && isTimestamp(type);
/** Whether the values of a column are moments, which are shown in a zone. */
export const isMoment = (column: Pick<Column, "type" | "day">): boolean => isTimestamp(column.type) && !isDay(column);

export const operator = z.enum(["=", "<>", "<", "<=", ">", ">="]);
export type Operator = z.infer<typeof operator>;

const everyType = columnType.options;
const orderedTypes = everyType.filter((type) => type !== "BOOLEAN");

/**
 * Meaning of each operator: the types that it compares, and whether it keeps a value that is smaller (a negative order), equal (0) or
 * larger than the filter's. A new operator begins here, and the compiler names what else has to know it.
 */
const operatorRules: Readonly<Record<Operator, { readonly types: readonly ColumnType[]; readonly keeps: (order: number) => boolean }>> = {
  "=": { types: everyType, keeps: (order) => order === 0 },
  "<>": { types: everyType, keeps: (order) => order !== 0 },
  "<": { types: orderedTypes, keeps: (order) => order < 0 },
  "<=": { types: orderedTypes, keeps: (order) => order <= 0 },
  ">": { types: orderedTypes, keeps: (order) => order > 0 },
  ">=": { types: orderedTypes, keeps: (order) => order >= 0 },
};

const operatorsByType = new Map(everyType.map((type) => [type, operator.options.filter((one) => operatorRules[one].types.includes(type))]));

/** Operators allowed for a column of this type. Booleans support only equal and unequal. */
export const operatorsOf = (type: ColumnType | "number"): readonly Operator[] =>
  operatorsByType.get(type === "number" ? "decimal" : type) ?? [];

/** Whether a value satisfies a filter, by how it compares with the filter's value: negative if smaller, 0 if equal, positive if larger. */
export const satisfies = (sign: Operator, order: number): boolean => operatorRules[sign].keeps(order);
