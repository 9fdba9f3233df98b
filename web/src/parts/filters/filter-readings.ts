import type { DatasetDescription } from "@fairway/contract/datasets";
import { formatCount } from "@fairway/contract/counts";
import type { DoubtfulValue } from "@fairway/contract/filter-text";
import { typedFilter } from "@fairway/contract/filter-typed";
import { useDebouncedValue } from "@mantine/hooks";
import { useQueries, useQuery } from "@tanstack/react-query";
import { queryClient } from "#lib/gateway/query-client.ts";
import { countedAtMs, rowCountQuery } from "#parts/open-searches/row-count.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { rangeAt } from "#parts/search-model/time-range.ts";
import { filterProblem, readFilter } from "./filter-value.ts";
import type { Option } from "./filter-options.ts";
import type { SuggestionSource } from "./suggestion-source.ts";
import { suggestionsQuery } from "./suggestions-query.ts";
import { addTyped, parseTyped, type TypedField } from "./typed-filter.ts";
import { hasSuggestions } from "./value-suggestions.tsx";

/** How a value that reads like several can be read. */
type Reading = "list" | "value";

const maxAskedParts = 10;

/** A text is one value wherever it occurs, also if the other filters keep its rows out. */
const wholeDataset = ({ filters, ...source }: SuggestionSource): SuggestionSource => ({
  ...source,
  filters: { ...filters, geospatial: null, dynamic: [] },
});

const occurrenceQueries = (source: SuggestionSource, { column, value, parts }: DoubtfulValue) =>
  [value, ...parts.slice(0, maxAskedParts)].map((text) => ({ text, query: suggestionsQuery(wholeDataset(source), column, text) }));

/** The list if its parts occur, otherwise the text. `occurs` begins with the whole text. */
const readingOf = ([, ...parts]: readonly boolean[]): Reading => (parts.every(Boolean) ? "list" : "value");

const canAsk = ({ description }: SuggestionSource, { asValue }: DoubtfulValue): boolean =>
  asValue !== undefined && hasSuggestions("STRING", description);

/** The reading that Enter takes, once it is known which values occur. Without suggestions, quotes say that a text is one value. */
export async function likelyReading(source: SuggestionSource, doubt: DoubtfulValue): Promise<Reading> {
  if (doubt.asList === undefined) return "value";
  if (!canAsk(source, doubt)) return "list";
  const occurs = await Promise.all(
    occurrenceQueries(source, doubt).map(async ({ text, query }) => {
      try {
        return (await queryClient.fetchQuery(query)).values.some(({ value }) => value === text);
      } catch {
        return false;
      }
    }),
  );
  return readingOf(occurs);
}

/** Whether rows have the whole text as one value. False if that cannot be found out. */
export async function occursAsOne(source: SuggestionSource, { column, value }: DoubtfulValue): Promise<boolean> {
  try {
    const { values } = await queryClient.fetchQuery(suggestionsQuery(wholeDataset(source), column, value));
    return values.some((one) => one.value === value);
  } catch {
    return false;
  }
}

/** Both readings of a doubtful value, each with the rows that the search would find, and the one that Enter takes. */
export function useReadings(
  source: SuggestionSource,
  text: string,
  fields: readonly TypedField[],
  doubt: DoubtfulValue | undefined,
): { readonly options: readonly Option[]; readonly marked: number } {
  const [settled] = useDebouncedValue(doubt, 250);
  const asked = settled !== undefined && doubt !== undefined && settled.value === doubt.value && canAsk(source, doubt) ? doubt : undefined;
  const occurs = useQueries({
    queries: asked ? occurrenceQueries(source, asked).map(({ query }) => query) : [],
    combine: (answers) =>
      asked
        ? occurrenceQueries(source, asked).map(
            ({ text: value }, index) => answers[index]?.data?.values.some((one) => one.value === value) === true,
          )
        : [],
  });
  const isCounted = settled !== undefined && doubt !== undefined && settled.value === doubt.value;
  const replaced = (reading: string) => (doubt ? `${text.slice(0, doubt.from)}${reading}${text.slice(doubt.to)}` : text);
  const list = useRowCount(source, isCounted && doubt.asList !== undefined ? replaced(doubt.asList) : undefined, fields);
  const value = useRowCount(source, isCounted && doubt.asValue !== undefined ? replaced(doubt.asValue) : undefined, fields);
  const all = useRowCount(source, isCounted ? "" : undefined, fields);
  if (!doubt || doubt.asList === undefined) return { options: [], marked: -1 };
  const detail = (rows: number | null) => shareText(rows, all);
  const options: Option[] = [{ label: doubt.asList, detail: detail(list), text: replaced(doubt.asList), adds: true }];
  if (doubt.asValue !== undefined) options.push({ label: doubt.asValue, detail: detail(value), text: replaced(doubt.asValue), adds: true });
  return { options, marked: asked && readingOf(occurs) === "value" ? options.length - 1 : 0 };
}

/** `1,276 of 15,802 rows`; empty while that is not known. */
const shareText = (rows: number | null, all: number | null): string =>
  rows === null || all === null ? "" : `${formatCount(rows)} of ${formatCount(all)} ${all === 1 ? "row" : "rows"}`;

/** The list that a text adds as it is, with the rows that the search would find. Null where it adds another filter, or none. */
export function useAddedList(
  source: SuggestionSource,
  text: string | undefined,
  fields: readonly TypedField[],
): { readonly text: string; readonly rows: string } | null {
  const parsed = text === undefined ? undefined : parseTyped(text, fields, source.description);
  const added = parsed === undefined || "problem" in parsed ? undefined : parsed.filters.at(-1);
  const isList = added?.operator === "in" || added?.operator === "not in";
  const [settled] = useDebouncedValue(text, 250);
  const counted = isList && settled === text ? text : undefined;
  const rows = useRowCount(source, counted, fields);
  const all = useRowCount(source, counted === undefined ? undefined : "", fields);
  return isList ? { text: typedFilter(added, fields, (_, value) => String(value)), rows: shareText(rows, all) } : null;
}

/** The exact number of rows of the search with these typed filters; null where that is unknown. */
function useRowCount(
  { description, filters, added }: SuggestionSource,
  text: string | undefined,
  fields: readonly TypedField[],
): number | null {
  const next = text === undefined ? undefined : withTyped(description, filters, text, fields);
  const { category, datasetId } = description;
  const body = countDataOf({ datasetDescription: description, filters: next ?? filters, sort: [], added });
  const { data } = useQuery({
    ...rowCountQuery({ category: category.id, datasetId }, body),
    enabled: next !== undefined && description.features.includes("COUNT"),
  });
  return next === undefined ? null : (data?.rows ?? null);
}

function withTyped(
  description: DatasetDescription,
  filters: SearchFilters,
  text: string,
  fields: readonly TypedField[],
): SearchFilters | undefined {
  const dynamic = filters.dynamic.filter((filter) => filterProblem(filter) === undefined).map(readFilter);
  const timeRange = filters.timeRange && rangeAt(filters.timeRange, countedAtMs());
  if (text === "") return { ...filters, timeRange, dynamic };
  const parsed = parseTyped(text, fields, description);
  const added = "problem" in parsed ? parsed : addTyped(description, dynamic, parsed.filters);
  return "problem" in added ? undefined : { ...filters, timeRange, dynamic: added.filters };
}
