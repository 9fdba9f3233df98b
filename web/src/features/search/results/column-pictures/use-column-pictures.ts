import type { Column } from "@fairway/contract/columns";
import type { ColumnDistributions } from "@fairway/contract/distributions";
import { useLocalStorage } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { askOfColumns } from "#features/search/results/distributions/calls.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** As many columns as one call may ask for. */
const maxColumns = 100;

export interface ColumnPictures {
  /** False if the dataset's columns have no pictures. */
  readonly offered: boolean;
  /** Whether the header has room for them, also while they load. */
  readonly shown: boolean;
  /** Whether the user wants them. Remembered in the browser. */
  readonly wanted: boolean;
  readonly onWanted: (wanted: boolean) => void;
  /** Data of the pictures; undefined until they are known. */
  readonly distributions: ColumnDistributions | undefined;
}

/** Pictures of what the visible columns hold, by one call after rows and count. A failure leaves them out. */
export function useColumnPictures(record: SearchRecord, columns: readonly Column[], visible: readonly Column[]): ColumnPictures {
  const { id, datasetDescription, isSample, isSearching, results, totalResultCount, run } = record;
  const { category, datasetId, assists } = datasetDescription;
  const [wanted, onWanted] = useLocalStorage({ key: "fairway.results.pictures", defaultValue: true, getInitialValueInEffect: false });
  const offered = !isSample && assists.includes("PROFILE");
  const asked = new Set(visible.flatMap(({ name, combined }) => combined?.fields ?? [name]));
  // In the dataset's order, so that moving a column asks for nothing.
  const names = columns.flatMap(({ name, combined }) => (combined === null && asked.has(name) ? [name] : [])).slice(0, maxColumns);
  const search = countDataOf(record);
  const { data, isError } = useQuery({
    queryKey: ["column-distributions", category.id, datasetId, names, search, id, run],
    queryFn: ({ signal }) => askOfColumns(record, names, signal),
    enabled: offered && wanted && !isSearching && results !== null && results.length > 0 && totalResultCount !== -1 && names.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });
  const shown = offered && wanted && !isError;
  return { offered, shown, wanted, onWanted, distributions: data };
}
