import { datasetAccessAdministration } from "@fairway/contract/dataset-access-administration";
import type { CellValue } from "@fairway/contract/search";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "#lib/gateway/call.ts";
import type { DatasetDraft } from "#parts/dataset-form/dataset-draft.ts";

type Example = Exclude<CellValue, undefined>;

/** A value of each column, from the first rows without any rules. Those that cannot be read have none. Undefined while they load. */
export function useExamples({ id, roles }: Pick<DatasetDraft, "id" | "roles">): Readonly<Record<string, Example>> | undefined {
  const { data, isPending } = useQuery({
    queryKey: ["admin", "datasets/internal", "access-examples", id, roles],
    queryFn: ({ signal }) =>
      call(datasetAccessAdministration.preview, { params: { id }, body: { access: null, as: { roles } } }, { signal }),
    retry: false,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
  return useMemo(() => {
    if (isPending) return undefined;
    // The first row counts, and so it comes last.
    const values = (data?.sample ?? []).toReversed().flatMap((row) => Object.entries(row));
    return Object.fromEntries(values.filter((entry): entry is [string, Example] => isExample(entry[1])));
  }, [data, isPending]);
}

const isExample = (value: unknown): value is Example =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";
