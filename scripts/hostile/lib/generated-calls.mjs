// @ts-check
import { naughtyStrings, pathPart } from "./naughty-strings.mjs";

/** @typedef {import("./schema-values.mjs").Schema} Schema */
/** @typedef {import("./schema-values.mjs").Manner | "broken"} CallManner */
/** @typedef {{ name: string, in: string, required: boolean, schema: Schema }} Parameter */
/** @typedef {{ parameters: Parameter[], requestBody?: { content: Record<string, { schema: Schema }> }, responses: Record<string, any> }} Operation */
/** @typedef {{ method: string, path: string, operation: Operation }} ListedOperation */
/** @typedef {{ manner: CallManner, target: string, headers: Record<string, string>, body?: string | Uint8Array }} GeneratedCall */

/** Valid calls are the most, because others rarely get past validation. @type {readonly CallManner[]} */
const manners = ["valid", "valid", "valid", "mixed", "mixed", "boundary", "hostile", "hostile", "broken"];
const knownFields = /** @type {Record<string, readonly string[]>} */ ({
  category: ["Trials"],
  datasetCategory: ["Trials"],
  datasetId: ["points"],
  columnName: ["name", "value"],
  column: ["name", "value", "time", "position"],
  file: ["a.txt", "b/c.csv", "d.parquet"],
  username: ["ada"],
});
/** Values of fields whose texts have a form that the document does not tell, or that few texts fulfil. */
const formedFields = /** @type {Record<string, readonly unknown[]>} */ ({
  query: ['{"filters":[]}', "{}", "null", '{"filters":[{"name":"x"}]}'],
  queryJson: ['{"filters":[]}'],
  templateJson: ["{}", "[]"],
  baseUrl: ["http://127.0.0.1:1/nifi", "https://localhost/x"],
  baseRoute: ["http://127.0.0.1:1", "https://localhost/x?y#z"],
  url: ["http://127.0.0.1:1/x"],
  expression: ["value * 2", "length(name)", "1 / 0", "if(value > 1, 'a', 'b')", "((((((((((value))))))))))"],
  joltSpec: [[{ operation: "shift", spec: { "*": "&" } }], [{ operation: "default", spec: { a: 1 } }]],
  polygons: [["0 0, 10 0, 10 10, 0 0"], ["0 0, 0 0, 0 0"]],
  filters: [[{ name: "name", operator: "=", value: "point 1" }], [{ name: "value", operator: ">", value: "NaN" }]],
  columns: [["name"], ["value", "time"]],
  operator: ["=", "<>", ">", "between", "contains"],
  codeVerifier: ["v".repeat(43)],
  paths: [["a.txt"], ["b/"]],
});
const oddHeaders = [
  { range: "bytes=0-0,5-,-5" },
  { range: "bytes=99999999999999999999-" },
  { "if-match": '"' },
  { "if-none-match": "*, W/" },
  { "accept-encoding": "identity;q=0, *;q=9" },
  { accept: "x/y;q=2" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-type": "text/plain" },
  { "content-type": "multipart/form-data; boundary=" },
  { "content-encoding": "gzip" },
  { authorization: "Bearer \u00e9.x.y" },
  { cookie: `JWT=${"a".repeat(3_000)}` },
  { "last-event-id": "-1" },
  { "x-forwarded-for": "1.2.3.4, ::1" },
];
const deep = 40_000;
const brokenBodies = [
  "",
  "null",
  "0",
  '"x"',
  "[",
  '{"a":1,"a":2}',
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
  '\ufeff{"a":1}',
  '{"a":1e999999}',
  "\0",
  "[".repeat(deep) + "]".repeat(deep),
  `[${"1,".repeat(100_000)}1]`,
];

/** Makes calls of the operations of an OpenAPI document. */
export class CallGenerator {
  #random;
  #valueOf;
  #known;
  #names = 0;

  /**
   * @param {import("./random.mjs").Random} random
   * @param {ReturnType<typeof import("./schema-values.mjs").schemaValues>} valueOf
   * @param {import("./known-values.mjs").KnownValues} known
   */
  constructor(random, valueOf, known) {
    this.#random = random;
    this.#valueOf = valueOf;
    this.#known = known;
  }

  /** @param {ListedOperation} operation @returns {GeneratedCall} */
  next({ method, path, operation }) {
    const manner = this.#random.pick(manners);
    const target = this.#target(path, operation, manner);
    const headers = this.#headers(operation, manner);
    const isBroken = manner === "broken";
    if (isBroken && this.#random.isHit(0.5)) Object.assign(headers, this.#random.pick(oddHeaders));
    const form = operation.requestBody?.content["multipart/form-data"];
    if (form !== undefined) return { manner, target, ...this.#form(manner, headers) };
    const schema = operation.requestBody?.content["application/json"]?.schema;
    if (schema !== undefined) return { manner, target, headers, body: this.#body(path, method, schema, manner) };
    // Other operations that write take the bytes of a file.
    if (method !== "GET" && this.#random.isHit(0.3))
      return { manner, target, headers: { "content-type": "application/octet-stream", ...headers }, body: this.#bytes() };
    return { manner, target, headers };
  }

  /** @param {string} path @param {Operation} operation @param {CallManner} manner */
  #target(path, { parameters }, manner) {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name, index) => {
      const schema = parameters.find((one) => one.in === "path" && one.name === name)?.schema ?? {};
      return pathPart(this.#parameter(path.slice(0, index), name, schema, manner)) || "x";
    });
    const query = parameters
      .filter((one) => one.in === "query" && (one.required ? !this.#isOdd(manner, 0.1) : this.#random.isHit(0.6)))
      .map((one) => `${one.name}=${pathPart(this.#parameter(path, one.name, one.schema, manner))}`);
    if (this.#isOdd(manner, 0.2)) query.push(this.#random.pick(["x=%zz", "__proto__=1", "a[]=1&a[b]=2", ...query, "&&==&", "%00=%00"]));
    return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
  }

  /** @param {string} prefix of the path @param {string} name @param {Schema} schema @param {CallManner} manner */
  #parameter(prefix, name, schema, manner) {
    if (manner === "broken" && this.#random.isHit(0.3)) return this.#random.pick(naughtyStrings);
    const known = this.#fieldValues(prefix, name);
    if (known.length > 0 && this.#random.isHit(manner === "hostile" ? 0.6 : 0.9)) return this.#random.pick(known);
    const value = this.#valueOf(schema, { manner: schemaManner(manner) });
    return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  }

  /** @param {string} path @param {string} name */
  #fieldValues(path, name) {
    return knownFields[name] ?? this.#known.of(path, name);
  }

  /** @param {string} collection @param {string} field @returns {readonly unknown[]} */
  #bodyValues(collection, field) {
    if (field === "entities") return this.#known.things(collection).map((thing) => [thing]);
    if (field === "ids") return this.#known.of(collection, "id").map((id) => [id]);
    if (field === "name" && this.#random.isHit(0.5)) return [`thing ${(this.#names += 1)}`];
    return formedFields[field] ?? this.#fieldValues(collection, field);
  }

  /** @param {Operation} operation @param {CallManner} manner @returns {Record<string, string>} */
  #headers({ parameters }, manner) {
    const named = parameters.filter((one) => one.in === "header" && this.#random.isHit(manner === "valid" ? 0.2 : 0.5));
    const texts = ['"1"', "*", 'W/"x"', ""];
    return Object.fromEntries(named.map((one) => [one.name.toLowerCase(), this.#random.pick(texts)]));
  }

  /** @param {string} path @param {string} method @param {Schema} schema @param {CallManner} manner */
  #body(path, method, schema, manner) {
    const text = JSON.stringify(this.#bodyValue(path, method, schema, schemaManner(manner))) ?? "";
    if (manner !== "broken") return text;
    return this.#random.pick([...brokenBodies, text.slice(0, Math.floor(this.#random.next() * text.length)), `${text}${text}`]);
  }

  /** @param {string} path @param {string} method @param {Schema} schema @param {import("./schema-values.mjs").Manner} manner */
  #bodyValue(path, method, schema, manner) {
    const collection = path.replace(/\/import(?:\/preview)?$|\/bulk$/, "");
    const things = this.#known.things(collection);
    const value = this.#valueOf(schema, { manner, known: (field) => this.#bodyValues(collection, field) });
    if (collection !== path) return value;
    if (things.length === 0 || !["PUT", "POST"].includes(method) || typeof value !== "object" || value === null || Array.isArray(value))
      return value;
    // A thing that exists with a few other fields passes validation far more often.
    if (!this.#random.isHit(0.6)) return value;
    const changed = Object.entries(value).filter(() => this.#random.isHit(0.3));
    return { ...this.#random.pick(things), ...Object.fromEntries(changed) };
  }

  /** @param {CallManner} manner @param {Record<string, string>} headers */
  #form(manner, headers) {
    const name = manner === "hostile" ? this.#random.pick(naughtyStrings).replaceAll(/[\r\n"]/g, "") : "a.txt";
    const text = `--b\r\ncontent-disposition: form-data; name="file"; filename="${name.slice(0, 2_000)}"\r\n\r\ntext\r\n--b--\r\n`;
    const end = manner === "broken" ? Math.floor(this.#random.next() * text.length) : text.length;
    return { headers: { "content-type": "multipart/form-data; boundary=b", ...headers }, body: text.slice(0, end) };
  }

  #bytes() {
    return Buffer.from(Array.from({ length: Math.floor(this.#random.next() * 300) }, () => Math.floor(this.#random.next() * 256)));
  }

  /** @param {CallManner} manner @param {number} chance */
  #isOdd(manner, chance) {
    return (manner === "hostile" || manner === "broken") && this.#random.isHit(chance);
  }
}

/** @param {CallManner} manner */
const schemaManner = (manner) => (manner === "broken" ? "mixed" : manner);
