import type { Column } from "@fairway/contract/columns";
import type { Lookup } from "@fairway/contract/derived-columns";
import { kindOf } from "./lookup-rules.ts";

type Pair = Lookup["key"][number];

export interface LikelyKey extends Pair {
  readonly likeness: number;
}

/** By what two columns seem to hold the same things. */
const byLink = 4;
const byName = 3;
const byPartOfName = 2;
const byKind = 1;

/** The least likeness by which a key may be suggested without a look at the values. */
export const sureLikeness = byName;

const shortestPart = 2;

/**
 * Pairs of columns that may be a key of a lookup, the likeliest first, each with one column of both sides. `linked`: pairs that links
 * between datasets name.
 */
export function likelyKeys(ours: readonly Column[], theirs: readonly Column[], linked: readonly Pair[]): LikelyKey[] {
  const [own, other] = [ours.filter(isPlain), theirs.filter(isPlain)];
  return own
    .flatMap((column) => other.map((on) => ({ column: column.name, on: on.name, likeness: likenessOf(column, on, linked) })))
    .filter(({ likeness }) => likeness > 0)
    .toSorted((one, two) => two.likeness - one.likeness);
}

const isPlain = ({ combined }: Column): boolean => combined === null;

function likenessOf(ours: Column, theirs: Column, linked: readonly Pair[]): number {
  const kind = kindOf(ours);
  if (kind !== kindOf(theirs) || kind === "boolean") return 0;
  if (linked.some(({ column, on }) => column === ours.name && on === theirs.name)) return byLink;
  const [name, other] = [letters(ours.name), letters(theirs.name)];
  if (name === other) return byName;
  // Measures and times of any two datasets have some values in common.
  if (kind === "time" || ours.type === "decimal" || theirs.type === "decimal") return 0;
  if (endsWithWord(name, other) || endsWithWord(other, name)) return byPartOfName;
  return kind === "text" ? byKind : 0;
}

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
const endsWithWord = (name: string, part: string): boolean => part.length >= shortestPart && name.endsWith(part);
