// @ts-check

/** @typedef {import("./api.mjs").JsonSchema} JsonSchema */
/**
 * @typedef {{ kind: "reference", name: string }
 *   | { kind: "constants", values: unknown[] }
 *   | { kind: "union", members: JsonSchema[] }
 *   | { kind: "list", items: JsonSchema }
 *   | { kind: "tuple", items: JsonSchema[] }
 *   | { kind: "map", values: JsonSchema }
 *   | { kind: "object", fields: { name: string, required: boolean, schema: JsonSchema }[] }
 *   | { kind: "plain", types: string[] }} Keywords
 */

/** Keywords that limit values without changing their type. */
const restrictions = new Set(
  "minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems default description propertyNames".split(
    " ",
  ),
);
const known = new Set([
  "$ref",
  "const",
  "enum",
  "anyOf",
  "oneOf",
  "type",
  "prefixItems",
  "items",
  "properties",
  "required",
  "additionalProperties",
]);

/**
 * Type keywords of a schema of the contract. Throws on a keyword that no schema of the contract has used so far.
 * @param {JsonSchema} schema
 * @returns {Keywords}
 */
export function keywordsOf(schema) {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword) && !restrictions.has(keyword));
  if (unknown.length > 0) throw new Error(`sdk/build/schema-keywords.mjs knows no ${unknown.join(", ")} of ${JSON.stringify(schema)}`);
  const {
    $ref,
    const: constant,
    enum: values,
    anyOf,
    oneOf = anyOf,
    type,
    prefixItems,
    items,
    properties,
    required = [],
    additionalProperties,
  } = /** @type {Record<string, any>} */ (schema);
  if ($ref !== undefined) return { kind: "reference", name: $ref.slice("#/components/schemas/".length) };
  if (values !== undefined) return { kind: "constants", values };
  if ("const" in schema) return { kind: "constants", values: [constant] };
  if (oneOf !== undefined) return { kind: "union", members: oneOf };
  if (prefixItems !== undefined) return { kind: "tuple", items: prefixItems };
  if (type === "array") return { kind: "list", items: items ?? {} };
  if (type === "object" && properties === undefined && typeof additionalProperties === "object") {
    return { kind: "map", values: additionalProperties };
  }
  if (type === "object") {
    const fields = Object.entries(properties ?? {});
    return { kind: "object", fields: fields.map(([name, field]) => ({ name, required: required.includes(name), schema: field })) };
  }
  return { kind: "plain", types: [type ?? "any"].flat() };
}
