import { startPage } from "@fairway/contract/start-page";
import { columnTypeCode, satisfies } from "@fairway/contract/columns";
import { columnValues } from "@fairway/contract/column-values";
import { datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { datasetGroups } from "@fairway/contract/dataset-groups";
import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { type DatasetDescription, datasetDescription, datasets } from "@fairway/contract/datasets";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { descriptions } from "@fairway/contract/descriptions";
import { distributions } from "@fairway/contract/distributions";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { type Comparison, filter, isComparison, type ListFilter, type PlainFilter } from "@fairway/contract/filters";
import { type CellValue, type ResultRow, resultRow, search, type SearchData, type SearchFilter } from "@fairway/contract/search";
import { z } from "zod";
import airports from "./datasets/airports.ndjson?raw";
import birdStrikes from "./datasets/bird-strikes.ndjson?raw";
import countryDevelopment from "./datasets/country-development.ndjson?raw";
import dailyWeather from "./datasets/daily-weather.ndjson?raw";
import earthquakes from "./datasets/earthquakes.ndjson?raw";
import flights from "./datasets/flights.ndjson?raw";
import industryUnemployment from "./datasets/industry-unemployment.ndjson?raw";
import stormTracks from "./datasets/storm-tracks.ndjson?raw";
import { type ContractGateway, Refused } from "./contract-gateway.ts";
import { serveLookups } from "./lookups.ts";

/** A dataset of the demo platform with some of its rows, recorded from a gateway. */
export interface DemoDataset {
  description: DatasetDescription;
  rows: ResultRow[];
}

function parseDataset(text: string): DemoDataset {
  const [description, ...rows] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  return freeze({ description: datasetDescription.parse(description), rows: z.array(resultRow).parse(rows) });
}

/** Freezes a value with all it contains. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

/** Parsed once, because each value of a graph reads the rows. Frozen, so that no test changes them for the next one. */
const parsed: readonly DemoDataset[] = [
  dailyWeather,
  stormTracks,
  earthquakes,
  airports,
  birdStrikes,
  flights,
  countryDevelopment,
  industryUnemployment,
].map(parseDataset);

/** All datasets. They are frozen: a test that serves a changed one makes a copy. */
export const demoDatasets = (): DemoDataset[] => [...parsed];

/** The dataset with this id. */
export function demoDataset(datasetId: string): DemoDataset {
  const found = parsed.find(({ description }) => description.datasetId === datasetId);
  if (!found) throw new Error(`There is no dataset ${datasetId}.`);
  return found;
}

/** Makes the gateway serve these datasets: access list, descriptions, schemas, searches, samples and counts. */
export function serveDatasets(gateway: ContractGateway, served: readonly DemoDataset[] = demoDatasets()): void {
  const find = ({ category, datasetId }: { category: string; datasetId: string }): DemoDataset => {
    const found = served.find(({ description }) => description.category.id === category && description.datasetId === datasetId);
    if (!found) throw new Refused("not-found", "There is no such dataset.");
    return found;
  };
  gateway.answer(datasets.list, accessList(served));
  gateway.answer(datasets.describe, ({ params }) => find(params).description);
  gateway.answer(descriptions.schema, ({ params }) => schemaOf(find(params).description));
  gateway.answer(datasetProfiles.read, { state: "none", profile: null, failure: null });
  gateway.answer(datasetProfiles.thumbnail, { coverage: null, positions: [] });
  gateway.answer(datasetProfiles.thumbnails, []);
  gateway.answer(descriptionSuggestions.list, []);
  gateway.answer(descriptionSuggestions.counts, []);
  gateway.answer(datasetFactRoutes.facts, []);
  gateway.answer(datasetFactRoutes.relations, { linksTo: [], linkedFrom: [], groups: [], filesets: [] });
  gateway.answer(startPage.read, { line: "", questions: [] });
  gateway.answer(favoriteDatasets.list, []);
  gateway.answer(datasetGroups.list, []);
  gateway.refuse(distributions.ofColumns, "not-supported", "The columns of this dataset have no profile.");
  gateway.answer(distributions.overTime, { unit: "day", size: 1, buckets: [], newestMs: null });
  serveLookups(gateway, served);
  gateway.answer(search.run, ({ params, body }) => ({ results: searchRows(find(params), body) }));
  gateway.answer(search.sample, ({ params }) => ({ results: find(params).rows.slice(0, 25) }));
  gateway.answer(columnValues.profile, { rows: 0, empty: 0, distinct: 0, min: null, max: null, top: [], histogram: [] });
  gateway.answer(columnValues.suggest, ({ params, body }) => ({
    values: suggestions(find(params).rows, params.column, body.contains),
    complete: true,
  }));
  gateway.answer(search.rowCount, ({ params, body }) => ({ rows: findRows(find(params).rows, body).length }));
  gateway.answer(search.aggregate, ({ params, body }) => ({ totalResults: findRows(find(params).rows, body).length }));
}

/** The rows a search of this dataset returns. */
export const searchRows = ({ rows }: DemoDataset, body: SearchData): ResultRow[] => page(findRows(rows, body), body);

function accessList(served: readonly DemoDataset[]) {
  const categories = new Map(served.map(({ description: { category } }) => [category.id, category]));
  return [...categories.values()].map((category) => ({
    id: category.id,
    description: category.description,
    datasets: served
      .filter(({ description }) => description.category.id === category.id)
      .map(({ description: { datasetId, description, mapSupport } }) => ({
        datasetCategory: category.id,
        datasetId,
        description,
        supportsMapResults: mapSupport !== null,
      })),
  }));
}

const schemaOf = ({ category, datasetId, description, schema, mapSupport }: DatasetDescription) => ({
  dataset: { datasetCategory: category.id, datasetId },
  description,
  communityDescription: "",
  userDescription: "",
  containsLocationData: schema.columns.some(({ combined }) => combined?.type === "COORDINATES"),
  supportsMapResults: mapSupport !== null,
  columns: schema.columns.map(({ name, type, description: text }) => ({
    id: name,
    name,
    type: columnTypeCode[type],
    description: text,
    communityDescription: "",
    userDescription: "",
  })),
});

function findRows(rows: readonly ResultRow[], { filters, sort = [] }: SearchData): ResultRow[] {
  const found = rows.filter((row) => filters.every((one) => matches(row, one)));
  return found.sort((left, right) => {
    for (const { column, direction } of sort) {
      const order = compare(left[column] ?? null, right[column] ?? null);
      if (order !== 0) return direction === "asc" ? order : -order;
    }
    return 0;
  });
}

function suggestions(rows: readonly ResultRow[], column: string, contains: string) {
  const counts = new Map<CellValue, number>();
  for (const row of rows) {
    const value = row[column] ?? null;
    if (value !== null && String(value).toLowerCase().includes(contains.toLowerCase())) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, rows: count }))
    .sort((left, right) => right.rows - left.rows)
    .slice(0, 20);
}

