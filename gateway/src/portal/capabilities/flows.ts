import { openFlowDeployments } from "#capabilities/flow-deployments/capability.ts";
import { openFlowDifferences } from "#capabilities/flow-differences/capability.ts";
import { openFlows } from "#capabilities/flows/capability.ts";
import type { CapabilityList } from "#http/capability.ts";
import type { Parts } from "#portal/open-parts.ts";
import type { DatasetCapabilities } from "./datasets.ts";

/** Flows of data: requests to change them, what changes, and where they are deployed. */
export async function openFlowCapabilities(parts: Parts, list: CapabilityList, { notifier }: Pick<DatasetCapabilities, "notifier">) {
  const { config, database, log, entities, entityChanges, addresses, liveChanges } = parts;
  const { limits } = config;
  const { db } = database;
  const flows = await list.add(openFlows({ db, entities, entityChanges, notifier, selfAccept: config.settings.flows.selfAccept, limits }));
  const { flowDefinitions: definitions } = parts;
  const { environmentFacts } = await list.add(openFlowDeployments({ db, entities, addresses, flows, definitions, live: liveChanges, log }));
  await list.add(openFlowDifferences({ flows, definitions, entities, entityChanges, environmentFacts }));
  await flows.seed(parts.flows);
}
