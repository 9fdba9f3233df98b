import { type Column, isTimestamp, shownAtFirst } from "@fairway/contract/columns";
import { distributions } from "@fairway/contract/distributions";
import type { ResultRow } from "@fairway/contract/search";
import type { StartQuestion } from "@fairway/contract/start-page";
import { queryOptions } from "@tanstack/react-query";
import { fetchTracks } from "#features/search/map/model/map-calls.ts";
import { mapFieldsOf } from "#features/search/map/model/map-fields.ts";
import { tracksOf } from "#features/search/map/model/tracks.ts";
import { call } from "#lib/gateway/call.ts";
import { readsAsCode } from "#lib/text/cell-text.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { whenIdle } from "#lib/pacing/when-idle.ts";
import type { Position } from "#parts/dataset-profile/small-map.tsx";
import { describeSearch } from "#parts/open-searches/describe-search.ts";
import { countedAtMs, rowCountQuery } from "#parts/open-searches/row-count.ts";
import { fetchRows } from "#parts/open-searches/search-api.ts";
import { columnsNamed } from "#parts/search-model/columns-named.ts";
import { type AddressedSearch, countDataOfAddress, definitionOf } from "#parts/search-model/search-address.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";

/** Rows that a small map may read. A map of more is not drawn. */
const maxMapRows = 5_000;
const [pictureRows, pictureColumns] = [5, 3];

/** The content of a small picture of a question's answer. */
export type QuestionAnswer =
  | { readonly kind: "map"; readonly lines: readonly (readonly Position[])[] }
  | { readonly kind: "graph"; readonly rows: readonly number[] }
  | { readonly kind: "table"; readonly columns: readonly Column[]; readonly rows: readonly ResultRow[] };

/**
 * The answer to a question, small, by the calls that its view makes: it shows what this user may read, and nothing else. Waits
 * until the browser has shown what matters more. Null if there is nothing small to draw.
 */
export const questionAnswerQuery = (question: StartQuestion, addressed: AddressedSearch) =>
  queryOptions({
    queryKey: ["question-answer", question.search, question.graph] as const,
    queryFn: async ({ signal }): Promise<QuestionAnswer | null> => {
      await new Promise<void>((resolve) => whenIdle(resolve));
      signal.throwIfAborted();
      if (addressed.viewMode === "graphs") return question.graph && readGraph(addressed, signal);
      if (addressed.viewMode === "raw") return null;
      const description = await describeSearch(addressed.category, addressed.datasetId, addressed.added);
      const definition = definitionOf(addressed, description, countedAtMs());
      return addressed.viewMode === "map" ? readMap(addressed, definition, signal) : readTable(definition, signal);
    },
    staleTime: 600_000,
    retry: false,
  });

const paramsOf = ({ category, datasetId }: AddressedSearch) => ({ category, datasetId });

async function readGraph(addressed: AddressedSearch, signal: AbortSignal): Promise<QuestionAnswer | null> {
  const body = countDataOfAddress(addressed, countedAtMs());
  const { buckets } = await call(distributions.overTime, { params: paramsOf(addressed), body }, { signal });
  return buckets.length === 0 ? null : { kind: "graph", rows: buckets.map(({ rows }) => rows) };
}

async function readMap(addressed: AddressedSearch, definition: SearchDefinition, signal: AbortSignal): Promise<QuestionAnswer | null> {
  const fields = mapFieldsOf(definition.datasetDescription);
  if (fields === null) return null;
  const count = await queryClient.fetchQuery(rowCountQuery(paramsOf(addressed), countDataOfAddress(addressed, countedAtMs())));
  if (count.rows === null || count.rows > maxMapRows) return null;
  const { rows } = await fetchTracks(definition, signal);
  const lines = [...tracksOf(rows, fields).values()].map(({ points: { lat, lng } }) =>
    Array.from(lat, (latitude, index): Position => [latitude, lng[index] ?? 0]),
  );
  const filled = lines.filter((line) => line.length > 0);
  return filled.length === 0 ? null : { kind: "map", lines: filled };
}

async function readTable(definition: SearchDefinition, signal: AbortSignal): Promise<QuestionAnswer | null> {
  const { rows } = await fetchRows(definition, { offset: 0, max: pictureRows }, signal);
  return rows.length === 0 ? null : { kind: "table", columns: columnsOf(definition), rows: rows.slice(0, pictureRows) };
}

/** The title of the rows, the columns that the question sorts and filters by, and then the first columns that read well in little room: neither times nor ids. */
function columnsOf({ datasetDescription, visibleColumns, sort, filters }: SearchDefinition): readonly Column[] {
  const { schema, titleField } = datasetDescription;
  const visible = visibleColumns === null ? shownAtFirst(schema.columns) : columnsNamed(schema.columns, visibleColumns);
  const shown = visible.filter(({ combined }) => combined === null);
  const asked = [
    ...(titleField === null ? [] : [titleField]),
    ...sort.map(({ column }) => column),
    ...filters.dynamic.filter(({ operator, preFilled }) => operator !== "=" && !preFilled).map(({ name }) => name),
  ];
  const byName = columnsNamed(shown, [...new Set(asked)]);
  const others = shown.filter((column) => !byName.includes(column));
  const short = others.filter((column) => !isTimestamp(column.type) && !readsAsCode(column));
  return [...byName, ...short, ...others.filter((column) => !short.includes(column))].slice(0, pictureColumns);
}
