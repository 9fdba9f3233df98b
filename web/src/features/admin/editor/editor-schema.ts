import { isJsonObject } from "@fairway/contract/json";

/** The JSON schema of a type, as sent by the gateway. */
export type JsonSchema = Record<string, unknown>;

export type Path = readonly (string | number)[];

/** All schemas that may apply at a path, through every alternative. */
export function schemasAt(root: JsonSchema, path: Path): JsonSchema[] {
  return path.reduce<JsonSchema[]>((found, step) => found.flatMap((schema) => childSchemas(root, schema, step)), expand(root, root));
}

/** A one-line summary of schemas: their types or values, and the description. */
export function hintOf(root: JsonSchema, schemas: readonly JsonSchema[]): string {
  const types = [...new Set(schemas.flatMap((schema) => typeTexts(root, schema)))];
  const description = schemas.map((schema) => schema["description"]).find((text) => typeof text === "string");
  return [types.join(" or "), description].filter(Boolean).join(". ");
}

/** The field names that an object at this path may have, required ones first. */
export function namesAt(root: JsonSchema, path: Path): { name: string; required: boolean; hint: string }[] {
  const names = new Map<string, { name: string; required: boolean; hint: string }>();
  for (const schema of schemasAt(root, path)) {
    const required = Array.isArray(schema["required"]) ? schema["required"] : [];
    for (const [name, inner] of Object.entries(isJsonObject(schema["properties"]) ? schema["properties"] : {})) {
      if (isJsonObject(inner)) names.set(name, { name, required: required.includes(name), hint: hintOf(root, expand(root, inner)) });
    }
  }
  return [...names.values()].toSorted((one, other) => Number(other.required) - Number(one.required));
}

/** The values that the schema lists for a path. */
export function valuesAt(root: JsonSchema, path: Path): unknown[] {
  const values = schemasAt(root, path).flatMap((schema): unknown[] => {
    if (Array.isArray(schema["enum"])) return schema["enum"];
    if (Object.hasOwn(schema, "const")) return [schema["const"]];
    const plain: Record<string, unknown[]> = { boolean: [true, false], null: [null], array: [[]] };
    return typesOf(schema).flatMap((type) => plain[type] ?? []);
  });
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function childSchemas(root: JsonSchema, schema: JsonSchema, step: string | number): JsonSchema[] {
  if (typeof step === "number") {
    const { items, prefixItems } = schema;
    const item = Array.isArray(prefixItems) ? ((prefixItems[step] as unknown) ?? items) : items;
    return isJsonObject(item) ? expand(root, item) : [];
  }
  const { properties, additionalProperties } = schema;
  if (isJsonObject(properties) && isJsonObject(properties[step])) return expand(root, properties[step]);
  return isJsonObject(additionalProperties) ? expand(root, additionalProperties) : [];
}

/** Follows references and expands alternatives. Bounded, because a schema may refer to itself. */
function expand(root: JsonSchema, schema: JsonSchema, depth = 0): JsonSchema[] {
  if (depth > 8) return [];
  const { $ref: ref } = schema;
  if (typeof ref === "string") {
    const referenced = ref
      .replace(/^#\/?/, "")
      .split("/")
      .filter(Boolean)
      .reduce<unknown>(
        (target, step) => (isJsonObject(target) ? target[step.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
        root,
      );
    return isJsonObject(referenced) ? expand(root, referenced, depth + 1) : [];
  }
  const choices = [schema["anyOf"], schema["oneOf"], schema["allOf"]].flatMap((list) => (Array.isArray(list) ? list : []));
  if (choices.length === 0) return [schema];
  const { description } = schema;
  return choices
    .filter(isJsonObject)
    .flatMap((choice) => expand(root, description === undefined ? choice : { description, ...choice }, depth + 1));
}

function typeTexts(root: JsonSchema, schema: JsonSchema): string[] {
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value));
  if (Object.hasOwn(schema, "const")) return [JSON.stringify(schema["const"])];
  const typeNames: Record<string, string> = { string: "text", integer: "whole number", boolean: "true or false", array: "list" };
  return typesOf(schema).map((type) => {
    const itemTypes =
      type === "array" && isJsonObject(schema["items"]) ? expand(root, schema["items"]).flatMap((item) => typeTexts(root, item)) : [];
    return itemTypes.length === 0 ? (typeNames[type] ?? type) : `list of ${[...new Set(itemTypes)].join(" or ")}`;
  });
}

/** A schema has one type or a list of types. */
const typesOf = ({ type }: JsonSchema): string[] => (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
