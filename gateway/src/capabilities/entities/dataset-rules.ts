import { isDeepStrictEqual } from "node:util";
import { Refusal } from "#http/refusal.ts";

type Draft = Readonly<Record<string, unknown>>;

/** An internal dataset that is sent without rules keeps those that are stored, as clients that do not know the field leave it out. */
export const withStoredRules = (draft: Draft, before: Draft | undefined): Draft =>
  draft["access"] === undefined && before?.["access"] !== undefined ? { ...draft, access: before["access"] } : draft;

/** Refuses rules for the rows of an external service, in words that say why. */
export function requireNoRules(draft: Draft): Draft {
  if (draft["access"] === undefined || draft["access"] === null) return draft;
  const message = "The rows of an external service are not filtered here: the portal would have to read all of them. Use 'roles'.";
  throw new Refusal("invalid-request", `'access': ${message}`, { path: "access" });
}

/** The consequences of a save of an internal dataset for those who read it. */
export function readerNotes(before: Draft, after: Draft): string[] {
  const rules = withStoredRules(after, before)["access"] ?? null;
  const areSame = isDeepStrictEqual(rules, before["access"] ?? null) && isDeepStrictEqual(sorted(after["roles"]), sorted(before["roles"]));
  if (!areSame) return ["changes who sees it"];
  return rules === null ? [] : ["keeps its access rules"];
}

const sorted = (roles: unknown): unknown => (Array.isArray(roles) ? roles.map(String).toSorted() : roles);
