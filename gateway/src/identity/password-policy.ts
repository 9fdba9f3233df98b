import type { PasswordRules } from "@fairway/contract/passwords";
import { Refusal } from "#http/refusal.ts";

/** Which passwords may be set. Asked wherever somebody sets one, for themselves or for others. */
export interface PasswordPolicy {
  /** Refuses with `invalid-value` naming `path`. */
  requireAcceptable(password: string, account: { username: string }, path?: string): Promise<void>;
}

interface PasswordPolicyOptions {
  readonly rules: PasswordRules;
  readonly minCharacters: number;
  /** What people call the portal now. */
  readonly portalTitle: () => Promise<string>;
}

/**
 * Under `specification` only the length counts; `asvs` also refuses common and leaked passwords, and those made of context words.
 * Decision 0196.
 */
export async function openPasswordPolicy({ rules, minCharacters, portalTitle }: PasswordPolicyOptions): Promise<PasswordPolicy> {
  const common = rules === "asvs" ? await commonPasswords(minCharacters) : undefined;
  return {
    async requireAcceptable(password, { username }, path = "password") {
      const refusal = (message: string) => new Refusal("invalid-value", message, { path });
      if (password.length < minCharacters) throw refusal(`A password needs at least ${minCharacters} characters.`);
      if (common === undefined) return;
      const plain = comparable(password);
      if (common.has(plain)) throw refusal("This password is on a list of common and leaked passwords. Choose another one.");
      if (isLittleMoreThan(plain, contextWords(username, await portalTitle()))) {
        throw refusal("This password is little more than the username or the portal's name. Choose another one.");
      }
    },
  };
}

const comparable = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Loaded where the rules ask for it: the list takes some megabytes of memory. Shorter ones are refused for their length. */
async function commonPasswords(minCharacters: number): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((password) => password.length >= minCharacters).map(comparable));
}

const productName = "fairway";
const [shortestNamePart, shortestTitlePart] = [3, 4];
/** Letters and digits that a password needs beside context words. */
const leastBesideContext = 6;

/** The username, the portal's name and the product's, whole and by their parts; the longest first. */
function contextWords(username: string, portalTitle: string): string[] {
  const partsOf = (name: string, least: number) => {
    const parts = comparable(name).match(lettersAndDigits) ?? [];
    return [parts.join(""), ...parts].filter((part) => part.length >= least);
  };
  const words = [...partsOf(username, shortestNamePart), ...partsOf(portalTitle, shortestTitlePart), productName];
  return words.toSorted((one, other) => other.length - one.length);
}

const lettersAndDigits = /[\p{L}\p{N}]+/gu;

/** Whether next to nothing is left of a password that holds such words, apart from signs between them. */
function isLittleMoreThan(password: string, words: readonly string[]): boolean {
  const bare = (password.match(lettersAndDigits) ?? []).join("");
  const left = words.reduce((text, word) => text.replaceAll(word, " "), bare).replaceAll(" ", "");
  return left.length < bare.length && left.length < leastBesideContext;
}
