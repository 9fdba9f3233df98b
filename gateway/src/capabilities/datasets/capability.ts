import { datasets } from "@fairway/contract/datasets";
import { type Capability, implement } from "#http/capability.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import type { OwnDatasets } from "#own-data/own-datasets.ts";
import { DatasetChanges } from "./dataset-changes.ts";
import { type DatasetService, type DatasetServiceParts, datasetService } from "./service.ts";

interface Parts extends DatasetServiceParts {
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  /** Datasets that users have brought. Default: none. */
  readonly ownDatasets?: OwnDatasets;
}

export interface ChangingDatasets {
  /** Calls the listener with those who may find other datasets, or other rows, than before; at every gateway. */
  readonly onChanged: DatasetChanges["subscribe"];
}

/** Lists and describes the datasets that a user may use. */
export function openDatasets({ entityChanges, ...parts }: Parts): Capability & DatasetService & ChangingDatasets {
  const service = datasetService(parts);
  entityChanges.subscribe(() => service.changed());
  parts.ownDatasets?.onChanged(() => service.changed());
  const changes = new DatasetChanges({ entityChanges, ownDatasets: parts.ownDatasets });
  return {
    ...service,
    onChanged: (listener) => changes.subscribe(listener),
    close: () => changes.close(),
    routes: {
      datasets: implement(datasets, {
        list: ({ user }) => service.accessible(user),
        describe: ({ user, params, signal }) => service.describe(user, params.category, params.datasetId, signal),
      }),
    },
  };
}
