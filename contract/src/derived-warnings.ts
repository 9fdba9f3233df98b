import type { EntityWarning } from "./entity-warning.ts";
import type { ErrorItem } from "./errors.ts";
import type { OwnDatasetSettings } from "./internal-datasets.ts";

/** Warnings of lookups and computed columns that have no place in what readers see, because of these problems. */
export const derivedWarningsOf = (
  { schema, lookups }: Pick<OwnDatasetSettings, "schema" | "lookups">,
  problems: readonly Pick<ErrorItem, "message" | "path">[],
): EntityWarning[] =>
  problems.map(({ message, path = "" }) => {
    const [list, first, second] = path.split(".");
    return list === "lookups"
      ? {
          code: "lookup-broken",
          message: `The columns of the lookup '${lookups?.[Number(first)]?.id ?? ""}' are left out: ${message}`,
          path,
        }
      : { code: "computed-broken", message: `The column '${schema.columns[Number(second)]?.name ?? ""}' is left out: ${message}`, path };
  });
