import { z } from "zod";
import { isJsonObject } from "./json.ts";

/**
 * A record whose names come from data or from people, such as columns, tags and properties: any text is a name. `z.record` drops
 * `__proto__`, because assigning it to an object sets the object's prototype. Decision 0711.
 */
export const recordOf = <Name extends z.core.$ZodRecordKey, Value extends z.core.$ZodType>(name: Name, value: Value) =>
  new NamedRecord({ type: "record", keyType: name, valueType: value }) as unknown as z.ZodRecord<Name, Value>;

/** The value of a name; undefined for a name that only the prototype of objects has, such as `constructor`. */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export const protoName = "__proto__";

/** A class and not a changed `z.record`, so that copies of the schema (`meta`, `deepStrict`) keep the rule. */
const NamedRecord = z.core.$constructor<z.ZodRecord>("NamedRecord", (inst, def) => {
  z.ZodRecord.init(inst, def);
  const { _zod: internals } = inst;
  const parseOthers = internals.parse.bind(internals);
  internals.parse = (payload, context) => {
    const { value: input } = payload;
    const parsed = parseOthers(payload, context);
    if (!isJsonObject(input) || !Object.hasOwn(input, protoName)) return parsed;
    if (parsed instanceof Promise) throw new Error("records have no asynchronous schemas");
    const { _zod: keys } = def.keyType;
    const { _zod: values } = def.valueType;
    const name = keys.run({ value: protoName, issues: [] }, context);
    const value = values.run({ value: input[protoName], issues: [] }, context);
    if (name instanceof Promise || value instanceof Promise) throw new Error("records have no asynchronous schemas");
    if (name.issues.length > 0)
      parsed.issues.push({ code: "invalid_key", origin: "record", issues: [], input: protoName, path: [protoName], inst });
    for (const issue of value.issues) parsed.issues.push({ ...issue, path: [protoName, ...(issue.path ?? [])] });
    if (isJsonObject(parsed.value)) parsed.value = withName(parsed.value, Object.keys(input), value.value);
    return parsed;
  };
});

/** `record` and `__proto__` with its value, in this order of names as far as it has them. */
function withName(record: Readonly<Record<string, unknown>>, names: readonly string[], value: unknown): Record<string, unknown> {
  const inOrder = names.flatMap((name): [string, unknown][] => {
    if (name === protoName) return [[name, value]];
    return Object.hasOwn(record, name) ? [[name, record[name]]] : [];
  });
  return Object.fromEntries([...inOrder, ...Object.entries(record).filter(([name]) => !names.includes(name))]);
}

/** Whether values of the schema hold records of names anywhere. */
export function holdsNames(schema: z.core.$ZodType, seen: Set<z.core.$ZodType> = new Set()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  return schema instanceof NamedRecord || innerSchemas(schema).some((inner) => holdsNames(inner, seen));
}

/**
 * Whether JSON holds a member `__proto__` where the schema has no record of names. Looks at every value without recursion, because
 * the JSON may be nested as deeply as a caller likes.
 */
export function hasStrayProto(json: unknown, schema: z.core.$ZodType): boolean {
  const open: { value: unknown; schemas: readonly z.core.$ZodType[] }[] = [{ value: json, schemas: alternatives(schema) }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, schemas } = next;
    if (typeof value !== "object" || value === null) continue;
    const isList = Array.isArray(value);
    for (const name of Object.keys(value)) {
      if (name === protoName && !schemas.some((one) => one instanceof NamedRecord)) return true;
      open.push({
        value: (value as Record<string, unknown>)[name],
        schemas: schemas.flatMap((one) => membersOf(one, isList ? null : name)),
      });
    }
  }
  return false;
}

/** The schemas of a member of objects, or of the entries of lists (null). */
function membersOf(schema: z.core.$ZodType, name: string | null): readonly z.core.$ZodType[] {
  const {
    _zod: { def },
  } = schema as z.core.$ZodTypes;
  if (name === null) return def.type === "array" ? alternatives(def.element) : [];
  if (def.type === "record") return alternatives(def.valueType);
  const member = def.type === "object" && Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
  return member === undefined ? [] : alternatives(member);
}

/** The schemas of objects and lists that a schema wraps or chooses from. */
function alternatives(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const {
    _zod: { def },
  } = schema as z.core.$ZodTypes;
  if (def.type === "object" || def.type === "record" || def.type === "array") return [schema];
  return innerSchemas(schema).flatMap(alternatives);
}

function innerSchemas(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const {
    _zod: { def },
  } = schema as z.core.$ZodTypes;
  if (def.type === "object") return Object.values(def.shape);
  if (def.type === "array") return [def.element];
  if (def.type === "record") return [def.valueType];
  if (def.type === "union") return def.options;
  if (def.type === "pipe") return [def.in];
  return "innerType" in def ? [def.innerType] : [];
}
