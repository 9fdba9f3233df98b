import { formatCount } from "@fairway/contract/counts";
import type { LookupReport } from "@fairway/contract/lookups";

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** Whole percents, of which 100 and 0 mean all and none. */
function percentText(found: number, values: number): string {
  const percent = Math.floor((100 * found) / values);
  return percent === 0 ? "less than 1 %" : `${percent} %`;
}

/** "All 229 values of origin are found." */
export function foundText({ key, values, found, complete }: Pick<LookupReport, "key" | "values" | "found" | "complete">): string {
  const names = listed(key.map(({ column }) => column));
  if (values === 0) return `No row has a value of ${names}.`;
  const counted = `${complete ? "" : "most frequent "}${values === 1 ? "value" : "values"} of ${names}`;
  if (values === 1) return `The only value of ${names} is ${found === 1 ? "found" : "not found"}.`;
  if (found === values) return `All ${formatCount(values)} ${counted} are found.`;
  if (found === 0) return `None of the ${formatCount(values)} ${counted} is found.`;
  return `${percentText(found, values)} of the ${formatCount(values)} ${counted} are found.`;
}

/** "12 of 3,376 keys occur more than once, first SFO. …" Null for those who may not see the other dataset whole. */
export function repeatedText({ key, others }: Pick<LookupReport, "key" | "others">): string | null {
  if (others === null) return null;
  const { keys, repeated, first } = others;
  if (keys === 0) return null;
  if (repeated === 0) return `${listed(key.map(({ on }) => on))} never ${key.length === 1 ? "repeats" : "repeat together"}.`;
  const example = first === null ? "" : `, first ${first.map(String).join(", ")}`;
  const verb = repeated === 1 ? "occurs" : "occur";
  return `${formatCount(repeated)} of ${formatCount(keys)} keys ${verb} more than once${example}: a column has a value where such rows agree.`;
}
