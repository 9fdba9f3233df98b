import { createRequire } from "node:module";
import { TimeSlice } from "#threads/time-slice.ts";

const require = createRequire(import.meta.url);

/** Unicode confusables: the character that each character may be mistaken for. Decision 0198. */
const confusables = require("unhomoglyph/data.json") as Readonly<Record<string, string>>;

/**
 * Equal for usernames that differ only in case, width or surrounding spaces. Computed here instead of with the database's
 * `lower`, so that all lookups agree regardless of the database's locale.
 */
export const usernameKey = (username: string): string => username.trim().normalize("NFKC").toLowerCase();

const isAscii = (text: string): boolean => /^[\0-\u007f]*$/.test(text);

/**
 * Visual forms of a username (its skeleton according to UTS 39), both in lower case and as written, because letters that differ in lower
 * case may look the same in upper case.
 */
function skeletons(username: string): string[] {
  const plain = username.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  const skeleton = (text: string) =>
    Array.from(text.normalize("NFD"), (character) => confusables[character] ?? character)
      .join("")
      .normalize("NFD")
      .toLowerCase();
  return [...new Set([skeleton(plain.toLowerCase()), skeleton(plain)])];
}

/** Index of usernames by appearance. ASCII names are never look-alikes of each other. */
export class LookAlikes {
  readonly #ascii = new Map<string, string[]>();
  readonly #others = new Map<string, string[]>();

  /** Lets the event loop go on in between: what many names look like takes long. */
  static async of(usernames: Iterable<string>): Promise<LookAlikes> {
    const index = new LookAlikes();
    const slice = new TimeSlice();
    for (const username of usernames) {
      await slice.end();
      index.add(username);
    }
    return index;
  }

  add(username: string): void {
    const index = isAscii(username) ? this.#ascii : this.#others;
    for (const skeleton of skeletons(username)) {
      const known = index.get(skeleton);
      if (known === undefined) index.set(skeleton, [username]);
      else known.push(username);
    }
  }

  /** A username that looks the same; undefined if there is none. */
  find(username: string): string | undefined {
    return this.findAll(username)[0];
  }

  /** All other usernames that look the same. */
  findAll(username: string): string[] {
    const indexes = isAscii(username) ? [this.#others] : [this.#others, this.#ascii];
    const matches = skeletons(username).flatMap((skeleton) => indexes.flatMap((index) => index.get(skeleton) ?? []));
    return [...new Set(matches)].filter((match) => match !== username);
  }
}
