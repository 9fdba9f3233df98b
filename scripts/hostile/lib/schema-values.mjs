// @ts-check
import { naughtyStrings } from "./naughty-strings.mjs";

/** @typedef {Record<string, any>} Schema a JSON schema as the OpenAPI document holds it */
/**
 * How values are chosen. `valid`: the schema accepts nearly all. `boundary`: at the limits of the schema and one beyond. `hostile`: texts
 * and numbers that break programs. `mixed`: mostly valid ones, so that they pass validation, and occasionally others.
 * @typedef {"valid" | "boundary" | "hostile" | "mixed"} Manner
 */

const oddValues = [null, true, 0, -1, 1e308, 2 ** 53 + 2, 0.1, "", "x", [], {}, [[]], { a: { b: [1] } }, [null], "2020-01-01", "\0"];
const hostileNumbers = [-1, 0, -0.1, 1e21, -1e308, 2 ** 31, 2 ** 32 + 1, 2 ** 53 + 2, 5e-324];
const times = ["2020-01-01T00:00:00Z", "2030-12-31T23:59:59.999Z"];
const oddTimes = [
  "0000-00-00T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "+275760-09-13T00:00:00.001Z",
  "2020-02-30T25:61:61Z",
  "-000001-01-01T00:00:00Z",
];
const texts = ["points", "Trials", "value", "name", "=", "count", "*", "x", "a.b", "2", "https://127.0.0.1:1/x", "2020-01-01T00:00:00Z"];
const uuid = "123e4567-e89b-12d3-a456-426614174000";
/** Lengths beyond are not tried: bodies have limits of their own. */
const maxLength = 20_000;
const maxItems = 200;

/** Chances of a value of any type, of a hostile text, of a field that is missing and of one that is unknown. */
const chances = {
  valid: { odd: 0, naughty: 0, missing: 0, unknown: 0 },
  boundary: { odd: 0.01, naughty: 0, missing: 0.01, unknown: 0 },
  hostile: { odd: 0.08, naughty: 0.25, missing: 0.05, unknown: 0.1 },
  mixed: { odd: 0.04, naughty: 0.02, missing: 0.03, unknown: 0.05 },
};

/**
 * Generates values for a JSON schema.
 * @param {Record<string, Schema>} schemas the document's components
 * @param {import("./random.mjs").Random} random
 */
export function schemaValues(schemas, random) {
  /**
   * @param {Schema | boolean | undefined} schema
   * @param {{ manner?: Manner, known?: (field: string) => readonly unknown[] }} [options] `known`: values that a field may have
   * @returns {unknown}
   */
  return function valueOf(schema, { manner = "mixed", known = () => [] } = {}) {
    const { odd, naughty, missing, unknown } = chances[manner];

    /**
     * @param {Schema | boolean | undefined} of
     * @param {number} depth
     * @returns {unknown}
     */
    function value(of, depth) {
      if (of === undefined || typeof of === "boolean" || random.isHit(odd)) return random.pick(oddValues);
      if (random.isHit(naughty)) return random.pick(naughtyStrings);
      if (typeof of["$ref"] === "string") return value(schemas[of["$ref"].split("/").at(-1) ?? ""], depth + 1);
      if ("const" in of) return of["const"];
      if ("default" in of && manner === "valid" && random.isHit(0.5)) return of["default"];
      if (Array.isArray(of["enum"])) return random.pick(of["enum"]);
      const choices = of["anyOf"] ?? of["oneOf"];
      if (Array.isArray(choices)) return value(random.pick(choices), depth + 1);
      if (Array.isArray(of["allOf"])) return Object.assign({}, ...of["allOf"].map((/** @type {Schema} */ one) => value(one, depth + 1)));
      const type = Array.isArray(of["type"]) ? random.pick(of["type"]) : of["type"];
      switch (type) {
        case "object":
          return object(of, depth);
        case "array":
          return depth > 8 ? [] : Array.from({ length: countOf(of, depth) }, () => value(of["items"], depth + 1));
        case "integer":
        case "number":
          return number(of, type);
        case "boolean":
          return random.isHit(0.5);
        case "null":
          return null;
        default:
          return text(of);
      }
    }

    /** @param {Schema} of @param {number} depth */
    function object(of, depth) {
      const required = new Set(of["required"] ?? []);
      const fields = Object.entries(/** @type {Record<string, Schema>} */ (of["properties"] ?? {}));
      const included = fields.filter(([name]) => (required.has(name) ? !random.isHit(missing) : depth < 6 && random.isHit(0.6)));
      const extra = random.isHit(unknown) ? [[random.pick(naughtyStrings), random.pick(oddValues)]] : [];
      return Object.fromEntries([...included.map(([name, field]) => [name, fieldOf(name, field, depth + 1)]), ...extra]);
    }

    /** @param {string} name @param {Schema} of @param {number} depth */
    function fieldOf(name, of, depth) {
      const isText = of["type"] === "string" && of["enum"] === undefined && !("const" in of) && of["format"] === undefined;
      const isList = of["type"] === "array";
      const values = isText || isList ? known(name).filter((one) => Array.isArray(one) === isList) : [];
      return values.length > 0 && random.isHit(manner === "hostile" ? 0.3 : 0.7) ? random.pick(values) : value(of, depth);
    }

    /** @param {Schema} of @param {number} depth */
    function countOf(of, depth) {
      const [least, most] = [of["minItems"] ?? 0, of["maxItems"] ?? 3];
      // Long lists within long lists would only be too large.
      if (manner === "boundary" && depth < 3) return Math.min(maxItems, Math.max(0, random.pick([least, least - 1, most, most + 1])));
      return Math.max(least, Math.min(most, Math.floor(random.next() * 4)));
    }

    /** @param {Schema} of @param {"integer" | "number"} type */
    function number(of, type) {
      const least = of["minimum"] ?? (of["exclusiveMinimum"] === undefined ? 0 : of["exclusiveMinimum"] + 1);
      const most = of["maximum"] ?? of["exclusiveMaximum"] ?? least + 10;
      if (manner === "hostile") return random.pick(hostileNumbers);
      if (manner === "boundary") return random.pick([least, most, least - 1, most + 1, type === "integer" ? most - 1 : (least + most) / 2]);
      const within = random.pick([least, Math.min(most, least + 1), Math.min(most, 25)]);
      return manner === "valid" ? within : random.pick([within, most, most + 1, -1, 0.5]);
    }

    /** @param {Schema} of */
    function text(of) {
      if (of["format"] === "date-time") return random.pick(manner === "valid" ? times : [...times, ...oddTimes]);
      if (of["format"] === "uuid") return uuid;
      if (of["format"] === "uri") return "http://127.0.0.1:1/x";
      const [least, most] = [Math.min(of["minLength"] ?? 0, maxLength), Math.min(of["maxLength"] ?? 100, maxLength)];
      if (manner === "boundary") return "x".repeat(Math.max(0, random.pick([least, least - 1, most, most + 1])));
      return random.pick(texts).padEnd(least, "x");
    }

    return value(schema, 0);
  };
}
