import type { PasswordRules } from "@fairway/contract/passwords";
import { Refusal } from "#http/refusal.ts";

/** Decides which passwords may be set, by users and by administrators. */
export interface PasswordPolicy {
  /** Refuses with `invalid-value` for `path`. */
  requireAcceptable(password: string, account: { username: string }, path?: string): Promise<void>;
}

interface PasswordPolicyOptions {
  readonly rules: PasswordRules;
  readonly minCharacters: number;
  /** The current title of the portal. */
  readonly portalTitle: () => Promise<string>;
}

/**
 * `specification` checks only the length; `asvs` also refuses common and leaked passwords, and those that consist mostly of
 * context words. Decision 0196.
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
        throw refusal("This password is too similar to the username or the portal's name. Choose another one.");
      }
    },
  };
}

const comparable = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Loaded only for `asvs`, because the list takes some megabytes. Omits passwords that are too short anyway. */
async function commonPasswords(minCharacters: number): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((password) => password.length >= minCharacters).map(comparable));
}

const productName = "fairway";
const [minNamePart, minTitlePart] = [3, 4];
/** Minimum number of letters and digits in addition to context words. */
const minCharactersBesidesContext = 6;

/** The username, the portal's title and the product name, as a whole and in parts; the longest first. */
function contextWords(username: string, portalTitle: string): string[] {
  const partsOf = (name: string, minCharacters: number) => {
    const parts = comparable(name).match(lettersAndDigits) ?? [];
    return [parts.join(""), ...parts].filter((part) => part.length >= minCharacters);
  };
  const words = [...partsOf(username, minNamePart), ...partsOf(portalTitle, minTitlePart), productName];
  return words.toSorted((one, other) => other.length - one.length);
}

const lettersAndDigits = /[\p{L}\p{N}]+/gu;

/** Whether a password contains context words and few other letters and digits. */
function isLittleMoreThan(password: string, words: readonly string[]): boolean {
  const bare = (password.match(lettersAndDigits) ?? []).join("");
  const rest = words.reduce((text, word) => text.replaceAll(word, " "), bare).replaceAll(" ", "");
  return rest.length < bare.length && rest.length < minCharactersBesidesContext;
}
