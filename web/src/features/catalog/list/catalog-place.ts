export type Choice = "any" | "yes" | "no";

/** The filters of the catalog, which its address holds. */
export interface CatalogPlace {
  /** Part of a dataset's name. */
  name: string;
  /** Part of a column's name. */
  column: string;
  location: Choice;
  map: Choice;
}

export const noFilters: CatalogPlace = { name: "", column: "", location: "any", map: "any" };

/** The query parameters of a place, without those that filter nothing. */
export const catalogSearch = (place: CatalogPlace): Record<string, string> =>
  Object.fromEntries(Object.entries(place).filter(([key, value]) => value !== noFilters[key as keyof CatalogPlace]));

export function catalogPlace(query: Record<string, unknown>): CatalogPlace {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const choice = (value: unknown): Choice => (value === "yes" || value === "no" ? value : "any");
  const { name, column, location, map } = query;
  return { name: text(name), column: text(column), location: choice(location), map: choice(map) };
}
