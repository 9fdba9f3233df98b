import { datasets } from "@fairway/contract/datasets";
import { type Capability, implement } from "#http/capability.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import type { OwnDatasets } from "#own-data/own-datasets.ts";
import { type DatasetService, type DatasetServiceParts, datasetService } from "./service.ts";

interface Parts extends DatasetServiceParts {
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  /** Datasets that users have brought. Default: none. */
  readonly ownDatasets?: OwnDatasets;
}

/** Lists and describes the datasets that a user may use. */
export function openDatasets({ entityChanges, ...parts }: Parts): Capability & DatasetService {
  const service = datasetService(parts);
  entityChanges.subscribe(() => service.changed());
  parts.ownDatasets?.onChanged(() => service.changed());
  return {
    ...service,
    routes: {
      datasets: implement(datasets, {
        list: ({ user }) => service.accessible(user),
        describe: ({ user, params, signal }) => service.describe(user, params.category, params.datasetId, signal),
      }),
    },
  };
}
