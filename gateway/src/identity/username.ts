import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Unicode's confusables: what each character may be taken for. Decision 0198. */
const confusables = require("unhomoglyph/data.json") as Readonly<Record<string, string>>;

/**
 * What makes two usernames the same: spelling apart from case, width and surrounding spaces. Made here rather than by the
 * database's `lower`, so that every place that counts or looks up by username agrees, whatever the database's locale.
 */
export const usernameKey = (username: string): string => username.trim().normalize("NFKC").toLowerCase();

const isAscii = (text: string): boolean => /^[\0-\u007f]*$/.test(text);

/**
 * What a username looks like (the skeleton of Unicode's UTS 39): once in lower case, and once as it is written, since letters
 * that differ in lower case may look the same in upper case.
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

/** Usernames by what they look like. Two of ASCII letters alone are told apart by case and spelling, as ever. */
export class LookAlikes {
  readonly #ascii = new Map<string, string[]>();
  readonly #others = new Map<string, string[]>();

  constructor(usernames: Iterable<string>) {
    for (const username of usernames) this.add(username);
  }

  add(username: string): void {
    const known = isAscii(username) ? this.#ascii : this.#others;
    for (const skeleton of skeletons(username)) known.set(skeleton, [...(known.get(skeleton) ?? []), username]);
  }

  /** A username that looks the same; undefined where there is none. */
  find(username: string): string | undefined {
    return this.findAll(username)[0];
  }

  /** All others that look the same. */
  findAll(username: string): string[] {
    const known = isAscii(username) ? [this.#others] : [this.#others, this.#ascii];
    const found = skeletons(username).flatMap((skeleton) => known.flatMap((one) => one.get(skeleton) ?? []));
    return [...new Set(found)].filter((one) => one !== username);
  }
}
