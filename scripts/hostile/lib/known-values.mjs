// @ts-check

/** The newest values are kept: what they name is most likely still there. */
const maxValues = 40;
const maxDepth = 4;
const maxEntries = 20;

/**
 * Ids, names and whole things that the portal has answered, so that later calls reach what exists. They are kept by the collection,
 * which is the last word of a path before a parameter: `boards` of `/boards/{id}/revisions/{version}`.
 */
export class KnownValues {
  /** @type {Map<string, string[]>} */
  #values = new Map();
  /** @type {Map<string, Record<string, unknown>[]>} */
  #things = new Map();

  /**
   * Remembers what an answer contains.
   * @param {string} path of the operation, with its parameters in braces
   * @param {unknown} answer
   */
  remember(path, answer) {
    this.#walk(collectionOf(path), answer, 0);
  }

  /**
   * @param {string} path up to a parameter, or of an operation
   * @param {string} name of a parameter or field
   * @returns {readonly string[]} values that it may have
   */
  of(path, name) {
    const collection = collectionOf(path);
    // Things without an id are called by their name.
    const ofCollection =
      this.#values.get(`${collection}.${name}`) ?? (name === "id" ? this.#values.get(`${collection}.name`) : undefined) ?? [];
    return ofCollection.length > 0 || name === "id" || name === "name" ? ofCollection : (this.#values.get(name) ?? []);
  }

  /** Whole things of the collection, as the portal has answered them. @param {string} path */
  things(path) {
    return this.#things.get(collectionOf(path)) ?? [];
  }

  /** @param {string} collection @param {unknown} value @param {number} depth */
  #walk(collection, value, depth) {
    if (typeof value !== "object" || value === null || depth > maxDepth) return;
    if (Array.isArray(value)) {
      for (const entry of value.slice(0, maxEntries)) this.#walk(collection, entry, depth + 1);
      return;
    }
    const fields = Object.entries(value).slice(0, 50);
    // A thing is what the answer is or lists, not what is within it.
    if (depth <= 1 && fields.length > 2) keep(this.#things, collection, /** @type {Record<string, unknown>} */ (value));
    for (const [name, field] of fields) {
      if (typeof field === "object") this.#walk(collection, field, depth + 1);
      else if (isShort(field)) {
        keep(this.#values, `${collection}.${name}`, String(field));
        if (name !== "id" && name !== "name") keep(this.#values, name, String(field));
      }
    }
  }
}

const isShort = (/** @type {unknown} */ value) =>
  (typeof value === "string" && value.length <= 200 && value !== "") || typeof value === "number";

/** @param {string} path */
function collectionOf(path) {
  const words = path.split("/").filter((word) => word !== "");
  while (words.length > 0 && words.at(-1)?.startsWith("{")) words.pop();
  return words.at(-1) ?? "";
}

/**
 * @template T
 * @param {Map<string, T[]>} map
 * @param {string} key
 * @param {T} value
 */
function keep(map, key, value) {
  const values = map.get(key) ?? [];
  if (values.includes(value)) return;
  values.push(value);
  if (values.length > maxValues) values.shift();
  map.set(key, values);
}