const page = (rows: ResultRow[], { paging }: SearchData): ResultRow[] =>
  paging ? rows.slice(paging.offset, paging.offset + paging.max) : rows;

function compare(left: CellValue, right: CellValue): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -1 : 1;
}

function matches(row: ResultRow, asked: SearchFilter): boolean {
  const parsed = filter.safeParse(asked);
  if (!parsed.success) throw new Refused("unknown-operator", `There is no operator ${asked.operator}.`);
  if (parsed.data.operator === "any") return parsed.data.value.some((list) => list.every((one) => matches(row, one)));
  const cell = row[parsed.data.name] ?? null;
  return isComparison(parsed.data) ? compares(cell, parsed.data) : holdsFurther(cell, parsed.data);
}

const compares = (cell: CellValue, { operator, value }: Comparison): boolean =>
  value === null ? (cell === null) === (operator === "=") : cell !== null && satisfies(operator, compare(cell, value));

/** Parts of the calendar keep every row: a test that asks for them answers by itself. */
function holdsFurther(cell: CellValue, { operator, value }: Exclude<PlainFilter, Comparison>): boolean {
  if (operator.startsWith("not ")) return !holdsFurther(cell, { name: "", operator: operator.slice(4), value } as ListFilter);
  if (operator === "in") return Array.isArray(value) && value.some((one) => one === cell);
  if (cell === null) return false;
  if (Array.isArray(value)) return compare(cell, value[0] ?? null) >= 0 && compare(cell, value[1] ?? null) <= 0;
  if (typeof value !== "string") return true;
  const [text, needle] = [String(cell).toLowerCase(), value.toLowerCase()];
  return operator === "contains" ? text.includes(needle) : text.startsWith(needle);
}
