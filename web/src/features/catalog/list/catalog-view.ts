export type Choice = "any" | "yes" | "no";

/** `match`: the best match first, or by name if nothing is searched for. */
export type CatalogSort = "match" | "name" | "updated" | "used";

/** The search and the filters of the catalog, which its address holds. */
export interface CatalogView {
  /** Text of the box 'Search the catalog'. */
  text: string;
  /** Part of a dataset's name. */
  name: string;
  /** Part of a column's name. */
  column: string;
  location: Choice;
  map: Choice;
  sort: CatalogSort;
}

const emptyView: CatalogView = { text: "", name: "", column: "", location: "any", map: "any", sort: "match" };

/** The same order without search and filters. */
export const withoutFilters = ({ sort }: CatalogView): CatalogView => ({ ...emptyView, sort });

export const isFiltered = (view: CatalogView): boolean =>
  view.text.trim() !== "" || view.name.trim() !== "" || view.column !== "" || view.location !== "any" || view.map !== "any";

/** The query parameters of a view, without those that change nothing. */
export const catalogSearch = (view: CatalogView): Record<string, string> =>
  Object.fromEntries(Object.entries(view).filter(([key, value]) => value !== emptyView[key as keyof CatalogView]));

export function catalogView(query: Record<string, unknown>): CatalogView {
  const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
  const choice = (value: unknown): Choice => (value === "yes" || value === "no" ? value : "any");
  const { name, column, location, map, sort } = query;
  return {
    text: text(query["text"]).slice(0, maxSearchCharacters),
    name: text(name),
    column: text(column),
    location: choice(location),
    map: choice(map),
    sort: sort === "name" || sort === "updated" || sort === "used" ? sort : "match",
  };
}

/** Limit of the gateway. */
export const maxSearchCharacters = 200;
