import type { FlowMember } from "@fairway/contract/flows";
import { compareNames } from "@fairway/contract/name-order";
import { anyPattern } from "#lib/text/find-text.ts";

/** A mention that is being typed: from its `@` to the caret. */
export interface TypedMention {
  start: number;
  query: string;
}

const maxQuery = 100;
const maxShown = 8;

/** The mention before the caret. An `@` within a word, as in an email address, starts none. */
export function mentionAt(text: string, caret: number): TypedMention | null {
  const start = text.lastIndexOf("@", caret - 1);
  if (start < 0 || caret - start > maxQuery) return null;
  if (start > 0 && /[\p{L}\p{N}_.@-]/u.test(text[start - 1] ?? "")) return null;
  const query = text.slice(start + 1, caret);
  return /\s/.test(query) ? null : { start, query };
}

/** The members whose username or name contains what was typed; usernames that start with it first. */
export function matchingMembers(members: readonly FlowMember[], query: string): FlowMember[] {
  const wanted = query.toLowerCase();
  const rank = ({ username, name }: FlowMember): number => {
    if (username.toLowerCase().startsWith(wanted)) return 0;
    return name
      .toLowerCase()
      .split(" ")
      .some((word) => word.startsWith(wanted))
      ? 1
      : 2;
  };
  return members
    .filter(({ username, name }) => username.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted))
    .toSorted((one, other) => rank(one) - rank(other) || compareNames(one.username, other.username))
    .slice(0, maxShown);
}

/** The text with the typed mention completed, and the caret after it. */
export function withMention(text: string, { start, query }: TypedMention, username: string): { text: string; caret: number } {
  const before = `${text.slice(0, start)}@${username} `;
  const after = text.slice(start + 1 + query.length);
  return { text: before + after.replace(/^ /, ""), caret: before.length };
}

/** Matches the mentions in a text; null without any. */
export const mentionPattern = (usernames: readonly string[]): RegExp | null => anyPattern(usernames.map((username) => `@${username}`));
