import { formatList, pluralize } from "@fairway/contract/counts";
import { type OwnDataset, type OwnDatasetDependents, ownDatasets } from "@fairway/contract/own-datasets";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { refreshDatasets } from "#parts/own-datasets/queries.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { toastError, toastUndo } from "#ui/toast/toast.ts";

/**
 * Asks with what depends on the dataset, then deletes it. It can be restored for 7 days. `leave` is awaited before: what shows the dataset
 * would ask for it once more, in vain.
 */
export async function deleteOwnDataset({ id, title, datasetId }: OwnDataset, leave: () => Promise<void>): Promise<void> {
  const name = title || datasetId;
  try {
    const dependents = await call(ownDatasets.dependents, { params: { id } });
    const isConfirmed = await confirm({
      title: `Delete ${name}?`,
      text: `${dependentsText(dependents)} It is gone for everyone at once. You can restore it for 7 days.`,
      confirmLabel: "Delete",
      destructive: true,
    });
    if (!isConfirmed) return;
    await leave();
    await call(ownDatasets.remove, { params: { id }, query: {} });
    toastUndo(`${name} deleted`, () => void restore(id));
    await refreshDatasets();
  } catch (error) {
    toastError("Delete Failed", messagesOf(error).join(" "));
  }
}

async function restore(id: string): Promise<void> {
  try {
    await call(ownDatasets.restore, { params: { id } });
    await refreshDatasets();
  } catch (error) {
    toastError("Restore Failed", messagesOf(error).join(" "));
  }
}

/** `2 saved searches and 1 board depend on it.` */
function dependentsText({ savedSearches, boards, alerts, lookups, shares }: OwnDatasetDependents): string {
  const parts = [
    [savedSearches, "saved search", "saved searches"],
    [boards, "board"],
    [alerts, "alert"],
    [lookups, "lookup"],
    [shares, "share"],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([count, one, several]) => pluralize(count, one, several));
  if (named.length === 0) return "Nothing depends on it.";
  const isOne = parts.reduce((sum, [count]) => sum + count, 0) === 1;
  return `${formatList(named)} ${isOne ? "depends" : "depend"} on it.`;
}
