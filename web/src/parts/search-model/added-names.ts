import type { SearchColumns } from "@fairway/contract/derived-columns";

/** The names of the columns that a search adds, in the order in which they are shown. */
export const addedNames = ({ computed = [], lookups = [] }: SearchColumns = {}): string[] => [
  ...lookups.flatMap(({ columns }) => columns.map(({ name }) => name)),
  ...computed.map(({ name }) => name),
];
