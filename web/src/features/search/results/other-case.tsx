import type { FieldFilter } from "@fairway/contract/datasets";
import { Button } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { suggestionsQuery } from "#parts/filters/suggestions-query.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { type FormFilter, isCompared } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** Offers the values that differ from those of a filter in upper and lower case only: the usual reason for no rows. */
export default function OtherCase({ record }: { record: SearchRecord }) {
  const { id, datasetDescription: description, filters, added } = record;
  const source = { description, filters: { ...filters, geospatial: null, dynamic: [] }, added };
  const texts = description.assists.includes("SUGGESTIONS") ? filters.dynamic.filter(isText) : [];
  const offers = useQueries({
    // Of all rows of the time range: the other filters may keep theirs out.
    queries: texts.map((filter) => suggestionsQuery(source, filter.name, String(filter.value))),
  });
  return texts.map((filter, index) => {
    const other = offers[index]?.data?.values.map(({ value }) => value).find((value) => differsInCase(value, filter.value));
    if (typeof other !== "string") return null;
    const dynamic = filters.dynamic.map((old) => (old.id === filter.id ? { ...filter, value: other } : old));
    return (
      <Button key={filter.id} onClick={() => openSearches.setFilters(id, { ...filters, dynamic })}>
        {`Search ${filter.name} ${filter.operator} ${other}`}
      </Button>
    );
  });
}

const isText = (filter: FormFilter): filter is FieldFilter =>
  isCompared(filter) &&
  !filter.preFilled &&
  filter.type === "STRING" &&
  filter.operator === "=" &&
  typeof filter.value === "string" &&
  hasValue(filter);

const differsInCase = (value: unknown, typed: unknown): boolean =>
  typeof value === "string" && typeof typed === "string" && value !== typed && value.toLowerCase() === typed.toLowerCase();
