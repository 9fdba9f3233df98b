import { type Column, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { DatasetRef } from "@fairway/contract/datasets";
import { type Lookup, derivedColumnLimits } from "@fairway/contract/derived-columns";

export type Pair = Lookup["key"][number];

/** A lookup that is being made. Sides of its key are empty until they are chosen. */
export interface LookupDraft {
  /** Null until one is chosen. */
  readonly dataset: DatasetRef | null;
  readonly match: "exact" | "loose";
  /** Empty until a column is picked or a side is chosen: the proposed key holds until then. */
  readonly key: readonly Pair[];
  readonly columns: Lookup["columns"];
}

export const emptyLookup: LookupDraft = { dataset: null, match: "exact", key: [], columns: [] };

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
const kindOf = ({ type }: Column): string => (isNumeric(type) ? "number" : isTimestamp(type) ? "time" : type);

/** Columns of one kind and name, else a column here whose name ends with one there; at worst the first of each. */
export function proposedKey(own: readonly Column[], others: readonly Column[]): Pair[] {
  const pairs = own.flatMap((column) =>
    others.flatMap((other) => (kindOf(column) === kindOf(other) ? [{ column: column.name, on: other.name }] : [])),
  );
  const same = pairs.find(({ column, on }) => letters(column) === letters(on));
  const alike = pairs.find(({ column, on }) => letters(column).endsWith(letters(on)) || letters(on).endsWith(letters(column)));
  const [first] = pairs;
  const best = same ?? alike ?? first;
  return best === undefined ? [] : [best];
}

/** The draft with or without a column of the other dataset, by a name that no column here has. */
export function withColumn<Draft extends Pick<LookupDraft, "key" | "columns">>(
  draft: Draft,
  from: string,
  isPicked: boolean,
  taken: ReadonlySet<string>,
): Draft {
  if (!isPicked) return { ...draft, columns: draft.columns.filter((one) => one.from !== from) };
  return { ...draft, columns: [...draft.columns, { from, name: freeName(draft, from, taken) }] };
}

/** `state` of the airport whose `iata` is `origin` is `origin_state`; by keys of the same name it is `state`, unless there is another. */
function freeName({ key: [pair], columns }: Pick<LookupDraft, "key" | "columns">, from: string, taken: ReadonlySet<string>): string {
  const used = new Set([...taken, ...columns.map(({ name }) => name.toLowerCase())]);
  const isFree = (name: string) => !used.has(name.toLowerCase());
  const cut = (name: string) => name.slice(0, derivedColumnLimits.nameCharacters - 3);
  const prefixed = cut(pair === undefined ? from : `${pair.column}_${from}`);
  const hasOtherName = pair !== undefined && letters(pair.column) !== letters(pair.on);
  const base = !hasOtherName && isFree(from) ? from : prefixed;
  let name = base;
  for (let number = 2; !isFree(name); number += 1) name = `${base}_${number}`;
  return name;
}

const isComplete = ({ column, on }: Pair): boolean => column !== "" && on !== "";

export const isCompleteKey = (key: readonly Pair[]): boolean => key.length > 0 && key.every(isComplete);

/** The names of columns that are empty, or that another column has. */
export function nameProblem({ columns }: Pick<LookupDraft, "columns">, at: number, taken: ReadonlySet<string>): string | undefined {
  const name = columns[at]?.name.trim() ?? "";
  if (name === "") return "Enter a name.";
  const isAnother = columns.some((other, index) => index !== at && other.name.trim().toLowerCase() === name.toLowerCase());
  return isAnother || taken.has(name.toLowerCase()) ? `There is another column '${name}'.` : undefined;
}

/** The lookup as it is sent; undefined while something is missing or wrong. */
export function lookupOfDraft(id: string, draft: LookupDraft, taken: ReadonlySet<string>): Lookup | undefined {
  const { dataset, match, key, columns } = draft;
  const isNamed = columns.every((_, index) => nameProblem(draft, index, taken) === undefined);
  if (dataset === null || !isCompleteKey(key) || columns.length === 0 || !isNamed) return undefined;
  return { id, dataset, match, key: [...key], columns: columns.map(({ from, name }) => ({ from, name: name.trim() })) };
}

/** An id that no lookup of a list has. */
export function freeLookupId(lookups: readonly Pick<Lookup, "id">[]): string {
  const taken = new Set(lookups.map(({ id }) => id));
  let number = 1;
  while (taken.has(`lookup-${number}`)) number += 1;
  return `lookup-${number}`;
}
