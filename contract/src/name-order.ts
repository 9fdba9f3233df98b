const names = new Intl.Collator("en-US", { numeric: true });

/** The order of names in every list, as people count: `file2` before `file10`. */
export const compareNames = (one: string, other: string): number => names.compare(one, other);

/** Sorts what has a name. */
export const byName = (one: { readonly name: string }, other: { readonly name: string }): number => compareNames(one.name, other.name);
