import { z } from "zod";

/**
 * The schema with unknown fields refused in every object, so that a typo does not silently change or widen a request. Records
 * and loose objects stay open. For requests only: responses are parsed without it, so that a newer server may send more
 * fields. Reports only the first of many wrong entries of a list. Decision 0130.
 */
export const deepStrict = <Schema extends z.ZodType>(schema: Schema): Schema => closeObjects(schema) as Schema;

function closeObjects(schema: z.core.$ZodType): z.core.$ZodType {
  const {
    _zod: { def },
  } = schema as z.core.$ZodTypes;
  if (def.type === "object") {
    return cloneWith(schema, {
      shape: Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, closeObjects(field)])),
      catchall: def.catchall ?? z.never(),
    });
  }
  if (def.type === "array") return limitListIssues(schema, closeObjects(def.element));
  if (def.type === "record") return cloneWith(schema, { valueType: closeObjects(def.valueType) });
  if (def.type === "union") return cloneWith(schema, { options: def.options.map(closeObjects) });
  if (def.type === "pipe") return cloneWith(schema, { in: closeObjects(def.in), out: closeObjects(def.out) });
  if ("innerType" in def) return cloneWith(schema, { innerType: closeObjects(def.innerType) });
  return schema;
}

/** An issue takes as long as a hundred valid values, and a body can hold hundreds of thousands. */
const maxListIssues = 100;

/** A copy of a list's schema that stops validating entries after `maxListIssues` issues. */
function limitListIssues(list: z.core.$ZodType, element: z.core.$ZodType): z.core.$ZodType {
  // Cloned, because the issue count belongs to this list alone. A list of lists is a copy already, which a clone would leave unchecked.
  const { _zod: own } = element as z.core.$ZodTypes;
  const entry = own.def.type === "array" ? element : cloneWith(element, {});
  const copy = cloneWith(list, { element: entry });
  const { _zod: entryInternals } = entry;
  const { _zod: listInternals } = copy;
  const runEntry = entryInternals.run.bind(entryInternals);
  const runList = listInternals.run.bind(listInternals);
  let remaining = 0;
  entryInternals.run = (payload, context) => {
    if (remaining <= 0) return payload;
    const result = runEntry(payload, context);
    if ("issues" in result) remaining -= result.issues.length;
    return result;
  };
  listInternals.run = (payload, context) => {
    // A list may contain lists of the same schema.
    const outerRemaining = remaining;
    remaining = maxListIssues;
    try {
      return runList(payload, context);
    } finally {
      remaining = outerRemaining;
    }
  };
  return copy;
}

/** A copy that keeps the schema's checks and getters. */
function cloneWith(schema: z.core.$ZodType, change: object): z.core.$ZodType {
  const {
    _zod: { def },
  } = schema;
  const copy = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(def), ...Object.getOwnPropertyDescriptors(change) });
  return z.clone(schema, copy as typeof def);
}

/** A Zod issue; `keys` are the unknown fields below `path`. */
export interface FieldIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly PropertyKey[];
  /** Of a value that has none of several shapes: the issues with each of them, below `path`. */
  readonly errors?: readonly (readonly FieldIssue[])[];
}

/** Maximum number of unknown fields that are reported at once. */
const maxUnknownFields = 10;

/** The issues, with those of the first shape that lacks a field of the value instead of the issue of all its shapes. */
const withinShapes = (issues: readonly FieldIssue[]): FieldIssue[] =>
  issues.flatMap((issue) => {
    const shape = issue.errors?.map(withinShapes).find((inner) => inner.some(({ keys }) => keys !== undefined));
    return (
      shape?.map(({ path, message, keys }) => {
        const within = issue.path.concat(path);
        return keys === undefined ? { path: within, message } : { path: within, message, keys };
      }) ?? [issue]
    );
  });

/** Paths of unknown fields, at most a thousand per object. */
export const unknownFields = (issues: readonly FieldIssue[]): PropertyKey[][] =>
  withinShapes(issues).flatMap(({ path, keys = [] }) => keys.slice(0, 1_000).map((key) => path.concat(key)));

/** One issue with `message` per unknown field, followed by all other issues. */
export const unknownFieldIssues = (issues: readonly FieldIssue[], message: string): FieldIssue[] => [
  ...unknownFields(issues)
    .slice(0, maxUnknownFields)
    .map((path) => ({ path, message })),
  ...withinShapes(issues).filter(({ keys }) => keys === undefined),
];
