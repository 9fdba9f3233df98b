import { z } from "zod";

/**
 * The schema with every object in it closed to fields that it does not name: a typing error must not pass for a change or for a
 * narrower search. Records and loose objects stay open. For what people send; answers are read without it, so that a newer
 * server may say more.
 */
export const strictly = <Schema extends z.ZodType>(schema: Schema): Schema => closed(schema) as Schema;

function closed(schema: z.core.$ZodType): z.core.$ZodType {
  const {
    _zod: { def },
  } = schema as z.core.$ZodTypes;
  if (def.type === "object") {
    return changed(schema, {
      shape: Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, closed(field)])),
      catchall: def.catchall ?? z.never(),
    });
  }
  if (def.type === "array") return changed(schema, { element: closed(def.element) });
  if (def.type === "record") return changed(schema, { valueType: closed(def.valueType) });
  if (def.type === "union") return changed(schema, { options: def.options.map(closed) });
  if (def.type === "pipe") return changed(schema, { in: closed(def.in), out: closed(def.out) });
  if ("innerType" in def) return changed(schema, { innerType: closed(def.innerType) });
  return schema;
}

/** A copy that keeps the schema's checks and getters. */
function changed(schema: z.core.$ZodType, change: object): z.core.$ZodType {
  const {
    _zod: { def },
  } = schema;
  const copy = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(def), ...Object.getOwnPropertyDescriptors(change) });
  return z.clone(schema, copy as typeof def);
}

/** An issue as Zod gives it; `keys` are the unknown fields below `path`. */
export interface FieldIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly PropertyKey[];
}

/** How many fields that do not exist are named at once. */
const mostUnknownFields = 10;

/** The places of the fields that the schema does not know. */
export const unknownFields = (issues: readonly FieldIssue[]): PropertyKey[][] =>
  issues.flatMap(({ path, keys = [] }) => keys.map((key) => [...path, key]));

/** An issue with `message` for each field that does not exist, at its own place, before the others. */
export const eachUnknownField = (issues: readonly FieldIssue[], message: string): FieldIssue[] => [
  ...unknownFields(issues)
    .slice(0, mostUnknownFields)
    .map((path) => ({ path, message })),
  ...issues.filter(({ keys }) => keys === undefined),
];
