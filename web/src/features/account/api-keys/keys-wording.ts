import type { ApiKey } from "@fairway/contract/api-keys";
import { plural } from "@fairway/contract/counts";

type Scope = Pick<ApiKey, "datasets" | "filesets" | "ecosystems">;

const countText = (count: number, noun: string): string[] => (count === 0 ? [] : [`${count} ${plural(count, noun)}`]);

/** `2 datasets, 1 fileset`. */
export const scopeText = ({ datasets, filesets, ecosystems }: Scope): string =>
  [...countText(datasets.length, "dataset"), ...countText(filesets.length, "fileset"), ...countText(ecosystems.length, "ecosystem")].join(
    ", ",
  );

/** The names of everything in the scope. */
export const scopeNames = ({ datasets, filesets, ecosystems }: Scope): string[] => [
  ...datasets.map(({ datasetCategory, datasetId }) => `${datasetCategory} / ${datasetId}`),
  ...filesets.map((id) => `Fileset ${id}`),
  ...ecosystems.map((name) => `Ecosystem ${name}`),
];

/** The roles of a key that does not have all of its owner's. */
export const rolesText = (roles: readonly string[]): string =>
  roles.length === 0 ? "Without roles" : `Only ${plural(roles.length, "role")} ${roles.join(", ")}`;

/** Null when the key lost nothing. */
export function lostText({ lost }: Pick<ApiKey, "lost">): string | null {
  const names = scopeNames(lost);
  return names.length === 0 ? null : `Lost access: ${names.join(", ")}`;
}

const endingSoonMs = 7 * 86_400_000;

/** Whether a key has ended, ends soon, later or never. */
export function endingOf(expiresAtMs: number | null, asOfMs: number): "never" | "ended" | "soon" | "later" {
  if (expiresAtMs === null) return "never";
  if (expiresAtMs <= asOfMs) return "ended";
  return expiresAtMs - asOfMs < endingSoonMs ? "soon" : "later";
}

/** Why a name cannot be used for a new key; null when it can, and for a blank one. */
export function nameProblem(name: string, taken: readonly string[], maxCharacters: number): string | null {
  const trimmed = name.trim();
  if (trimmed.length > maxCharacters) return `A name has at most ${maxCharacters} characters.`;
  if (/[/\p{Cc}]/u.test(trimmed) || trimmed === "." || trimmed === "..") return "A name can't contain '/'.";
  if (taken.some((other) => normalizeName(other) === normalizeName(trimmed))) return "An API key with this name already exists.";
  return null;
}

const normalizeName = (name: string): string => name.trim().normalize("NFC").toLowerCase();
