import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { Lookup, SearchColumns } from "@fairway/contract/derived-columns";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { describeWith } from "#parts/search-model/describe-with.ts";

/** The description of a dataset for a search: with the columns that the search looks up and computes, which its filters may name. */
export async function describeSearch(category: string, datasetId: string, added: SearchColumns = {}): Promise<DatasetDescription> {
  const description = await queryClient.ensureQueryData(describeQuery(category, datasetId));
  return addsColumns(added) ? queryClient.ensureQueryData(searchDescriptionQuery(description, added)) : description;
}

/** The same for a description that is loaded; undefined while the columns are not known, and without them if they cannot be. */
export function useSearchDescription<D extends DatasetDescription | undefined>(
  description: D,
  added: SearchColumns = {},
): D | DatasetDescription | undefined {
  const isPlain = description === undefined || !addsColumns(added);
  const { data, isError } = useQuery({
    ...searchDescriptionQuery(description, added),
    enabled: !isPlain,
    // A form stays while its dataset is described anew.
    placeholderData: (previous) =>
      previous?.datasetId === description?.datasetId && previous?.category.id === description?.category.id ? previous : undefined,
  });
  return isPlain || isError ? description : data;
}

/** Whether a search has columns of its own. */
const addsColumns = ({ computed = [], lookups = [] }: SearchColumns): boolean => computed.length > 0 || lookups.length > 0;

const searchDescriptionQuery = (description: DatasetDescription | undefined, { computed = [], lookups = [] }: SearchColumns) =>
  queryOptions({
    queryKey: ["search description", addsColumns({ computed, lookups }) ? description : undefined, computed, lookups],
    queryFn: async (): Promise<DatasetDescription> => {
      if (description === undefined) throw new Error("The dataset is not described yet.");
      const own = description.schema.columns;
      const lookedUp = (await Promise.all(lookups.map(lookedUpColumns))).flat();
      const columns = [...own, ...lookedUp.filter(({ name }) => !own.some((column) => column.name === name))];
      return describeWith({ ...description, schema: { ...description.schema, columns } }, computed);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The columns of a lookup, as their dataset describes them. None if this user may not read it: the search says so. */
async function lookedUpColumns({ dataset: { datasetCategory, datasetId }, columns }: Lookup): Promise<Column[]> {
  try {
    const { schema } = await queryClient.ensureQueryData(describeQuery(datasetCategory, datasetId));
    return columns.flatMap(({ from, name }) => {
      const column = schema.columns.find((one) => one.name === from && one.combined === null);
      if (column === undefined) return [];
      const { computed: _, ...shown } = column;
      return [{ ...shown, name }];
    });
  } catch (error) {
    if (error instanceof GatewayError && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}
