import { formatCount, pluralize } from "@fairway/contract/counts";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { filterProblem, readFilter } from "#parts/filters/filter-value.ts";
import { countedAtMs, rowCountQuery } from "#parts/open-searches/row-count.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { rangeAt } from "#parts/search-model/time-range.ts";
import classes from "./search-form.module.css";

/** Long enough for typing, short enough to be there before the hand reaches Search. */
const debounceMs = 500;

interface Props {
  /** Describes the Search button. */
  id: string;
  description: DatasetDescription;
  /** Those of a search that could run. */
  filters: SearchFilters;
  /** Columns that the search adds to those of its dataset. */
  added: SearchColumns | undefined;
}

/** Number of rows that Search would find. Empty where that is unknown: an extra that never gets in the way. */
export default function LiveCount({ id, description, filters, added }: Props) {
  const [settled] = useDebouncedValue(filters, debounceMs);
  const { category, datasetId } = description;
  const body = countDataOf({ datasetDescription: description, filters: readable(settled), sort: [], added });
  // The form says it where the reader has no rows at all.
  const mayHaveRows = description.access?.rows !== "none";
  const isCountable =
    mayHaveRows && description.features.includes("COUNT") && settled.dynamic.every((filter) => filterProblem(filter) === undefined);
  const { data: { rows = null, outOfRange = 0 } = {}, isPlaceholderData } = useQuery({
    ...rowCountQuery({ category: category.id, datasetId }, body),
    enabled: isCountable,
    placeholderData: keepPreviousData,
  });
  const isStale = isPlaceholderData || settled !== filters;
  return (
    <span id={id} className={classes["count"]} data-stale={isStale || undefined}>
      {isCountable && rows !== null ? (rows === 0 ? "No rows" : pluralize(rows, "row")) : ""}
      {isCountable && outOfRange > 0 && `, ${formatCount(outOfRange)} out of range`}
    </span>
  );
}

/** As Search would send them. */
function readable({ timeRange, geospatial, dynamic }: SearchFilters): SearchFilters {
  return { timeRange: timeRange && rangeAt(timeRange, countedAtMs()), geospatial, dynamic: dynamic.map(readFilter) };
}
