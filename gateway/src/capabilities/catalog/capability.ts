import { catalog as contract } from "@fairway/contract/catalog";
import { datasetKey, type DatasetRef, type DatasetSchema } from "@fairway/contract/datasets";
import { type Capability, implement } from "#capability.ts";
import type { Handlers, SignedInUser } from "#http/handlers.ts";

type ListedSchema = Pick<DatasetSchema, "dataset" | "description" | "containsLocationData" | "supportsMapResults"> & {
  readonly columns: readonly { readonly name: string }[];
};

interface Parts {
  /** Of every dataset that the user may use. */
  readonly schemasOf: (user: SignedInUser) => Promise<readonly ListedSchema[]>;
  readonly communityDescriptions: () => Promise<readonly (DatasetRef & { description: string })[]>;
}

/** Finds datasets by their schemas. */
export function openCatalog({ schemasOf, communityDescriptions }: Parts): Capability {
  const handlers: Handlers<typeof contract> = {
    entries: async ({ user, query }) => {
      const [schemas, descriptions] = await Promise.all([schemasOf(user), communityDescriptions()]);
      const byDataset = new Map(descriptions.map((one) => [datasetKey(one), one.description]));
      return schemas
        .filter(({ columns }) => query.columnName === undefined || hasColumn(columns, query.columnName))
        .filter(({ containsLocationData }) => matches(query.containsLocationData, containsLocationData))
        .filter(({ supportsMapResults }) => matches(query.supportsMapResults, supportsMapResults))
        .map(({ dataset, description, containsLocationData, supportsMapResults }) => ({
          dataset,
          description,
          communityDescription: byDataset.get(datasetKey(dataset)) ?? "",
          containsLocationData,
          supportsMapResults,
        }));
    },
  };
  return { routes: { catalog: implement(contract, handlers) } };
}

const matches = (wanted: "true" | "false" | undefined, is: boolean): boolean => wanted === undefined || (wanted === "true") === is;

function hasColumn(columns: readonly { readonly name: string }[], part: string): boolean {
  const wanted = part.trim().toLowerCase();
  return columns.some(({ name }) => name.toLowerCase().includes(wanted));
}
