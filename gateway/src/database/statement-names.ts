import { LRUCache } from "lru-cache";

/** Each connection keeps a plan for every name, in the server's memory. */
const maxNames = 300;
const namedFromSighting = 3;
const maxTextCharacters = 4_000;

const hasPlan = /^\s*(?:select|insert|update|delete|with)\b/i;

/**
 * Names for the statements that recur, so that the server plans each once per connection: planning costs it more than
 * running a small one. Statements seen once, such as an import's with its thousand values, get none. Decision 0250.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #sightings = new LRUCache<string, number>({ max: 1_000 });

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= maxNames || text.length > maxTextCharacters || !hasPlan.test(text)) return undefined;
    const sightings = (this.#sightings.get(text) ?? 0) + 1;
    this.#sightings.set(text, sightings);
    if (sightings < namedFromSighting) return undefined;
    this.#sightings.delete(text);
    const name = `fairway-${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}
