import type { Column } from "@fairway/contract/columns";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import { type ResultRow, search, type SearchData } from "@fairway/contract/search";
import { addressedColumns } from "@fairway/contract/search-address";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import "./css-locator.ts";
import { demoDataset, demoDatasets, searchRows, serveDatasets } from "./demo-datasets.ts";
import { gateway, openScreen } from "./open-screen.tsx";
import { clickQuickly } from "./quick-fields.ts";

/** A search as encoded in the address of the results screen. */
export interface AddressedSearch {
  category: string;
  dataset: string;
  isSample?: boolean;
  filters?: readonly (readonly [name: string, operator: string, value: string | number])[];
  sort?: readonly (readonly [column: string, direction: "asc" | "desc"])[];
  /** Shapes as `longitude latitude, …`. */
  area?: readonly string[];
  /** West, south, east and north of a cell of the map. */
  within?: readonly number[];
  /** Columns that the search adds to those of its dataset. */
  added?: SearchColumns;
}

/** Three pages (68 rows), with a count, times in seconds and combined columns. */
export const katrina: AddressedSearch = { category: "Tropical weather", dataset: "storm-tracks", filters: [["name", "=", "Katrina"]] };
/** Few rows with every kind of cell, for tests that take long with many elements, such as those with axe. */
export const fewRows: AddressedSearch = {
  ...katrina,
  filters: [
    ["name", "=", "Katrina"],
    ["wind", ">=", 140],
  ],
};
/** Supports paging but no count. */
export const unemployment: AddressedSearch = { category: "People & economy", dataset: "industry-unemployment" };
/** Supports a count but no paging; 60 rows. */
export const countries: AddressedSearch = { category: "People & economy", dataset: "country-development" };

/** The shareable address of a search. Opening it runs the search in this tab. */
export function searchLink({
  category,
  dataset,
  isSample = false,
  filters = [],
  sort = [],
  area = [],
  within,
  added = {},
}: AddressedSearch): string {
  const parts = {
    c: category,
    d: dataset,
    ...(isSample ? { s: 1 } : {}),
    ...(area.length > 0 ? { a: area } : {}),
    ...(within ? { w: within } : {}),
    ...(filters.length > 0 ? { f: filters } : {}),
    ...(sort.length > 0 ? { o: sort } : {}),
    ...addressedColumns(added),
  };
  const code = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(parts))));
  return `/search/${crypto.randomUUID()}#1.${code.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Opens a search and waits for its rows. */
export async function openResults(addressed: AddressedSearch): Promise<void> {
  await openScreen(searchLink(addressed));
  await expect
    .element(
      page
        .getByRole("grid", { name: `Results of ${addressed.dataset}` })
        .getByRole("gridcell")
        .first(),
    )
    .toBeVisible();
}

export const grid = (): Locator => page.getByRole("grid");
export const header = (column: string): Locator => grid().css(`[role=columnheader][data-column=${JSON.stringify(column)}]`);
/** A cell by row, from 1, and column name. */
export const cell = (row: number, column: string): Locator =>
  grid().css(`[role=gridcell][data-row="${row}"][data-column=${JSON.stringify(column)}]`);
export const shownColumns = (): string[] =>
  grid()
    .getByRole("columnheader")
    .elements()
    .map((one) => (one as HTMLElement).dataset["column"] ?? "");

export const recentSearches = (): Locator => page.getByRole("list", { name: /^Recent searches/ }).getByRole("listitem");

/** Chooses an entry of the Actions menu. */
export async function act(entry: string): Promise<void> {
  await clickQuickly(page.getByRole("button", { name: "Actions", exact: true }));
  await clickQuickly(page.getByRole("menuitem", { name: entry, exact: true }));
}

/** The bodies of all searches so far, oldest first. */
export const searches = (): SearchData[] => gateway.received(search.run).map(({ body }) => body);

/** Waits until the latest search has this body. */
export const expectSearch = (body: Partial<SearchData>): Promise<void> => expect.poll(() => searches().at(-1)).toEqual(body);

/** Waits for the datasets screen. */
export async function expectDatasets(): Promise<void> {
  await expect.element(page.getByRole("heading", { level: 1, name: "Datasets", exact: true })).toBeVisible();
}

/** Makes searches return changed rows. */
export function alterRows(change: (rows: ResultRow[]) => ResultRow[]): void {
  gateway.answer(search.run, ({ params, body }) => ({ results: change(searchRows(demoDataset(params.datasetId), body)) }));
}

/** Serves every dataset with changed columns. */
export function alterColumns(change: (columns: Column[]) => Column[]): void {
  serveDatasets(
    gateway,
    demoDatasets().map(({ description, rows }) => ({
      description: { ...description, schema: { columns: change(description.schema.columns) } },
      rows,
    })),
  );
}
