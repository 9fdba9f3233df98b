import { z } from "zod";

/**
 * The schema with every object in it closed to fields that it does not name: a typing error must not pass for a change or for a
 * narrower search. Records and loose objects stay open. For what people send; answers are read without it, so that a newer
 * server may say more. Of a list, only the first of many wrong entries are found. Decision 0130.
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
  if (def.type === "array") return stoppingList(schema, closed(def.element));
  if (def.type === "record") return changed(schema, { valueType: closed(def.valueType) });
  if (def.type === "union") return changed(schema, { options: def.options.map(closed) });
  if (def.type === "pipe") return changed(schema, { in: closed(def.in), out: closed(def.out) });
  if ("innerType" in def) return changed(schema, { innerType: closed(def.innerType) });
  return schema;
}

/** Nobody reads more, and an issue takes as long as a hundred values that are right: a body has room for hundreds of thousands. */
const mostIssuesOfList = 100;

/** A copy of a list's schema that looks no further once so much of a list is wrong. */
function stoppingList(list: z.core.$ZodType, element: z.core.$ZodType): z.core.$ZodType {
  // What is counted at the entries belongs to this list alone.
  const entry = changed(element, {});
  const copy = changed(list, { element: entry });
  const { _zod: ofEntry } = entry;
  const { _zod: ofList } = copy;
  const runEntry = ofEntry.run.bind(ofEntry);
  const runList = ofList.run.bind(ofList);
  let left = 0;
  ofEntry.run = (payload, context) => {
    if (left <= 0) return payload;
    const result = runEntry(payload, context);
    if ("issues" in result) left -= result.issues.length;
    return result;
  };
  ofList.run = (payload, context) => {
    // A list may hold lists of the same schema.
    const ofOuter = left;
    left = mostIssuesOfList;
    try {
      return runList(payload, context);
    } finally {
      left = ofOuter;
    }
  };
  return copy;
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

/** The places of the fields that the schema does not know, of one object a thousand at most. */
export const unknownFields = (issues: readonly FieldIssue[]): PropertyKey[][] =>
  issues.flatMap(({ path, keys = [] }) => keys.slice(0, 1_000).map((key) => path.concat(key)));

/** An issue with `message` for each field that does not exist, at its own place, before the others. */
export const eachUnknownField = (issues: readonly FieldIssue[], message: string): FieldIssue[] => [
  ...unknownFields(issues)
    .slice(0, mostUnknownFields)
    .map((path) => ({ path, message })),
  ...issues.filter(({ keys }) => keys === undefined),
];
