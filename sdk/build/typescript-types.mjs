// @ts-check
import { operationsOf, schemasOf, successOf } from "./api.mjs";
import { keywordsOf } from "./schema-keywords.mjs";

/** @typedef {import("./api.mjs").JsonSchema} JsonSchema */

/**
 * The schemas of an OpenAPI document as interfaces, and its operations with their parameters, bodies and answers.
 * @param {import("./api.mjs").OpenApiDocument} document
 */
export function typescriptTypes(document) {
  const operations = operationsOf(document);
  return [
    "// Generated from the OpenAPI document by sdk/build.",
    ...schemasOf(document).map(([name, schema]) => `\nexport ${declaration(name, schema)}`),
    "\n/** The calls of the API by the id of their operation. */",
    "export interface Operations {",
    ...operations.map(({ operation }) => operationType(operation)),
    "}",
    "\n/** Method and path of every operation. */",
    "export const operations: Readonly<Record<keyof Operations, readonly [method: string, path: string]>> = {",
    ...operations.map(({ path, method, operation }) => `  "${operation.operationId}": ["${method}", "${path}"],`),
    "};",
    "",
  ].join("\n");
}

/** @param {string} name @param {JsonSchema} schema */
function declaration(name, schema) {
  const type = typeOf(schema, "");
  return keywordsOf(schema).kind === "object" ? `interface ${name} ${type}` : `type ${name} = ${type};`;
}

/** @param {import("./api.mjs").OpenApiOperation} operation */
function operationType(operation) {
  const { operationId, summary, parameters, requestBody } = operation;
  const { schema, isJson } = successOf(operation);
  /** @param {"path" | "query"} location */
  const fields = (location) =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, required, schema: field }) => `${name}${required ? "" : "?"}: ${typeOf(field, "      ")}`);
  const body = requestBody?.content["application/json"]?.schema;
  return [
    `  /** ${summary.replaceAll("*/", "*\\/")} */`,
    `  "${operationId}": {`,
    `    params: ${objectOf(fields("path"))};`,
    `    query: ${objectOf(fields("query"))};`,
    `    body: ${body === undefined ? "undefined" : typeOf(body, "    ")};`,
    `    answer: ${isJson ? (schema === undefined ? "undefined" : typeOf(schema, "    ")) : "Response"};`,
    "  };",
  ].join("\n");
}

/** @param {readonly string[]} fields */
const objectOf = (fields) => (fields.length === 0 ? "undefined" : `{ ${fields.join("; ")} }`);

/**
 * @param {JsonSchema} schema
 * @param {string} indent
 * @returns {string}
 */
function typeOf(schema, indent) {
  const keywords = keywordsOf(schema);
  switch (keywords.kind) {
    case "reference":
      return keywords.name;
    case "constants":
      return keywords.values.map((value) => JSON.stringify(value)).join(" | ");
    case "union":
      return keywords.members.map((member) => typeOf(member, indent)).join(" | ");
    case "list": {
      const items = typeOf(keywords.items, indent);
      return /[|{]/.test(items) ? `Array<${items}>` : `${items}[]`;
    }
    case "tuple":
      return `[${keywords.items.map((item) => typeOf(item, indent)).join(", ")}]`;
    case "map":
      return `Record<string, ${typeOf(keywords.values, indent)}>`;
    case "object": {
      const inner = `${indent}  `;
      const fields = keywords.fields.map(({ name, required, schema: field }) => {
        const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
        return `${inner}${key}${required ? "" : "?"}: ${typeOf(field, inner)};\n`;
      });
      return `{\n${fields.join("")}${indent}}`;
    }
    case "plain":
    default:
      return keywords.types.map((type) => ({ integer: "number", any: "unknown" })[type] ?? type).join(" | ");
  }
}
