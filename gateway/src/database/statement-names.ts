import { LRUCache } from "lru-cache";

/** Limited, because each connection keeps a plan for every name in the server's memory. */
const maxNames = 300;
const minExecutions = 3;
const maxTextCharacters = 4_000;

const hasPlan = /^\s*(?:select|insert|update|delete|with)\b/i;

/**
 * Names for recurring statements, so that the server plans each of them once per connection: planning a small statement costs
 * more than running it. One-off statements, such as an import with a thousand values, get no name. Decision 0250.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #executions = new LRUCache<string, number>({ max: 1_000 });

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= maxNames || text.length > maxTextCharacters || !hasPlan.test(text)) return undefined;
    const executions = (this.#executions.get(text) ?? 0) + 1;
    this.#executions.set(text, executions);
    if (executions < minExecutions) return undefined;
    this.#executions.delete(text);
    const name = `fairway-${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}
