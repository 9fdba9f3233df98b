import type { ApiKey } from "@fairway/contract/api-keys";
import { plural } from "@fairway/contract/counts";

type Opened = Pick<ApiKey, "datasets" | "filesets" | "ecosystems">;

const some = (count: number, one: string): string[] => (count === 0 ? [] : [`${count} ${plural(count, one)}`]);

/** `2 datasets, 1 fileset`. */
export const scopeText = ({ datasets, filesets, ecosystems }: Opened): string =>
  [...some(datasets.length, "dataset"), ...some(filesets.length, "fileset"), ...some(ecosystems.length, "ecosystem")].join(", ");

/** By name, for who wants to know exactly. */
export const scopeNames = ({ datasets, filesets, ecosystems }: Opened): string[] => [
  ...datasets.map(({ datasetCategory, datasetId }) => `${datasetCategory} / ${datasetId}`),
  ...filesets.map((id) => `Fileset ${id}`),
  ...ecosystems.map((name) => `Ecosystem ${name}`),
];

/** Null where the key still reaches all that it names. */
export function lostText({ lost }: Pick<ApiKey, "lost">): string | null {
  const names = scopeNames(lost);
  return names.length === 0 ? null : `Lost access: ${names.join(", ")}`;
}

const soonMs = 7 * 86_400_000;

/** How near a key's end is. */
export function endingOf(expiresAtMs: number | null, asOfMs: number): "never" | "ended" | "soon" | "later" {
  if (expiresAtMs === null) return "never";
  if (expiresAtMs <= asOfMs) return "ended";
  return expiresAtMs - asOfMs < soonMs ? "soon" : "later";
}

/** Why a name cannot be that of a new key; null when it can. Nothing is said of one that is still blank. */
export function nameProblem(name: string, taken: readonly string[], mostCharacters: number): string | null {
  const wanted = name.trim();
  if (wanted.length > mostCharacters) return `A name has at most ${mostCharacters} characters.`;
  if (/[/\p{Cc}]/u.test(wanted) || wanted === "." || wanted === "..") return "A name must not hold '/'.";
  if (taken.some((one) => sameName(one) === sameName(wanted))) return "An API key with this name already exists.";
  return null;
}

const sameName = (name: string): string => name.trim().normalize("NFC").toLowerCase();
