import type { Column } from "@fairway/contract/columns";
import { useQueries } from "@tanstack/react-query";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { useDatasetForm } from "./form-context.ts";

/** The columns that the draft looks up, as their datasets describe them. Without those of datasets that are not loaded, or that this user may not read. */
export function useLookedUpColumns(): Column[] {
  const { lookups = [] } = useDatasetForm().draft;
  const descriptions = useQueries({
    queries: lookups.map(({ dataset: { datasetCategory, datasetId } }) => ({
      ...describeQuery(datasetCategory, datasetId),
      enabled: datasetId !== "",
      retry: false,
    })),
  });
  return lookups.flatMap(({ columns }, index) =>
    columns.flatMap(({ from, name }) => {
      const column = descriptions[index]?.data?.schema.columns.find((one) => one.name === from && one.combined === null);
      return column === undefined ? [] : [{ ...column, name }];
    }),
  );
}
