// @ts-check
import { schemasOf } from "./api.mjs";
import { keywordsOf } from "./schema-keywords.mjs";

/** @typedef {import("./api.mjs").JsonSchema} JsonSchema */

/**
 * The schemas of an OpenAPI document as TypedDicts. Python 3.9 knows no NotRequired, so that optional fields are in a base class.
 * @param {import("./api.mjs").OpenApiDocument} document
 */
export function pythonTypes(document) {
  const module = new Module();
  for (const [name, schema] of schemasOf(document)) module.define(name, schema);
  return [
    '"""Types of requests and answers, generated from the OpenAPI document by sdk/build."""',
    "from __future__ import annotations",
    "",
    "from typing import Any, Dict, List, Literal, TypedDict, Union",
    "",
    ...module.definitions,
    "",
  ].join("\n");
}

/** @type {Readonly<Record<string, string>>} */
const plainTypes = { string: "str", integer: "int", number: "float", boolean: "bool", null: "None", any: "Any", object: "Dict[str, Any]" };

class Module {
  /** @type {string[]} */
  definitions = [];

  /** @param {string} name @param {JsonSchema} schema */
  define(name, schema) {
    const keywords = keywordsOf(schema);
    if (keywords.kind !== "object") {
      // Evaluated when the module is loaded, unlike annotations: names that follow are quoted.
      this.definitions.push(`\n${name} = ${this.#typeOf(schema, name, true)}`);
      return;
    }
    const fields = keywords.fields.map(({ name: field, required, schema: type }) => {
      const text = this.#typeOf(type, `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`, true);
      return { required, line: `    ${JSON.stringify(field)}: ${text},` };
    });
    const required = fields.filter((one) => one.required);
    const optional = fields.filter((one) => !one.required);
    // The functional form takes names that are keywords of Python.
    const typedDict = (/** @type {string} */ title, /** @type {typeof fields} */ some, /** @type {string} */ total) =>
      `\n${title} = TypedDict("${title}", {\n${some.map(({ line }) => `${line}\n`).join("")}}${total})`;
    if (optional.length === 0) this.definitions.push(typedDict(name, required, ""));
    else if (required.length === 0) this.definitions.push(typedDict(name, optional, ", total=False"));
    else {
      this.definitions.push(typedDict(`_${name}`, required, ""));
      this.definitions.push(`\n\nclass ${name}(_${name}, total=False):\n${optional.map(({ line }) => fieldLine(line)).join("\n")}\n`);
    }
  }

  /**
   * @param {JsonSchema} schema
   * @param {string} name for an object that has none
   * @param {boolean} quoted
   * @returns {string}
   */
  #typeOf(schema, name, quoted) {
    const keywords = keywordsOf(schema);
    switch (keywords.kind) {
      case "reference":
        return quoted ? `"${keywords.name}"` : keywords.name;
      case "constants":
        return `Literal[${keywords.values.map((value) => JSON.stringify(value)).join(", ")}]`;
      case "union":
        return `Union[${keywords.members.map((member) => this.#typeOf(member, memberName(name, member), quoted)).join(", ")}]`;
      case "list":
        return `List[${this.#typeOf(keywords.items, name, quoted)}]`;
      case "tuple": {
        // JSON has only lists.
        const types = new Set(keywords.items.map((item) => this.#typeOf(item, name, quoted)));
        return types.size === 1 ? `List[${[...types].join("")}]` : `List[Union[${[...types].join(", ")}]]`;
      }
      case "map":
        return `Dict[str, ${this.#typeOf(keywords.values, name, quoted)}]`;
      case "object":
        this.define(name, schema);
        return quoted ? `"${name}"` : name;
      case "plain":
      default: {
        const types = keywords.types.map((type) => plainTypes[type] ?? "Any");
        return types.length === 1 ? String(types[0]) : `Union[${types.join(", ")}]`;
      }
    }
  }
}

/** Members of a union are distinguished by their `kind`. @param {string} name @param {JsonSchema} member */
function memberName(name, member) {
  const { kind } = /** @type {{ kind?: { const?: string } }} */ (member["properties"] ?? {});
  const words = (kind?.const ?? "").split("-");
  return name + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** `"name": type,` of the functional form as a line of a class. @param {string} line */
const fieldLine = (line) => line.replace(/^(\s*)"(\w+)": (.*),$/, "$1$2: $3");
