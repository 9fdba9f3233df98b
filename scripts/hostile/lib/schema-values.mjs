// @ts-check
import { naughtyStrings } from "./naughty-strings.mjs";

/** @typedef {Record<string, any>} Schema a JSON schema as the OpenAPI document holds it */

const oddValues = [null, true, 0, -1, 1e308, 2 ** 53 + 2, 0.1, "", "x", [], {}, [[]], { a: { b: [1] } }, [null], "2020-01-01", "\0"];

/**
 * Generates values for a JSON schema: mostly valid ones, so that they pass validation, and occasionally invalid ones.
 * @param {Record<string, Schema>} schemas the document's components
 * @param {import("./random.mjs").Random} random
 */
export function schemaValues(schemas, random) {
  /**
   * @param {Schema | boolean | undefined} schema
   * @param {number} depth
   * @returns {unknown}
   */
  function valueOf(schema, depth = 0) {
    if (schema === undefined || typeof schema === "boolean" || random.isHit(0.04)) return random.pick(oddValues);
    if (random.isHit(0.02)) return random.pick(naughtyStrings);
    if (typeof schema["$ref"] === "string") return valueOf(schemas[schema["$ref"].split("/").at(-1) ?? ""], depth + 1);
    if ("const" in schema) return schema["const"];
    if (Array.isArray(schema["enum"])) return random.pick(schema["enum"]);
    const choices = schema["anyOf"] ?? schema["oneOf"];
    if (Array.isArray(choices)) return valueOf(random.pick(choices), depth + 1);
    if (Array.isArray(schema["allOf"]))
      return Object.assign({}, ...schema["allOf"].map((/** @type {Schema} */ one) => valueOf(one, depth + 1)));
    const type = Array.isArray(schema["type"]) ? random.pick(schema["type"]) : schema["type"];
    switch (type) {
      case "object":
        return objectOf(schema, depth);
      case "array":
        return depth > 8 ? [] : Array.from({ length: Math.floor(random.next() * 4) }, () => valueOf(schema["items"], depth + 1));
      case "integer":
      case "number":
        return random.pick([schema["minimum"] ?? 0, schema["maximum"] ?? 10, 1, 2, 25, (schema["maximum"] ?? 10) + 1, -1, 0.5]);
      case "boolean":
        return random.isHit(0.5);
      case "null":
        return null;
      default:
        return textOf(schema);
    }
  }

  /** @param {Schema} schema @param {number} depth */
  function objectOf(schema, depth) {
    const required = new Set(schema["required"] ?? []);
    const fields = Object.entries(/** @type {Record<string, Schema>} */ (schema["properties"] ?? {}));
    const included = fields.filter(([name]) => (required.has(name) ? !random.isHit(0.03) : depth < 6 && random.isHit(0.6)));
    const extra = random.isHit(0.05) ? [[random.pick(naughtyStrings), random.pick(oddValues)]] : [];
    return Object.fromEntries([...included.map(([name, field]) => [name, valueOf(field, depth + 1)]), ...extra]);
  }

  /** @param {Schema} schema */
  function textOf(schema) {
    if (schema["format"] === "date-time") return random.pick(["2020-01-01T00:00:00Z", "2030-12-31T23:59:59.999Z", "0000-00-00T00:00:00Z"]);
    if (schema["format"] === "uuid") return "123e4567-e89b-12d3-a456-426614174000";
    const text = random.pick([
      "points",
      "Trials",
      "value",
      "name",
      "=",
      "count",
      "*",
      "x",
      "a.b",
      "2",
      "https://127.0.0.1:1/x",
      "2020-01-01T00:00:00Z",
    ]);
    return text.padEnd(Math.min(schema["minLength"] ?? 0, 1_000), "x");
  }

  return valueOf;
}
