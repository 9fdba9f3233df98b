// @ts-check
import { z } from "zod";

/** @typedef {{ [key: string]: unknown }} JsonSchema */

/**
 * The JSON Schema of every answer in the contract, by method and path.
 * @param {unknown[]} modules of the contract
 * @returns {Record<string, JsonSchema>}
 */
export function answerSchemas(modules) {
  const routes = modules.flatMap((module) => routesIn(module)).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return Object.fromEntries(routes.map((route) => [nameOf(route), schemaOf(route.response)]));
}

/** @typedef {{ method: string, path: string, response: z.ZodType }} Route */

/** @param {Route} route */
const nameOf = ({ method, path }) => `${method} ${path}`;

/** @param {z.ZodType} response */
function schemaOf(response) {
  // An empty answer has no schema.
  if (response instanceof z.ZodUndefined) return {};
  const { $schema: _, ...schema } = z.toJSONSchema(response, { io: "output", unrepresentable: "any" });
  return schema;
}

/**
 * @param {unknown} value
 * @returns {Route[]}
 */
function routesIn(value, depth = 0) {
  if (typeof value !== "object" || value === null || value instanceof z.ZodType || depth > 4) return [];
  if ("method" in value && "path" in value && "response" in value && value.response instanceof z.ZodType)
    return [/** @type {Route} */ (value)];
  return Object.values(value).flatMap((child) => routesIn(child, depth + 1));
}

/**
 * The changes from `before` to `now` that break existing clients: fields that were removed, may be missing or have another
 * type. New fields and new values are compatible.
 * @param {Record<string, JsonSchema>} before
 * @param {Record<string, JsonSchema>} now
 * @returns {string[]} sentences
 */
export function incompatibilities(before, now) {
  return Object.entries(before).flatMap(([name, schema]) => {
    const present = now[name];
    if (!present) return [`${name} is gone.`];
    return compare({ root: schema, schema }, { root: present, schema: present }, new Set()).map((problem) => `${name}: ${problem}`);
  });
}

/** @typedef {{ root: JsonSchema, schema: JsonSchema }} Part a schema, and the document that contains the targets of its references */

/**
 * @param {Part} before
 * @param {Part} now
 * @param {Set<string>} compared pairs of references that are being compared, because schemas may be recursive
 * @returns {string[]}
 */
function compare(before, now, compared, path = "the answer") {
  const pair = `${String(before.schema["$ref"])} ${String(now.schema["$ref"])}`;
  if ("$ref" in before.schema && compared.has(pair)) return [];
  const inner = new Set([...compared, pair]);
  const old = resolved(before);
  const present = resolved(now);
  if (typeof present === "string" || typeof old === "string") return [`${path} has a reference to nothing.`];
  const oldChoices = choicesOf(old.schema);
  const choices = choicesOf(present.schema);
  // Every value that a client may receive now must have been possible before.
  if (oldChoices.length > 1 || choices.length > 1) {
    return choices
      .filter((schema) => !oldChoices.some((was) => compare({ ...old, schema: was }, { ...present, schema }, inner, path).length === 0))
      .map((schema) => `${path} may now be ${JSON.stringify(schema).slice(0, 80)}.`);
  }
  const type = typeOf(old.schema);
  const presentType = typeOf(present.schema);
  if (type !== undefined && type !== presentType && !(type === "number" && presentType === "integer"))
    return [`${path} was of type ${type} and is now ${presentType ?? "of any type"}.`];
  return [
    ...Object.entries(record(old.schema["properties"])).flatMap(([field, schema]) => {
      const fieldPath = `${path}.${field}`;
      const found = record(present.schema["properties"])[field];
      if (!isRecord(found)) return [`${fieldPath} is gone.`];
      const missing = requires(old.schema, field) && !requires(present.schema, field) ? [`${fieldPath} may now be missing.`] : [];
      return missing.concat(compare({ ...old, schema: record(schema) }, { ...present, schema: found }, inner, fieldPath));
    }),
    ...["items", "additionalProperties"].flatMap((key) => {
      const schema = old.schema[key];
      if (!isRecord(schema)) return [];
      return compare({ ...old, schema }, { ...present, schema: record(present.schema[key]) }, inner, `${path}[]`);
    }),
  ];
}

/**
 * @param {Part} part
 * @returns {Part | string}
 */
function resolved({ root, schema }) {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return { root, schema };
  if (reference === "#") return { root, schema: root };
  const found = record(root["$defs"])[reference.replace("#/$defs/", "")];
  return isRecord(found) ? { root, schema: found } : reference;
}

/**
 * @param {JsonSchema} schema
 * @returns {JsonSchema[]}
 */
function choicesOf(schema) {
  const choices = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(choices) ? choices : [schema];
}

/**
 * @param {JsonSchema} schema
 * @returns {string | undefined}
 */
function typeOf(schema) {
  const { type } = schema;
  if (typeof type === "string") return type;
  const values = Array.isArray(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : [];
  return values.length > 0 ? typeof values[0] : undefined;
}

/**
 * @param {JsonSchema} schema
 * @param {string} field
 */
const requires = (schema, field) => Array.isArray(schema["required"]) && schema["required"].includes(field);

/**
 * @param {unknown} value
 * @returns {value is JsonSchema}
 */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * @param {unknown} value
 * @returns {JsonSchema}
 */
const record = (value) => (isRecord(value) ? value : {});
