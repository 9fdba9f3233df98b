import type { CapabilityList } from "#http/capability.ts";
import type { ApiKeyReader } from "#http/gatekeeper.ts";
import type { Parts } from "#portal/open-parts.ts";
import { openAccounts } from "./capabilities/accounts.ts";
import { openAdministration } from "./capabilities/administration.ts";
import { openDatasetCapabilities } from "./capabilities/datasets.ts";
import { openFlowCapabilities } from "./capabilities/flows.ts";
import { openContent } from "./capabilities/content.ts";
import { openSearching } from "./capabilities/searching.ts";

/**
 * Opens every capability, subject by subject. Capabilities never import each other; dependencies between them are passed here and in the
 * files of the subjects. Every added capability is served, documented in the API reference, measured, and closed in reverse order.
 */
export async function openCapabilities(parts: Parts, list: CapabilityList, release: string | undefined): Promise<ApiKeyReader> {
  await openAccounts(parts, list);
  const datasets = await openDatasetCapabilities(parts, list);
  const searching = await openSearching(parts, list, datasets);
  await openFlowCapabilities(parts, list, datasets);
  const content = await openContent(parts, list, { ...datasets, ...searching });
  return openAdministration(parts, list, { ...datasets, ...content, release });
}
