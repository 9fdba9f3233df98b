import { usernameKey } from "#identity/username.ts";
import type { Member } from "./membership.ts";

/** More are not notified of one comment. */
const maxMentions = 20;
/** Signs that cannot begin a mention any more after this many of them. */
const maxSigns = 200;

const isWordCharacter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** Members whom a text mentions as `@username`, in any case. Of several usernames that fit, the longest one counts. */
export function mentionsIn<M extends Pick<Member, "username">>(text: string, members: readonly M[]): M[] {
  const byKey = new Map(members.map((member) => [usernameKey(member.username), member]));
  const lengths = [...new Set(members.map(({ username }) => username.length))].toSorted((a, b) => b - a);
  const found = new Set<M>();
  let signs = 0;
  for (let at = text.indexOf("@"); at !== -1 && signs < maxSigns; at = text.indexOf("@", at + 1)) {
    signs += 1;
    if (at > 0 && isWordCharacter(text[at - 1])) continue;
    for (const length of lengths) {
      const end = at + 1 + length;
      const member = byKey.get(usernameKey(text.slice(at + 1, end)));
      if (member === undefined || end > text.length || continuesName(text, end)) continue;
      found.add(member);
      break;
    }
  }
  return [...found].slice(0, maxMentions);
}

/** Whether the name goes on: `@ada.lovelace` does not mention ada, but `@ada.` at the end of a sentence does. */
const continuesName = (text: string, end: number): boolean =>
  isWordCharacter(text[end]) || (/[.@-]/.test(text[end] ?? "") && isWordCharacter(text[end + 1]));
