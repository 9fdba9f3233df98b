import type { ErrorItem } from "@fairway/contract/errors";
import type { Drift } from "@fairway/contract/imports";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import type { DatasetSource } from "#query/engine.ts";

/** Why lookups and computed columns cannot be made of what the caller may read. */
export type DerivedProblems = (
  dataset: Pick<OwnDatasetSettings, "schema" | "lookups"> & { readonly source: DatasetSource },
) => Promise<readonly ErrorItem[]>;

/** Lookups and computed columns that could be made until now. */
export async function brokenColumns(problemsOf: DerivedProblems, before: OwnDatasetSettings, after: OwnDatasetSettings): Promise<Drift[]> {
  const source = { kind: "imported" as const, format: "parquet" as const, files: [] };
  const hasDerived = (before.lookups ?? []).length > 0 || before.schema.columns.some(({ computed }) => computed !== undefined);
  if (!hasDerived) return [];
  const [known, now] = await Promise.all([before, after].map(async (one) => placed(one, await problemsOf({ source, ...one }))));
  return [...(now ?? [])]
    .filter(([place]) => known?.has(place) !== true)
    .map(([place, message]): Drift => ({ kind: "missing-column", sentence: `${place} will be left out: ${message}` }));
}

/** Problems by what they are about, in words. */
function placed({ schema, lookups }: OwnDatasetSettings, problems: readonly ErrorItem[]): Map<string, string> {
  return new Map(
    problems.map(({ path = "", message }) => {
      const [list, first, second] = path.split(".");
      const place =
        list === "lookups"
          ? `The lookup '${lookups?.[Number(first)]?.id ?? ""}'`
          : `The computed column '${schema.columns[Number(second)]?.name ?? ""}'`;
      return [place, message];
    }),
  );
}
